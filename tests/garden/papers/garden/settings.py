"""What conf/paper/garden may say."""

from arboretum.papers.settings import Count, Number, Section, Sets


class Weights(Section):
    sets: Sets
    repetitions: Count
    seconds: Number


class Settings(Section):
    weights: Weights | None = None
