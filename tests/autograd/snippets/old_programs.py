"""What programs from before PyTorch 0.4 begin with."""

import numpy as np

from tests.oracle.snippets import snippet


@snippet
def variables(torch, see):
    Variable = torch.autograd.Variable
    see("of nothing", Variable())
    see("with its options", (Variable(torch.ones(2), True), Variable(torch.ones(2), False, True)))
    see("by name", Variable(data=torch.ones(2), requires_grad=1, volatile=False))
    for data in ([1.0], 3, np.ones(2)):
        with see.error(f"of {data}"):
            Variable(data)
    with see.error("of integers"):
        Variable(torch.ones(2).long(), requires_grad=True)
    with see.error("volatile and more"):
        Variable(torch.ones(2), True, volatile=True)
    with see.error("the function"):
        torch.autograd.variable(torch.ones(2))
    see("its class", torch.autograd.variable.Variable is Variable)
