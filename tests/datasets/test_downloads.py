"""Downloads: verified or not there; nothing good is ever lost."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from arboretum.datasets.sources.downloads import Downloads
from arboretum.datasets.sources.errors import HashMismatch, SourceError

from .web import Web, sha256

GOOD = b"good content " * 5000
BAD = b"bad content " * 5000


def get(store: Downloads, web: Web, content: bytes = GOOD):
    return store.get("data.bin", sha256(content), lambda: (f"{web.address}/data.bin", {}), size=len(content))


def files(store: Downloads) -> list[str]:
    return sorted(str(path.relative_to(store.folder)) for path in store.folder.rglob("*") if path.is_file())


def test_a_good_download_is_kept_under_its_hash_and_asked_for_once(web, tmp_path):
    web.pages["/data.bin"] = GOOD
    store = Downloads(tmp_path / "store")
    path = get(store, web)
    assert path.read_bytes() == GOOD
    assert files(store) == [f"{sha256(GOOD)[:16]}/data.bin"]
    assert get(Downloads(tmp_path / "store"), web) == path
    assert web.asked["GET /data.bin"] == 1


def test_a_download_may_be_read_by_whom_the_mask_allows(web, tmp_path):
    web.pages["/data.bin"] = GOOD
    before = os.umask(0o022)
    try:
        path = get(Downloads(tmp_path / "store"), web)
    finally:
        os.umask(before)
    assert oct(path.stat().st_mode & 0o777) == "0o644"


def test_a_size_that_is_not_that_of_the_file_is_refused_downloaded_or_kept(web, tmp_path):
    web.pages["/data.bin"] = GOOD
    for _ in range(2):
        with pytest.raises(SourceError, match=r"data.bin has 65000 bytes, and its dataset configuration says 65001"):
            Downloads(tmp_path).get("data.bin", sha256(GOOD), lambda: (f"{web.address}/data.bin", {}), size=65001)
    assert web.asked["GET /data.bin"] == 1


def test_offline_after_the_first_fetch(web, tmp_path):
    web.pages["/data.bin"] = GOOD
    path = get(Downloads(tmp_path / "store"), web)
    web.close()
    assert get(Downloads(tmp_path / "store", offline=True), web) == path
    assert get(Downloads(tmp_path / "store"), web) == path
    with pytest.raises(SourceError, match=r"no verified data.bin in the store .*, and offline is set"):
        get(Downloads(tmp_path / "empty", offline=True), web)


def test_wrong_bytes_are_refused_with_both_hashes_and_leave_nothing(web, tmp_path):
    web.pages["/data.bin"] = BAD
    store = Downloads(tmp_path / "store")
    with pytest.raises(HashMismatch, match=f"data.bin: SHA-256 differs, expected {sha256(GOOD)}, got {sha256(BAD)}"):
        get(store, web)
    assert files(store) == []


def test_a_download_cut_short_leaves_nothing_and_can_be_started_again(web, tmp_path):
    web.pages["/data.bin"] = GOOD
    web.cut_short.add("/data.bin")
    with pytest.raises(SourceError):
        get(Downloads(tmp_path / "store"), web)
    assert files(Downloads(tmp_path / "store")) == []
    web.cut_short.clear()
    assert get(Downloads(tmp_path / "store"), web).read_bytes() == GOOD


def test_what_a_killed_download_leaves_behind_is_not_taken_for_the_file(web, tmp_path):
    web.pages["/data.bin"] = GOOD
    folder = tmp_path / "store" / sha256(GOOD)[:16]
    folder.mkdir(parents=True)
    (folder / "tmp1234").write_bytes(GOOD[:100])
    assert get(Downloads(tmp_path / "store"), web).read_bytes() == GOOD


def test_a_download_killed_in_the_middle_starts_again_cleanly(web, tmp_path):
    web.pages["/data.bin"] = GOOD
    web.stuck.add("/data.bin")
    program = (
        "import sys; from pathlib import Path; from arboretum.datasets.sources.downloads import Downloads\n"
        "store, sha256, address = sys.argv[1:]\n"
        "Downloads(Path(store)).get('data.bin', sha256, lambda: (address, {}))"
    )
    arguments = [str(tmp_path / "store"), sha256(GOOD), f"{web.address}/data.bin"]
    process = subprocess.Popen([sys.executable, "-c", program, *arguments])
    try:
        assert web.half_sent.wait(60)
    finally:
        process.kill()
        process.wait()
    store = Downloads(tmp_path / "store")
    assert not (store.folder / sha256(GOOD)[:16] / "data.bin").exists()
    web.stuck.clear()
    assert get(store, web).read_bytes() == GOOD


def test_a_damaged_file_of_the_store_is_replaced_only_by_a_verified_one(web, tmp_path):
    web.pages["/data.bin"] = GOOD
    path = get(Downloads(tmp_path / "store"), web)
    path.write_bytes(BAD)
    web.pages["/data.bin"] = BAD + b"worse"
    with pytest.raises(SourceError):
        get(Downloads(tmp_path / "store"), web)
    web.pages["/data.bin"] = GOOD
    assert get(Downloads(tmp_path / "store"), web).read_bytes() == GOOD


def test_a_failing_download_does_not_touch_other_verified_files(web, tmp_path):
    web.pages["/data.bin"] = GOOD
    store = Downloads(tmp_path / "store")
    path = get(store, web)
    with pytest.raises(SourceError):
        get(store, web, content=BAD)
    assert path.read_bytes() == GOOD


def test_many_sets_that_want_one_file_download_it_once(web, tmp_path):
    web.pages["/data.bin"] = GOOD
    store = Downloads(tmp_path / "store")
    with ThreadPoolExecutor(8) as pool:
        paths = list(pool.map(lambda _: get(store, web), range(16)))
    assert len(set(paths)) == 1
    assert web.asked["GET /data.bin"] == 1


def test_many_sets_that_want_one_absent_file_ask_for_it_no_more_often_than_one(web, tmp_path):
    store = Downloads(tmp_path / "store")
    for _ in range(5):
        with pytest.raises(SourceError, match=r"download of data.bin failed: HTTPError: 404"):
            get(store, web)
    assert web.asked["GET /data.bin"] == 3  # the attempts of the first


def test_files_of_a_local_index_are_copied_and_checked(tmp_path):
    origin = tmp_path / "a file.bin"
    origin.write_bytes(GOOD)
    store = Downloads(tmp_path / "store")
    path = store.get("data.bin", sha256(GOOD), lambda: (origin.as_uri(), {}))
    assert path.read_bytes() == GOOD
    with pytest.raises(HashMismatch):
        store.get("data.bin", sha256(BAD), lambda: (origin.as_uri(), {}))
    with pytest.raises(SourceError, match=r"copy of data.bin failed"):
        store.get("data.bin", sha256(b"x"), lambda: ((tmp_path / "absent").as_uri(), {}))
    assert files(store) == [f"{sha256(GOOD)[:16]}/data.bin"]
