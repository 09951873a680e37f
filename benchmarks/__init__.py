"""All engines side by side: the same work by minigrad, PyTorch, three peers, and by hand in NumPy.

    python3 run.py bench            every workload; prints the table
    python3 run.py bench --write    also writes it, with its conditions, to benchmarks/README.md

`engines` adapts each engine to one small interface. A family of workloads is a module: `scalars`,
`arrays`, `networks`, `derivatives`, `demo`. `race` lets engines take turns and compares them,
`memory` and `starting` look at fresh processes, `targets` knows what is promised, and `report`
writes it down.
"""
