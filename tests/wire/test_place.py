"""Where a server is, as users write it."""

import pytest

from voicebench.errors import UserError
from voicebench.wire.place import Place

DEFAULT = "https://api.example/v1"
SECRET = "sk-planted-0123456789"


def parse(argument: str, **options: object) -> Place:
    return Place.parse(argument, name="some", default_url=DEFAULT, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("argument", "url", "model", "options"),
    [
        ("gpt-5", DEFAULT, "gpt-5", {}),
        ("#gpt-5", DEFAULT, "gpt-5", {}),
        ("vendor/model:free", DEFAULT, "vendor/model:free", {}),
        ("gpt-5&key=MINE", DEFAULT, "gpt-5", {"key": "MINE"}),
        ("http://[::1]:8000/v1/#a/b", "http://[::1]:8000/v1", "a/b", {}),
        ("https://host/v1#m&key=A_B", "https://host/v1", "m", {"key": "A_B"}),
        ("http://127.0.0.1:8080/v1#हिंदी", "http://127.0.0.1:8080/v1", "हिंदी", {}),
    ],
)
def test_a_url_a_model_and_options_are_read(
    argument: str, url: str, model: str, options: dict[str, str]
) -> None:
    assert parse(argument) == Place(url, model, options)


def test_without_a_model_the_default_is_taken() -> None:
    assert parse("", default_model="small").model == "small"
    assert parse("http://h/v1", default_model="small").url == "http://h/v1"
    assert parse("#&voices=a", default_model="small", options=("voices",)).options == {"voices": "a"}


@pytest.mark.parametrize("argument", ["", "http://h/v1", "http://h/v1#", "#&key=A"])
def test_a_model_has_to_be_named(argument: str) -> None:
    with pytest.raises(
        UserError, match=r"no model is named\. The form is some:URL#MODEL&key=… or some:MODEL"
    ):
        parse(argument)


def test_a_server_has_to_be_named_where_there_is_no_default() -> None:
    with pytest.raises(UserError, match=r"no server is named\. The form is some:URL#MODEL&key=…$"):
        Place.parse("model", name="some")


@pytest.mark.parametrize("rest", [f"api_key={SECRET}", "key", f"{SECRET}", "key=A&b=1"])
def test_another_form_is_refused_and_not_repeated(rest: str) -> None:
    with pytest.raises(UserError, match="some: not of the form some:URL#MODEL&key=…") as caught:
        parse(f"m&{rest}")
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("url", ["ftp://x/y#m", "http://#m", "http://x:y/z#m", "http://h:0/#m", "://#m"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(UserError, match=r"is no URL\. Example: http://127\.0\.0\.1:8000/v1"):
        parse(url)


@pytest.mark.parametrize(
    "url", [f"https://me:{SECRET}@h/v1", f"ftp://{SECRET}@h/v1", f"https://h/v1?key={SECRET}"]
)
def test_a_secret_in_the_url_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UserError, match="must hold no password") as caught:
        parse(f"{url}#m")
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "host", "is_local", "is_encrypted"),
    [
        ("http://localhost:8000/v1", "localhost:8000", True, False),
        ("http://127.0.0.2/v1", "127.0.0.2", True, False),
        ("http://[::1]:9/v1", "::1:9", True, False),
        ("https://api.openai.com/v1", "api.openai.com", False, True),
        ("http://127.example.org", "127.example.org", False, False),
        ("http://10.0.0.1:8000", "10.0.0.1:8000", False, False),
    ],
)
def test_a_place_knows_its_host(url: str, host: str, is_local: bool, is_encrypted: bool) -> None:
    place = Place.at(url, name="some")
    assert (place.host, place.is_local, place.is_encrypted) == (host, is_local, is_encrypted)
