"""Carry out tasks on a Dask cluster: one that is there already, or one of this machine's own cores.

A bounded number of tasks is under way, however many there are. A data set goes to the scheduler once, as the bytes of
its prepared file, so a worker that comes late or takes over from a dead one gets it too, and checks its fingerprint.
Short tasks travel in batches. A worker whose code is not the client's is refused.
"""

from __future__ import annotations

import logging
import pickle
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from arboretum.datasets import Dataset, load
from arboretum.errors import ArboretumError
from arboretum.failures import KEPT, ClusterLost, WorkersLost
from arboretum.pipeline.calls import Call, Finished, Pairs, TaskResult, carry_out
from arboretum.pipeline.code import code_fingerprint

log = logging.getLogger(__name__)

if TYPE_CHECKING:  # slow to import, and only runs on a cluster need it
    from distributed import Client, Future

AHEAD = 3  # batches per thread of the cluster that are handed out
BATCH_SECONDS = 0.5  # short tasks are sent together until a batch takes about this long
BATCH_TASKS = 100  # at most
ANSWER, FIRST_WORKER = 8, 20  # seconds to wait for a scheduler to answer, and for a first worker


class OtherCode(ArboretumError):
    """A worker has other code than the client."""


# ------------------------------------------------------------------ on a worker


def received(name: str, content: bytes, fingerprint: str) -> Dataset:
    """A data set from the bytes of its prepared file, its fingerprint checked."""
    with tempfile.TemporaryDirectory(prefix="arboretum-") as folder:
        path = Path(folder) / f"{name}.parquet"
        path.write_bytes(content)
        return load(path, fingerprint)


def carry_out_batch(packed: bytes, data: dict[str, Dataset], code: str) -> list[tuple[str, TaskResult]]:
    """Run tasks of one experiment one after the other, if the code of this worker is the client's."""
    batch: list[tuple[str, Call]] = pickle.loads(packed)
    call = batch[0][1]
    found = code_fingerprint(call.paper, call.experiment)
    if found != code:
        raise OtherCode(
            f"a worker has other code of {call.paper}/{call.experiment} than this checkout (fingerprint {found[:12]}, "
            f"not {code[:12]}). Install the same version on all workers and start them again."
        )
    return [(identity, carry_out(call._replace(data=data.get(call.fingerprint)))) for identity, call in batch]


# ------------------------------------------------------------------ on the client


def dask(calls: Pairs, workers: int, address: str | None) -> Finished:
    """Carry out calls on the cluster at ``address``; without one, on a cluster of ``workers`` local processes."""
    from distributed import CancelledError, KilledWorker

    where = f"the Dask scheduler at {address}" if address else "the local Dask cluster"
    try:
        with _client(workers, address) as client:
            yield from _Run(client, calls).finished()
    except KilledWorker:
        raise WorkersLost(
            f"workers of {where} died again and again on the same tasks: killed, or out of memory. {KEPT}"
        ) from None
    except (CancelledError, TimeoutError) as problem:
        raise ClusterLost(f"{where} no longer answers ({type(problem).__name__}). {KEPT}") from None
    except OSError as problem:
        if problem.errno is not None:
            raise
        why = str(problem).rpartition(">: ")[2]  # without the addresses of the connection that broke
        raise ClusterLost(f"{where} no longer answers ({why}). {KEPT}") from None


