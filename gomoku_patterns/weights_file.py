"""Files of learned weights: a zip of numpy arrays, and ``about.json``, which says where they come from.

The same weights give the same bytes, and ``numpy.load`` reads them without this project.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gomoku_patterns.errors import GomokuError, TableError
from gomoku_patterns.files import read_file

if TYPE_CHECKING:
    import numpy.typing as npt

Read = TypeVar("Read")

MAX_BYTES = 10 * 2**20
"""The largest file of weights that is read."""
MAX_UNPACKED = 2**25


def packed(about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """A file of weights."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(zipfile.ZipInfo("about.json"), json.dumps(about, indent=1, sort_keys=True),
                         zipfile.ZIP_DEFLATED)  # fmt: skip
        for name, array in arrays.items():
            content = io.BytesIO()
            np.save(content, np.ascontiguousarray(array))
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getvalue(), zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def unpacked(content: bytes, names: Iterable[str], kind: str) -> tuple[Any, dict[str, Any]]:
    """What ``about.json`` says, and the arrays of these names; ``kind`` is what errors call their owner."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(one.file_size for one in archive.infolist()) > MAX_UNPACKED:
                raise TableError(f"the weights are larger than {MAX_UNPACKED:,} bytes when unpacked")
            about = json.loads(archive.read("about.json"))
            arrays = {name: np.load(io.BytesIO(archive.read(f"{name}.npy")), allow_pickle=False) for name in names}
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, NotImplementedError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"these are not the weights of {kind}: {error}") from None
    return about, arrays


def check_array(name: str, array: object, shape: tuple[int, ...], kind: type) -> None:
    """Refuse an array of another shape or type."""
    if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != kind:
        found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise TableError(f"expected {name} of {np.dtype(kind)} {shape}, found {found}")


def read_from(path: str | Path, source: str | None, load: Callable[[bytes], Read]) -> Read:
    """What ``load`` makes of a file; errors name ``source``."""
    try:
        return load(read_file(path, MAX_BYTES))
    except TableError as error:
        raise TableError(f"{source or path}: {error}") from None
    except GomokuError:
        raise TableError(f"{source or path}: larger than {MAX_BYTES:,} bytes, which no weights are") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TableError(f"{source or path}: cannot be read: {reason.lower()}") from None
