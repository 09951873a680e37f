"""Lesson 12: the judges of a training and of the causes of five runs. Words are in `12.toml`.

Arrays are tried in `array_trial`, layers and losses in `layer_trial`.
"""

import time
from collections.abc import Callable
from typing import Any

import minigrad as mg

from ..language import _
from . import training_runs as runs
from .digits import digits
from .exercises import Blank, Mistake, ReturnsNothing, Unreadable, is_blank, is_empty
from .kinds.judges import unforeseen
from .trying import expect_function

# --- 12-3: learning ---------------------------------------------------------------------------

ASKED_FOR, SECONDS = 0.9, 20


def judge_learning(answer: Any) -> str | Mistake | None:
    """Let a learner's function train, and ask the model about the digits that were held out."""
    expect_function(answer, "12-3", "learn")
    images, kinds, new_images, new_kinds = map(mg.from_numpy, digits())
    begun = _clocks()
    try:
        model = answer(images, kinds)
        if model is None and not is_empty(answer):
            told = _("Your function ran, and returned nothing. Its last line returns the model.")
            raise ReturnsNothing(told)
        if is_blank(model):
            raise Blank
        if not callable(model):
            raise Unreadable(_("Return the model, something that can be called with images."))
        took = min(now - then for now, then in zip(_clocks(), begun))
        shares = [_share(model, *pair) for pair in ((new_images, new_kinds), (images, kinds))]
    except (Blank, Unreadable):
        raise
    except Exception as error:
        told = _("Your function stopped: {}: {}").format(type(error).__name__, error)
        raise Unreadable(told) from error
    return _judged(*shares, took)


def _clocks() -> tuple[float, float]:
    """Two clocks. On a busy machine the first one runs ahead, on several cores the second."""
    return time.perf_counter(), time.process_time()


def _share(model: Callable[[Any], Any], images: Any, kinds: Any) -> float | None:
    """How much of the digits a model gets right; None where its scores are no numbers."""
    with mg.no_grad():
        scores = model(images)
    if tuple(getattr(scores, "shape", ())) != (len(images), 10):
        told = _("For {0} images the model has to give {0} rows of 10 scores.")
        raise Unreadable(told.format(len(images)))
    if not bool(mg.isfinite(scores).all()):
        return None
    return (scores.argmax(1) == kinds).sum().item() / len(kinds)


def _judged(new: float | None, trained: float | None, took: float) -> str | Mistake | None:
    if new is None or trained is None:
        return "no numbers"
    if new >= ASKED_FOR:
        if took <= SECONDS:
            return None
        told = _("{:.0%} of the new digits, and it took {:.0f} seconds; {} are allowed.")
        return unforeseen(told.format(new, took, SECONDS))
    if trained < 0.2:
        return "no better than guessing"
    if trained < 0.97:
        return "stopped early"
    told = _("{:.1%} of the images it was trained on are right, and {:.1%} of the new ones.")
    return unforeseen(told.format(trained, new))


# --- 12-4: five runs, five causes -------------------------------------------------------------

PATIENTS = {
    "P": runs.Setting(runs.DETACH, 24, 0.03, 3),
    "Q": runs.Setting(runs.NOTHING, 24, 0.004, 4),
    "R": runs.Setting(runs.ZERO, 24, 0.03, 5),
    "S": runs.Setting(runs.ROUND, 24, 0.03, 6),
    "T": runs.Setting(runs.RATE, 24, 0.03, 7),
}
CAUSES = {
    "Z": runs.ZERO,
    "L": runs.RATE,
    "D": runs.DETACH,
    "W": runs.ROUND,
    "N": runs.NOTHING,
}


def judge_causes(answer: Any) -> str | Mistake | None:
    """Judge the causes of five runs, one letter each; the first wrong one decides."""
    if not isinstance(answer, dict) or set(answer) != set(PATIENTS):
        wanted = ", ".join(f'"{name}"' for name in PATIENTS)
        raise Unreadable(_("Keep the dictionary with the entries {}.").format(wanted))
    said = {name: str(letter).strip().strip(".").upper() for name, letter in answer.items()}
    if not all(said.values()):
        raise Blank
    if set(said.values()) - set(CAUSES):
        told = _("Answer each run with one letter out of {}.")
        raise Unreadable(told.format(", ".join(CAUSES)))
    for name, setting in PATIENTS.items():
        if CAUSES[said[name]] != setting.fault:
            return name
    return None
