"""Why one source gave nothing; the next source of the set is tried."""


class SourceError(Exception):
    """One source cannot give its files; the message is the reason shown to the user."""


class Unreachable(SourceError):
    """Nobody answers where the files should come from."""


class HashMismatch(SourceError):
    """A file is there and is not the pinned one: worth a warning even if another source has it."""

    def __init__(self, file: str, expected: str, got: str) -> None:
        super().__init__(f"{file}: SHA-256 differs, expected {expected}, got {got}")
