"""What PyTorch computes and minigrad does not: it says so, and never gives another number."""

import pytest

import minigrad as mg

F = mg.nn.functional


def test_smoothed_labels():
    with pytest.raises(NotImplementedError, match=r"cross_entropy\(\): label_smoothing"):
        F.cross_entropy(mg.ones(2, 3), mg.tensor([0, 1]), label_smoothing=0.1)
    with pytest.raises(NotImplementedError, match=r"cross_entropy\(\): label_smoothing"):
        mg.nn.CrossEntropyLoss(label_smoothing=0.1)(mg.ones(2, 3), mg.tensor([0, 1]))


@pytest.mark.parametrize("loss", [F.cross_entropy, F.nll_loss])
def test_several_targets_per_example(loss):
    with pytest.raises(NotImplementedError, match="more than one target per example"):
        loss(mg.ones(2, 3, 4), mg.zeros(2, 4, dtype=mg.int64))


@pytest.mark.parametrize(
    "asked", [{"max_norm": 1.0}, {"scale_grad_by_freq": True}, {"sparse": True}]
)
def test_what_else_embeddings_do(asked):
    with pytest.raises(NotImplementedError, match=rf"embedding\(\): {next(iter(asked))}="):
        mg.nn.Embedding(3, 2, **asked)
    with pytest.raises(NotImplementedError, match=rf"embedding\(\): {next(iter(asked))}="):
        F.embedding(mg.tensor([1]), mg.ones(3, 2), **asked)
