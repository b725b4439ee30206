"""A setting comes from a flag, else from the environment, else from the file, else it has its default."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from trailbook.errors import BadSetting
from trailbook.settings import GIB, MIB, Settings, about_settings, explain_settings, load_settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "trailbook.toml"


def test_a_flag_beats_the_environment_which_beats_the_file_which_beats_the_default(file: Path) -> None:
    file.write_text("port = 1\nperson = 'file'\nhost = 'file'\n")
    environ = {"TRAILBOOK_CONFIG": str(file), "TRAILBOOK_PORT": "2", "TRAILBOOK_PERSON": "environment"}
    settings = load_settings({"port": "3", "data": None}, environ)
    assert (settings.port, settings.person, settings.host, settings.auth) == (3, "environment", "file", "token")
    sources = {origin.about.name: origin.source for origin in explain_settings({"port": "3"}, environ)}
    assert sources["port"] == "--port"
    assert sources["person"] == "TRAILBOOK_PERSON"
    assert sources["host"] == str(file)
    assert sources["auth"] == "default"


def test_without_anything_the_defaults_hold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    settings = load_settings({}, {})
    assert settings == Settings()
    assert settings.data == tmp_path / "share" / "trailbook"
    assert settings.host == "127.0.0.1"
    assert settings.engine_memory <= 4 * GIB


def test_the_file_in_the_users_configuration_home_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "trailbook").mkdir()
    (tmp_path / "trailbook" / "trailbook.toml").write_text("port = 7\n")
    assert load_settings({}, {}).port == 7


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("upload_limit", "10", 10),
        ("upload_limit", "2k", 2048),
        ("upload_limit", "1.5M", MIB * 3 // 2),
        ("engine_memory", "2g", 2 * GIB),
        ("engine_wait", "1.5", 1.5),
        ("browser", "no", False),
        ("browser", " ON ", True),
        ("data", "/x/../y", Path("/x/../y")),
        ("folders", "/a:/b", (Path("/a"), Path("/b"))),
        ("folders", "", ()),
        ("databases", '{"shop": "postgresql://u:p@h/x"}', {"shop": "postgresql://u:p@h/x"}),
        ("databases", "", {}),
    ],
)
def test_text_is_read_as_the_settings_type(name: str, given: str, value: Any) -> None:
    assert getattr(load_settings({}, {f"TRAILBOOK_{name.upper()}": given}), name) == value


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("port", "http"),
        ("port", "-1"),
        ("port", "65536"),
        ("port", ""),
        ("upload_limit", "10x"),
        ("upload_limit", "-1"),
        ("engine_memory", "infg"),
        ("engine_wait", "nan"),
        ("engine_wait", "inf"),
        ("browser", "perhaps"),
        ("auth", "TOKEN"),
        ("host", ""),
        ("home", "/no/such/folder"),
        ("data", ""),
        ("drivers", "/no/such.jar"),
        ("person", "two\nlines"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_name(name: str, given: str) -> None:
    with pytest.raises(BadSetting, match=f"{name} = .*TRAILBOOK_{name.upper()}"):
        load_settings({}, {f"TRAILBOOK_{name.upper()}": given})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("port = ", "not valid TOML"),
        (b"\xff\xfe", "not valid TOML"),
        ("prot = 1", "unknown settings: prot. Known: data, host, port"),
        ("port = 1.5", "port = 1.5"),
        ("port = true", "port = True"),
        ("host = ['a']", r"host = \['a'\]"),
        ("data = 1", "data = 1"),
        ("[port]\nx = 1", "port = "),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_by_its_name(file: Path, text: str | bytes, message: str) -> None:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadSetting, match=message) as refused:
        load_settings({}, {"TRAILBOOK_CONFIG": str(file)})
    assert str(file) in refused.value.message


def test_a_file_that_was_named_has_to_be_there(file: Path) -> None:
    with pytest.raises(BadSetting, match="can't be read"):
        load_settings({}, {"TRAILBOOK_CONFIG": str(file)})
    with pytest.raises(BadSetting, match="can't be read"):
        load_settings({}, {"TRAILBOOK_CONFIG": str(file.parent)})


@pytest.mark.parametrize("given", ["shop", "[]", '{"shop": 1}', '{"shop": "secret"}', '{"a:b": "sqlite:///secret"}'])
def test_databases_that_make_no_sense_are_refused_without_their_passwords(given: str) -> None:
    with pytest.raises(BadSetting, match="names and URLs") as refused:
        load_settings({}, {"TRAILBOOK_DATABASES": given})
    assert "secret" not in refused.value.message


def test_a_file_may_use_every_type(file: Path) -> None:
    file.write_text(
        "port = 80\nbrowser = false\nengine_wait = 2\nfolders = ['/a', '/b']\nupload_limit = '1g'\n"
        "[databases]\nshop = 'sqlite:///a.db'\n"
    )
    settings = load_settings({}, {"TRAILBOOK_CONFIG": str(file)})
    assert (settings.port, settings.browser, settings.engine_wait, settings.upload_limit) == (80, False, 2.0, GIB)
    assert settings.folders == (Path("/a"), Path("/b"))
    assert settings.databases == {"shop": "sqlite:///a.db"}


def test_every_setting_says_what_it_is_for() -> None:
    assert [about.name for about in about_settings()] == [field.name for field in fields(Settings)]
    assert all(about.help.endswith(".") for about in about_settings())


def test_the_folder_of_files_may_be_named_from_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for home in (".", "~"):
        assert load_settings({"home": home}, {}).home_folder == tmp_path
    assert load_settings({}, {}).home_folder is None
