"""Keys: whose they are, who gets them, and that nobody else sees them."""

import pytest

from voicebench.errors import UserError
from voicebench.wire.keys import VENDORS, Key, key_for, require_key
from voicebench.wire.place import Place

SECRET = "sk-planted-0123456789"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VENDORS.values(), "OPENAI_BASE_URL", "AZURE_OPENAI_API_KEY", "MINE"):
        monkeypatch.delenv(name, raising=False)


def variable_for(url: str, **options: str) -> str | None:
    key = key_for(Place.at(url, name="some", model="m", options=options), "some")
    return key.variable if key else None


def test_a_vendor_gets_its_own_key() -> None:
    for host, variable in VENDORS.items():
        assert variable_for(f"https://{host}/v1") == variable
    azure = key_for(Place.at("https://mine.openai.azure.com/openai/v1", name="some"), "some")
    assert azure == Key("AZURE_OPENAI_API_KEY", header="api-key")


def test_a_vendors_key_goes_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    for url in (
        "https://somebody.example/v1",
        "https://api.openai.com.evil.example/v1",
        "https://10.0.0.1/v1",
    ):
        assert variable_for(url) is None


def test_a_server_of_ones_own_gets_the_usual_key(monkeypatch: pytest.MonkeyPatch) -> None:
    assert variable_for("http://127.0.0.1:8000/v1") == "OPENAI_API_KEY"
    monkeypatch.setenv("OPENAI_BASE_URL", "https://gateway.example/v1/")
    assert variable_for("https://gateway.example/v1") == "OPENAI_API_KEY"
    assert variable_for("https://gateway.example/v2") is None


def test_a_variable_that_is_named_is_taken_before_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", SECRET)
    assert variable_for("https://api.openai.com/v1", key="MINE") == "MINE"
    assert variable_for("https://somebody.example/v1", key="MINE") == "MINE"


def test_a_variable_that_is_named_has_to_be_set() -> None:
    with pytest.raises(UserError, match="some: the variable MINE is not set"):
        variable_for("https://somebody.example/v1", key="MINE")


@pytest.mark.parametrize("written", [SECRET, "", "sk_live_0123", "two words"])
def test_a_key_where_its_variable_is_expected_is_refused_and_not_repeated(written: str) -> None:
    with pytest.raises(UserError, match="takes the name of the environment variable") as caught:
        variable_for("https://somebody.example/v1", key=written)
    assert not written or written not in str(caught.value)


def test_a_key_goes_over_no_unencrypted_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", SECRET)
    assert variable_for("http://localhost:1/v1", key="MINE") == "MINE"
    with pytest.raises(UserError, match=r"MINE would go to 10\.0\.0\.1:1 unencrypted\. Use https") as caught:
        variable_for("http://10.0.0.1:1/v1", key="MINE")
    assert SECRET not in str(caught.value)


def test_a_key_stands_in_its_header_and_in_no_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    key = Key.bearer("MINE")
    assert key.headers() == {}
    monkeypatch.setenv("MINE", f" {SECRET}\n")
    assert key.headers() == {"Authorization": f"Bearer {SECRET}"}
    assert Key("MINE", header="xi-api-key").headers() == {"xi-api-key": SECRET}
    assert SECRET not in repr(key) + str(key) + repr(vars(key))


def test_it_is_taken_out_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", SECRET)
    assert Key.bearer("MINE").redacted(f"key {SECRET}, {SECRET}") == "key ***, ***"
    monkeypatch.setenv("MINE", "EMPTY")
    assert Key.bearer("MINE").redacted("an EMPTY answer") == "an EMPTY answer"


@pytest.mark.parametrize("value", ["two words", "ключ", "a\nb"])
def test_a_key_that_no_header_can_carry_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MINE", value)
    with pytest.raises(UserError, match="MINE holds a space or a character") as caught:
        Key.bearer("MINE").value()
    assert value not in str(caught.value)


def test_a_vendor_is_not_asked_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place.at("https://openrouter.ai/api/v1", name="some")
    key = key_for(place, "some")
    with pytest.raises(UserError, match=r"openrouter\.ai wants a key\. Set it in OPENROUTER_API_KEY"):
        require_key(place, key, "some")
    monkeypatch.setenv("OPENROUTER_API_KEY", SECRET)
    require_key(place, key, "some")
    require_key(Place.at("http://localhost:1", name="some"), None, "some")
