"""What minigrad leaves out says so, and where to read why."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ..tensor import Tensor


class NotSupported(AttributeError, NotImplementedError):
    """A name that PyTorch may have and minigrad has not.

    It is an ``AttributeError``, so that ``hasattr`` answers False.

    A name that PyTorch has not either may be one of ``known``, misspelt.

    >>> import minigrad as mg
    >>> hasattr(mg, "fft")
    False
    >>> try:
    ...     mg.stpper
    ... except AttributeError as error:
    ...     print(str(error).partition(" What ")[0])
    module 'minigrad' has no attribute 'stpper'. Did you mean: 'stepper'?
    """

    def __init__(self, owner: str, name: str, known: Iterable[str] = ()):
        meant = "" if name in LEFT_OUT else _nearest(name, tuple(known))
        said = f" Did you mean: '{meant}'?" if meant else ""
        if (other := other_name(name)) and other not in LEFT_OUT:
            said = f" It is another name of '{other}'."
        super().__init__(
            f"{owner} has no attribute '{name}'.{said} What minigrad leaves out is listed in "
            "docs/differences.md."
        )


def other_name(name: str) -> str:
    """What minigrad calls what PyTorch has under this name as well; "" where that is unknown.

    >>> other_name("absolute_")
    'abs_'
    """
    plain = name.removesuffix("_")
    other = OTHER_NAMES.get(plain, "")
    return other and f"{other}{name[len(plain) :]}"


@lru_cache(maxsize=256)  # `hasattr` asks for the same few names again and again
def _nearest(name: str, known: tuple[str, ...]) -> str:
    """The known name that is spelt most alike; "" where none is alike."""
    from difflib import get_close_matches

    public = {each.lower(): each for each in known if not each.startswith("_")}
    return next((public[each] for each in get_close_matches(name.lower(), public, 1, 0.75)), "")


class LeftOut:
    """Stands in a class for an attribute that PyTorch has and minigrad has not.

    It answers for this one name, which costs the others nothing. An attribute of the same name
    that a program sets goes before it.

    >>> import minigrad as mg
    >>> hasattr(mg.ones(2), "svd")
    False
    """

    def __init__(self, name: str):
        self.name = name

    def __get__(self, instance, owner: type):
        name = f"'{owner.__name__}'"
        raise NotSupported(f"type {name}" if instance is None else f"{name} object", self.name)


# What ``torch.Tensor`` has in PyTorch 2.13.0 besides, apart from names with an underscore in front.
NAMES = """
    t_ transpose_ squeeze_ unsqueeze_
    H absolute absolute_ acosh acosh_ addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_
    adjoint aminmax angle apply_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_
    arctan arctan2 arctan2_ arctan_ arctanh arctanh_ argwhere as_strided_ as_strided_scatter
    as_subclass asinh asinh_ atan2 atan2_ atanh atanh_ baddbmm baddbmm_ bernoulli bernoulli_
    bfloat16 bincount bitwise_left_shift bitwise_left_shift_ bitwise_right_shift
    bitwise_right_shift_ byte cauchy_ ccol_indices cdouble cfloat chalf char cholesky
    cholesky_inverse cholesky_solve
    coalesce col_indices conj conj_physical conj_physical_ const_data_ptr copysign copysign_
    corrcoef cov cross crow_indices cuda cummax cummin deg2rad deg2rad_ dense_dim dequantize
    diagflat diagonal_scatter diff digamma digamma_ dim_order dist divide
    divide_ dsplit eig erf erf_ erfc erfc_ erfinv erfinv_ exponential_ fill_diagonal_ fix fix_
    fliplr flipud float_power float_power_ fmax fmin fmod fmod_ frac frac_ frexp gcd gcd_
    geometric_ geqrf ger get_device grad_dtype greater greater_ greater_equal greater_equal_
    hardshrink hash_tensor heaviside heaviside_ histc histogram hsplit hypot hypot_ i0 i0_
    igamma igamma_ igammac igammac_ imag index index_copy index_copy_ index_fill index_fill_
    index_reduce index_reduce_ indices inner int_repr ipu is_coalesced is_complex
    is_conj is_cpu is_cuda is_distributed is_ipu is_maia is_meta is_mkldnn is_mps is_mtia is_neg
    is_nested is_nonzero is_pinned is_quantized is_same_size is_set_to is_shared is_signed
    is_sparse is_sparse_csr is_vulkan is_xla is_xpu isneginf isposinf isreal istft itemsize kron
    kthvalue layout lcm lcm_ ldexp ldexp_ less less_ less_equal less_equal_ lgamma lgamma_
    log_normal_ logaddexp logaddexp2 logcumsumexp logdet logit logit_ lstsq lu lu_solve mH map2_
    map_ masked_scatter masked_scatter_ matrix_exp matrix_power mode module_load moveaxis msort
    mtia multiply multiply_ mvlgamma mvlgamma_ name nanmean
    nanmedian nanquantile nansum narrow_copy nbytes negative negative_ new new_empty_strided
    nextafter nextafter_ nonzero_static not_equal not_equal_ orgqr ormqr pin_memory pinverse
    polygamma polygamma_ positive prelu put put_ q_per_channel_axis q_per_channel_scales
    q_per_channel_zero_points q_scale q_zero_point qr qscheme quantile rad2deg rad2deg_ random_
    ravel real record_stream reinforce renorm renorm_ reshape_as resize
    resize_ resize_as resize_as_ resize_as_sparse_ resolve_conj resolve_neg rot90 row_indices
    scatter_reduce scatter_reduce_ select_scatter set_ sgn sgn_ share_memory_ signbit sinc sinc_
    slice_inverse slice_scatter slogdet smm solve sparse_dim sparse_mask sparse_resize_
    sparse_resize_and_clear_ split_with_sizes sspaddmm stft storage storage_type subtract
    subtract_ sum_to_size svd swapaxes swapaxes_ swapdims swapdims_ symeig take_along_dim
    tensor_split tile to_dense to_mkldnn to_padded_tensor to_sparse to_sparse_bsc to_sparse_bsr
    to_sparse_coo to_sparse_csc to_sparse_csr trace triangular_solve true_divide true_divide_
    unflatten unfold unique_consecutive unsafe_chunk unsafe_split unsafe_split_with_sizes
    untyped_storage values vdot volatile vsplit xlogy xlogy_ xpu
"""
#: of what is left out, with the name that minigrad has for it
OTHER_NAMES = {
    "absolute": "abs", "arccos": "acos", "arcsin": "asin", "arctan": "atan",
    "divide": "div", "fix": "trunc", "ger": "outer", "greater": "gt", "greater_equal": "ge",
    "less": "lt", "less_equal": "le", "moveaxis": "movedim", "multiply": "mul", "negative": "neg",
    "not_equal": "ne", "subtract": "sub", "swapaxes": "transpose", "swapdims": "transpose",
    "true_divide": "div",
}  # fmt: skip
LEFT_OUT = frozenset(NAMES.split())


def names_of(tensor: Tensor) -> list[str]:
    """What ``dir`` lists of a tensor: not what is left out."""
    hidden = LEFT_OUT - tensor.__dict__.keys()
    return [name for name in object.__dir__(tensor) if name not in hidden]


def stand_in() -> None:
    """Have ``Tensor`` say of each name that is left out that it is."""
    for name in LEFT_OUT:
        setattr(Tensor, name, LeftOut(name))
    Tensor.__dir__ = names_of
