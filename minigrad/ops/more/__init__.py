"""Operations beyond the core: what few programs need, declared in the same way.

Each file enters its operations into the table.
"""

from . import (  # noqa: F401
    as_strided,
    batches,
    bitwise,
    cat_split,
    clamp,
    closeness,
    comparisons_in_place,
    counts,
    cumulative,
    diagonals,
    einsum,
    flips,
    gather_scatter,
    index_put,
    logic,
    logsumexp,
    minmax,
    one_dim,
    other_shapes,
    powers,
    remainders,
    rounding,
    scaled,
    softmax,
    softplus,
    sorting,
    three_operands,
    var_norm,
    vectors,
)
