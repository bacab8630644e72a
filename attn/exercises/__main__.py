"""`python -m attn.exercises list` and `python -m attn.exercises report *.json`."""

import argparse
import sys
from collections.abc import Sequence

from attn.exercises.progress import ProgressError, listing, read_progress, report


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the catalogue or a class table; 1 if a file could not be read."""
    parser = argparse.ArgumentParser(prog="python -m attn.exercises", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="print the catalogue of exercises")
    report_command = commands.add_parser("report", help="print a class table from progress files")
    report_command.add_argument("files", nargs="+", metavar="progress.json")
    options = parser.parse_args(arguments)
    if options.command == "list":
        print(listing())
        return 0
    return _report(options.files)


def _report(files: Sequence[str]) -> int:
    students, failed = [], False
    for file in files:
        try:
            students.append(read_progress(file))
        except ProgressError as error:
            failed = True
            print(error, file=sys.stderr)
    if students:
        print(report(students))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
