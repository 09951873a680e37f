"""How a command line is described: each command is one function, marked with `@command`."""

import argparse
from collections.abc import Callable


class Commands:
    """The commands of one program, by name."""

    def __init__(self, program: str, description: str, *common: tuple):
        self.program, self.description, self.common = program, description, common
        self.table: dict[str, tuple[Callable[[argparse.Namespace], int], tuple]] = {}

    def command(self, *arguments: tuple):
        """Make a function a command: its name, its docstring as help, and its `arguments`."""

        def register(function):
            self.table[function.__name__] = (function, arguments)
            return function

        return register

    def parse(self, words: list[str]) -> argparse.Namespace:
        """Read the command line; exits with a sentence where it makes no sense."""
        parser = argparse.ArgumentParser(prog=self.program, description=self.description)
        verbs = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
        for name, (function, arguments) in self.table.items():
            verb = verbs.add_parser(name, help=function.__doc__, description=function.__doc__)
            for names, settings in (*self.common, *arguments):
                verb.add_argument(*names, **settings)
        return parser.parse_args(words)

    def run(self, words: list[str]) -> int:
        """Run one command and return its exit code."""
        options = self.parse(words)
        return self.table[options.command][0](options)


def argument(*names: str, **settings) -> tuple:
    """Describe one command line argument, as `ArgumentParser.add_argument` takes it."""
    return names, settings
