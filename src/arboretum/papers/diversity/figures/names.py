"""What the figures of diversity share: names and colours of learners and components."""

from __future__ import annotations

from arboretum.papers.drawing import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION

LEARNER_NAMES = {
    "rf": "standard forest",
    "w_drf": "DRF",
    "w_drf_fit": "DRF, tree construction",
    "w_xuchen": "XuChen",
    "w_sigm": "sigmoid",
    "w_lerp": "lerp",
    "w_dyn": "dyn",
    "w_sigm_as_run": "sigmoid as run",
    "w_dyn_as_run": "dyn as run",
    "w_drf_fit_as_run": "DRF, tree constr. as run",
}
LEARNER_COLOURS = {
    "rf": BLACK,
    "w_drf": VERMILION,
    "w_drf_fit": SKY,
    "w_xuchen": PURPLE,
    "w_sigm": ORANGE,
    "w_lerp": BLUE,
    "w_dyn": GREEN,
    "w_sigm_as_run": ORANGE,
    "w_dyn_as_run": GREEN,
    "w_drf_fit_as_run": SKY,
}
TERM_NAMES = {"error": "ensemble error", "bias": "average bias", "variance": "average variance"}
TERM_NAMES |= {"diversity": "diversity"}
TERM_COLOURS = {"error": BLACK, "bias": BLUE, "variance": GREEN, "diversity": VERMILION}
SET_NAMES = {"pima": "diabetes (pima)", "covertype": "cover"}
LIGHT = "#DDDDDD"
MUTED = GREY


def set_name(dataset: str) -> str:
    return SET_NAMES.get(dataset, dataset)
