"""The first errors of somebody who begins: which rule answers which, by what the error says.

A class in the place of a net, an array in the place of a tensor, a layer of another size: the rules
look at the values in the failing line, so that they can say which of them it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..program.failure import Failure
from .arguments import called_with_others
from .attributes import no_such_attribute
from .classes import called_object, class_in_its_place, module_in_its_place, not_modules
from .custom_functions import called_without_apply, kept_no_tensor, never_kept, without_context
from .forward import before_init, init_never_run, no_forward
from .layer_inputs import of_no_tensor
from .layer_sizes import sizes_apart
from .no_parameters import module_for_parameters, no_parameters, no_tensors
from .operands import another_view
from .other_dtypes import mean_of_whole_numbers, other_dtypes
from .targets import shapes_of_a_loss, targets_of_classes

Rule = Callable[[Failure, re.Match], Iterator[str]]

#: in this order; the first that has something to say is told
RULES: tuple[tuple[str, Rule], ...] = (
    (r"optimizer got an empty parameter list", no_parameters),
    (r".*object is not iterable", module_for_parameters),
    (r"Legacy autograd function|\w+\(\) takes no arguments", called_without_apply),
    (r"save_for_backward can only .* argument (\d+) is of type (\w+)", kept_no_tensor),
    (r"(\w+)\.(forward|backward)\(\) (?:takes|missing)", without_context),
    (r"", class_in_its_place),
    (r"", init_never_run),
    (r"Module \[(\w+)\] is missing the required \"forward\"", no_forward),
    (r"cannot assign \w+ before Module", before_init),
    (r".* is not a Module subclass", not_modules),
    (r"", module_in_its_place),
    (r".*has no attribute 'grad'", module_for_parameters),
    (r"'?([\w.]+)'? .*has no attribute '(\w+)'", never_kept),
    (r"'?([\w.]+)'? .*has no attribute '(\w+)'", no_such_attribute),
    (r"", of_no_tensor),
    (r".*have the same dtype, but got|Found dtype \w+ but expected|result type", other_dtypes),
    (r"mat1 and mat2 shapes|size mismatch, got|inconsistent tensor size", sizes_apart),
    (r"Using a target size|Target size|The size of tensor a", shapes_of_a_loss),
    (r".*target|.*not implemented for|Target -?\d+ is out", targets_of_classes),
    (r"optimizer can only optimize Tensors, but one of the params is (\w+)", no_tensors),
    (r"shape '(.*)' is invalid for input of size (\d+)", another_view),
    (r"'(\w+)' object is not callable", called_object),
    (r"mean\(\): could not infer output dtype.*Got: (\w+)", mean_of_whole_numbers),
    (r".*argument", called_with_others),
)


def of_a_beginner(failure: Failure) -> Iterator[str]:
    """What the first rule says that knows the error."""
    for text, rule in RULES:
        found = re.match(text, str(failure.error))
        if found and failure.expression is not None and (said := [*rule(failure, found)]):
            yield from said
            return
