"""Units done by a Dask cluster."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import pickle
import re
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from typing import Any

from gomoku_patterns.errors import ArenaError

CONTACT_SECONDS = 10.0
"""How long a cluster's scheduler may take to answer."""

_log = logging.getLogger(__name__)
_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?[^\s/]+:[0-9]{1,5}", re.ASCII)
_COUNTED_FOR = 2.0


class DaskWorkers:
    """A Dask cluster: ``dask scheduler`` on one machine, ``dask worker tcp://...`` on the others."""

    least_worth = 0.2
    messages_per_second = 250
    """That a scheduler passes, however many workers there are."""

    def __init__(self, address: str) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            message = "a cluster needs the package 'distributed': pip install 'gomoku-patterns[cluster]'"
            raise ArenaError(message) from None
        if not _ADDRESS.fullmatch(address):
            raise ArenaError(f"{address!r} is no address of a Dask scheduler; write it as tcp://host:8786")
        try:
            self._client = distributed.Client(address, timeout=CONTACT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ArenaError(f"no Dask scheduler answers at {address!r}: {error}") from None
        self._address = address
        self._counted = (float("-inf"), 0)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Packed here, since Dask would look into every list and dictionary of what it is given, and of the result.

        As with Dask itself, functions of the program that is run, and those without a name, travel too.
        """
        cloudpickle: Any = importlib.import_module("cloudpickle")
        return _OnCluster(self._client, cloudpickle.dumps((function, args)))

    @property
    def worth(self) -> float:
        return max(self.least_worth, self.capacity() / self.messages_per_second)

    def capacity(self) -> int:
        """The threads of all workers, asked for every few seconds: workers come and go."""
        asked, threads = self._counted
        if time.monotonic() - asked > _COUNTED_FOR:
            before, threads = threads, sum(self._client.nthreads().values())
            self._counted = (time.monotonic(), threads)
            if not threads and (before or asked < 0):
                _log.warning("gomoku: the Dask scheduler at %s has no workers: waiting for one", self._address)
        return max(1, threads)

    def renew(self) -> None:
        """The scheduler replaces workers by itself; without a scheduler nothing goes on."""
        if self._client.status != "running":
            raise ArenaError(
                f"the Dask scheduler at {self._address} is gone ({self._client.status}); --log goes on with another"
            )

    def close(self) -> None:
        self._client.close()


def _call_packed(call: bytes) -> bytes:
    function, args = pickle.loads(call)
    return pickle.dumps(function(*args))


class _OnCluster(Future[Any]):
    """A packed call and its result.

    Dask's own executor leaves a future waiting for ever when a result was lost with its worker before it was fetched,
    and could not be made again.
    """

    def __init__(self, client: Any, call: bytes) -> None:
        super().__init__()
        self._client = client
        self._remote = client.submit(_call_packed, call, pure=False)
        client.loop.add_callback(self._follow)

    async def _follow(self) -> None:
        result: Any = None
        failure: BaseException | None = None
        try:
            result = pickle.loads(await self._client.gather(self._remote, asynchronous=True))
        except (CancelledError, asyncio.CancelledError):
            failure = CancelledError()
        except BaseException as error:  # handed on, as any executor does
            failure = error
        with contextlib.suppress(InvalidStateError):  # when it was cancelled here
            self.set_exception(failure) if failure is not None else self.set_result(result)

    def cancel(self) -> bool:
        """Dropped here, whatever becomes of it there."""
        dropped = super().cancel()
        if dropped and self._client.status == "running":
            self._remote.cancel()
        return dropped
