"""What stands around the core: rarely needed parts of the engine, on the core's public doors.

Public names stay where PyTorch has them: ``minigrad.autograd`` and ``minigrad.autograd.graph`` hand
out what lives here.
"""
