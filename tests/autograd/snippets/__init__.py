"""The rest of `torch.autograd` as snippets: what its tools answer, and what they refuse."""
