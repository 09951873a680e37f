"""Questions with named options: what predictions and warm-ups are made of."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Option:
    """One thing a learner may say.

    `says` is the text of the button. `reply` answers whoever chose it. A wrong option names the
    `misconception` that leads to it; the right one names none.
    """

    says: str
    reply: str
    misconception: str | None = None

    @property
    def is_right(self) -> bool:
        return self.misconception is None


@dataclass(frozen=True)
class Question:
    """A question and its options, exactly one of them right.

    `shows` is what a run displays when all is as the lesson expects; left out, it is the text of
    the right option. `otherwise` says what is to be said to a run that shows something else for a
    reason that was foreseen. Raises `ValueError` when no option is right, or several are, or two
    say the same.
    """

    name: str
    asks: str
    options: tuple[Option, ...]
    shows: str = ""
    otherwise: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        if sum(option.is_right for option in self.options) != 1:
            raise ValueError(f"question {self.name} needs exactly one right option")
        if len({option.says for option in self.options}) < len(self.options):
            raise ValueError(f"question {self.name} has two options that say the same")

    @property
    def right(self) -> Option:
        return next(option for option in self.options if option.is_right)
