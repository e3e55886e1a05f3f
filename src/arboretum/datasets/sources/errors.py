"""Why one source gave nothing; the next source of the set is tried."""


class SourceError(Exception):
    """One source cannot give its files; the message is the reason shown to the user."""
