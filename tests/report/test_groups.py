"""What is averaged over."""

from voicebench.report.groups import GROUPS, scopes


def test_the_groups_are_those_of_the_papers() -> None:
    assert GROUPS == {
        "indic": ("hi", "bn", "mr", "ta", "te", "ml"),
        "indic-without-hi": ("bn", "mr", "ta", "te", "ml"),
        "sea": ("vi", "th", "id", "fil", "zh"),
    }


def test_one_language_is_averaged_over_alone() -> None:
    assert scopes(["ta"]) == {"ta": ("ta",)}


def test_a_group_needs_two_of_its_languages_and_keeps_all_its_members() -> None:
    found = scopes(["en", "hi", "ta", "th"])
    assert list(found) == ["en", "hi", "ta", "th", "indic", "all"]
    assert found["indic"] == GROUPS["indic"]
    assert found["all"] == ("en", "hi", "ta", "th")


def test_all_groups_are_there_where_their_languages_are() -> None:
    assert list(scopes(["hi", "bn", "ta", "vi", "zh"]))[5:] == ["indic", "indic-without-hi", "sea", "all"]
