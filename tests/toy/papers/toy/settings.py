"""What conf/paper/toy may say."""

from arboretum.papers.settings import Count, Number, Section, some


class Coins(Section):
    coins: some(str)
    repetitions: Count
    throws: Count
    seconds: Number


class Settings(Section):
    coins: Coins | None = None
