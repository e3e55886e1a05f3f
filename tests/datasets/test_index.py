"""Where packages may come from is read as pip and uv read it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from unearth import PackageFinder

from arboretum.datasets.sources import index
from arboretum.datasets.sources.index import configuration_files, default_index, index_settings


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Three configuration files, the last one the most binding."""
    paths = [tmp_path / name for name in ("site.conf", "user.conf", "environment.conf")]
    monkeypatch.setattr(index, "configuration_files", lambda _: paths)
    return paths


def test_without_any_configuration_the_resolver_s_own_default_is_used(files):
    settings = index_settings({})
    assert settings.index_urls == (PackageFinder().sources[0]["url"],) == (default_index(),)
    assert settings.find_links == settings.trusted_hosts == ()
    assert settings.certificates is None


def test_no_index_address_is_written_in_the_package():
    host = default_index().split("/")[2]
    root = Path(index.__file__).parents[1]
    assert not [file for file in root.rglob("*.py") if host in file.read_text(encoding="utf-8")]


def test_files_override_one_another_and_lists_are_split(files, tmp_path):
    links = tmp_path / "links"
    links.mkdir()
    files[0].write_text("[global]\nindex-url = http://site/simple\ntrusted-host = site\n")
    files[1].write_text(
        f"[global]\nindex_url = http://user/simple\nextra-index-url = http://one/simple\n    http://two/simple\n"
        f"find-links = {links} /nowhere/at/all\ncert = /some/bundle.pem\n"
    )
    settings = index_settings({})
    assert settings.index_urls == ("http://user/simple", "http://one/simple", "http://two/simple")
    assert settings.find_links == (str(links),)
    assert settings.trusted_hosts == ("site",)
    assert settings.certificates == "/some/bundle.pem"


def test_the_section_of_a_command_overrides_the_global_one(files):
    files[0].write_text("[global]\nindex-url = http://global/simple\n[install]\nindex-url = http://install/simple\n")
    assert index_settings({}).index_urls == ("http://install/simple",)


def test_environment_overrides_files_and_pip_overrides_uv(files):
    files[0].write_text("[global]\nindex-url = http://file/simple\nextra-index-url = http://extra/simple\n")
    uv = {"UV_DEFAULT_INDEX": "http://uv/simple", "UV_INDEX": "mine=http://more/simple http://again/simple?a=b"}
    assert index_settings(uv).index_urls == ("http://uv/simple", "http://more/simple", "http://again/simple?a=b")
    assert index_settings({"UV_INDEX_URL": "http://old/simple"}).index_urls[0] == "http://old/simple"
    both = {**uv, "PIP_INDEX_URL": "http://pip/simple"}
    assert index_settings(both).index_urls[0] == "http://pip/simple"
    assert index_settings({"PIP_TRUSTED_HOST": "a b:81"}).trusted_hosts == ("a", "b:81")


def test_no_index_leaves_the_links(files, tmp_path):
    settings = index_settings({"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)})
    assert settings.index_urls == ()
    assert settings.find_links == (str(tmp_path),)


def test_a_broken_file_names_no_index(files):
    files[0].write_text("index-url = nothing to belong to\n")
    assert index_settings({}).index_urls == (default_index(),)


def test_files_are_sought_where_pip_seeks_them(tmp_path):
    environment = {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "xdg"),
        "VIRTUAL_ENV": str(tmp_path / "env"),
    }
    found = configuration_files({**environment, "PIP_CONFIG_FILE": str(tmp_path / "only.conf")})
    name = "pip.ini" if os.name == "nt" else "pip.conf"
    expected = [tmp_path / "xdg" / "pip" / name, tmp_path / "env" / name, tmp_path / "only.conf"]
    assert [path for path in found if path in expected] == expected
    assert found[-1] == tmp_path / "only.conf"
    assert tmp_path / ".pip" / name in found
    assert configuration_files({"PIP_CONFIG_FILE": os.devnull}) == []
