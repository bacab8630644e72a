"""The files of a real model: where they are looked for, and whether they are the ones.

A model's files lie in a folder of the model's name inside one of the `places`, under their own
names. Their sha256 decides, whatever their origin.
"""

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


class MissingWeights(FileNotFoundError):
    """The files are nowhere that they were looked for, or are other files."""


class WrongWeights(MissingWeights):
    """A file is where it was looked for, and its sha256 is another."""


@dataclass(frozen=True)
class ModelFiles:
    """The files that a model is made of.

    Parameters
    ----------
    title : str
        As people call it: all-MiniLM-L6-v2.
    folder : str
        The folder of its files, and the module that reads them: minilm.
    sha256 : dict
        Of each file, by its name.
    how : str
        How to get them where `make book` does not.
    """

    title: str
    folder: str
    sha256: dict[str, str]
    how: str

    @property
    def variable(self) -> str:
        """The environment variable that names the one folder to look in."""
        return f"ATTN_{self.folder.upper()}"

    def find(self, folder: str | Path | None = None) -> tuple[Path, ...]:
        """The paths of all files, in the order of `sha256`.

        Parameters
        ----------
        folder : path, optional
            Where to look, and nowhere else. If not given: the folder that the environment variable
            names; if that is not set, this model's folder in each of the `places`.

        Raises
        ------
        MissingWeights
            With every place that was looked at, and how to get the files.
        """
        named = folder or os.environ.get(self.variable)
        folders = [Path(named)] if named else [place / self.folder for place in places()]
        return tuple(self._find(name, folders) for name in self.sha256)

    def read(self, path: str | Path) -> bytes:
        """The content of a file, if it is the one.

        Raises
        ------
        WrongWeights
            If its sha256 is another.
        """
        content = Path(path).read_bytes()
        got, expected = hashlib.sha256(content).hexdigest(), self.sha256[Path(path).name]
        if got != expected:
            raise WrongWeights(
                f"{path} is there, but it is not the file that this course was measured with: its "
                f"sha256 begins with {got[:12]}, not with {expected[:12]}.\n"
                f"Remove it and get the right one: {self.how}"
            )
        return content

    @contextmanager
    def if_available(self) -> Iterator[None]:
        """Run a block that needs the model; without it, say why and go on after the block."""
        try:
            yield
        except WrongWeights as error:
            print(f"This part was not run. {error}")
        except MissingWeights:
            print(
                f"The weights of {self.title} are not on this computer, so this part was not run.\n"
                f"`attn.{self.folder}.find()` says where they are looked for, and how to get them."
            )

    def _find(self, name: str, folders: list[Path]) -> Path:
        found = next((folder / name for folder in folders if (folder / name).is_file()), None)
        if found is None:
            looked = "\n  ".join(map(str, folders))
            raise MissingWeights(f"{self.title} is not here: no {name} in\n  {looked}\n{self.how}")
        return found


def places() -> list[Path]:
    """Where folders of models may lie, in the order in which they are looked at.

    ``.cache/models`` of this repository, of the current folder and of those above it, then
    ``share/attn`` of this Python.
    """
    tops = [Path(__file__).resolve().parents[2], Path.cwd(), *Path.cwd().parents]
    caches = [top / ".cache" / "models" for top in tops]
    return list(dict.fromkeys([*caches, Path(sys.prefix, "share", "attn")]))