@contextmanager
def _client(workers: int, address: str | None) -> Iterator[Client]:
    """A client of the cluster, with at least one worker."""
    from distributed import Client, LocalCluster

    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # the errors of this module say what matters
    if address is None:
        options = {"host": "127.0.0.1", "dashboard_address": None, "threads_per_worker": 1, "memory_limit": 0}
        with (
            LocalCluster(n_workers=workers, silence_logs=logging.CRITICAL, **options) as local,
            Client(local) as client,
        ):
            yield client
        return
    if warning := unprotected(address):
        log.warning(warning)
    try:
        client = Client(address, timeout=ANSWER)
    except (OSError, ValueError, TypeError, TimeoutError) as problem:  # the second to last: tls:// without keys
        raise ClusterLost(f"no Dask scheduler answers at run.address={address} ({problem}). {KEPT}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=FIRST_WORKER)
        except TimeoutError:
            raise ClusterLost(
                f"the Dask scheduler at {address} has no workers. Start some: dask worker {address}"
            ) from None
        yield client


def unprotected(address: str) -> str | None:
    """What to warn of where a scheduler's address is neither encrypted nor of this machine."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    with suppress(ValueError):
        if ip_address(host).is_loopback:
            return None
    if parts.scheme == "tls" or host == "localhost" or parts.scheme == "inproc":
        return None
    return (
        f"run.address={address} is not encrypted: whoever reaches a scheduler or worker runs code there, and whoever "
        "listens reads the data. Use tls:// (docs/scaling.md), or a network that is yours alone."
    )


class _Run:
    """One run on a cluster: what waits, what is under way, and which data sets are with the scheduler."""

    def __init__(self, client: Client, calls: Pairs) -> None:
        self.client = client
        self.waiting = list(calls)[::-1]
        self.needed = Counter(call.fingerprint for _, call in self.waiting)  # calls that still need a data set
        self.data: dict[str, Future] = {}
        self.batch = 1
        self.threads, self.asked = 0, 0.0

    def finished(self) -> Finished:
        """Pairs as they finish, while new batches take the place of finished ones."""
        from distributed import as_completed

        flying = as_completed(self._handed_out(self._room()), with_results=True)
        for future, results in flying:
            if isinstance(results, BaseException):  # cancelled: the scheduler has gone
                raise results
            future.release()
            yield from results
            self._learn(results)
            for new in self._handed_out(self._room() - flying.count()):
                flying.add(new)

    def _room(self) -> int:
        """How many batches may be under way: more as soon as workers have joined."""
        now = time.monotonic()
        if now - self.asked > 1:
            self.threads, self.asked = sum(self.client.nthreads().values()), now
        return AHEAD * max(1, self.threads)

    def _handed_out(self, count: int) -> list[Future]:
        """The next ``count`` batches, sent."""
        batches = []
        while self.waiting and len(batches) < count:
            batch = [self.waiting.pop() for _ in range(min(self.batch, len(self.waiting)))]
            batches.append(self._sent(batch))
            self.needed.subtract(call.fingerprint for _, call in batch)
            for fingerprint in [name for name in self.data if self.needed[name] == 0]:
                del self.data[fingerprint]  # the batches under way keep it until they are done
        return batches

    def _sent(self, batch: list[tuple[str, Call]]) -> Future:
        call = batch[0][1]
        data = {call.fingerprint: self._data(call) for _, call in batch if isinstance(call.data, Path)}
        packed = pickle.dumps([(identity, call._replace(data=None)) for identity, call in batch])
        code = code_fingerprint(call.paper, call.experiment)
        return self.client.submit(carry_out_batch, packed, data, code, pure=False)

    def _data(self, call: Call) -> Future:
        """The data set of a call: a task of its own, so that the scheduler can have it made again elsewhere."""
        if call.fingerprint not in self.data:
            load(call.data, call.fingerprint)  # refused here, where its file has a name that the user knows
            self.data[call.fingerprint] = self.client.submit(
                received, call.data.stem, call.data.read_bytes(), call.fingerprint, key=f"data-{call.fingerprint}"
            )
        return self.data[call.fingerprint]

    def _learn(self, results: list[tuple[str, TaskResult]]) -> None:
        """Size the next batches by the seconds of this one."""
        seconds = sum(result.seconds for _, result in results) / len(results)
        self.batch = int(min(max(BATCH_SECONDS / max(seconds, 1e-6), 1), BATCH_TASKS, 2 * self.batch))
