"""Files of learned weights: a zip of numpy arrays, and ``about.json``, which says where they come from.

The same weights give the same bytes, and ``numpy.load`` reads them without this project.
"""

from __future__ import annotations

import io
import json
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gomoku_patterns.errors import GomokuError, TableError, shown
from gomoku_patterns.files import read_file
from gomoku_patterns.notation.json_position import parse_json

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
    """Return what ``about.json`` says, and the arrays of these names; ``kind`` is what errors call their owner."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_members(archive)
            about = parse_json(archive.read("about.json").decode())
            arrays = {name: _array(archive.read(f"{name}.npy"), name) for name in names}
    except TableError:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        KeyError,
        ValueError,
        EOFError,
        NotImplementedError,
        OverflowError,
    ) as error:
        # A message of zipfile repeats what stands in the file, so it is shown and not printed.
        raise TableError(f"these are not the weights of {kind}: {shown(str(error) or type(error).__name__)}") from None
    except (RuntimeError, struct.error) as error:  # what zipfile says of encrypted files and of damaged extra fields
        raise TableError(f"these are not the weights of {kind}: {shown(str(error))}") from None
    return about, arrays


def _check_members(archive: zipfile.ZipFile) -> None:
    """Refuse files that take more memory than weights do: too large when unpacked, or packed with a dictionary."""
    members = archive.infolist()
    if sum(one.file_size for one in members) > MAX_UNPACKED:
        raise TableError(f"the weights are larger than {MAX_UNPACKED:,} bytes when unpacked")
    if any(one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for one in members):
        raise TableError("expected weights that are stored or deflated, found another compression")


_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<|][if][1248])', 'fortran_order': (True|False), "
    rb"'shape': \((|[0-9]{1,9},|[0-9]{1,9}(?:, [0-9]{1,9})+)\), \} *\n"
)


def _array(content: bytes, name: str) -> npt.NDArray[Any]:
    """Return the array in an ``.npy`` file as :func:`numpy.save` writes it.

    :func:`numpy.load` evaluates the header as Python and allocates what it says before it looks at the data.
    """
    end = 10 + int.from_bytes(content[8:10], "little")
    header = _HEADER.fullmatch(content[10:end]) if content.startswith(_MAGIC) else None
    if header is None:
        raise TableError(f"{name}.npy is not an array as numpy.save writes it")
    kind, shape = (
        np.dtype(header[1].decode()),
        tuple(int(side) for side in header[3].decode().split(",") if side.strip()),
    )
    if math.prod(shape) * kind.itemsize != len(content) - end:
        raise TableError(f"{name}.npy is not as long as its header says")
    flat = np.frombuffer(content, dtype=kind, offset=end)
    return flat.reshape(shape, order="F" if header[2] == b"True" else "C").copy(order="C")


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
