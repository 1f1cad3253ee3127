import pytest

from voicebench.audio.effects.conditions import alternatives, conditions, rungs
from voicebench.errors import UserError


def test_options_given_again_are_the_links_of_one_chain() -> None:
    assert conditions(["noise:snr=10", "phone", "room"]) == ["noise-10dB+telephony+room"]


def test_commas_separate_conditions() -> None:
    assert conditions(["noise-10dB,telephony"]) == ["noise-10dB", "telephony"]
    assert conditions(["noise-10dB, telephony,"]) == ["noise-10dB", "telephony"]


def test_a_comma_goes_on_with_parameters_where_a_key_follows() -> None:
    assert alternatives("noise:snr=5,colour=pink,phone,room:rt60=0.3,distance=2,noise-0dB") == [
        "noise:snr=5,colour=pink", "phone", "room:rt60=0.3,distance=2", "noise-0dB",
    ]  # fmt: skip


def test_every_choice_of_one_option_meets_every_choice_of_the_next() -> None:
    assert conditions(["noise-10dB,noise-0dB", "phone,room"]) == [
        "noise-10dB+telephony", "noise-10dB+room", "noise-0dB+telephony", "noise-0dB+room",
    ]  # fmt: skip


def test_a_chain_may_be_written_as_a_condition_is() -> None:
    assert conditions(["noise-10dB+phone,room"]) == ["noise-10dB+telephony", "room"]


@pytest.mark.parametrize(
    ("ladder", "names"),
    [
        ("noise=20,10,5,0", ["noise-20dB", "noise-10dB", "noise-5dB", "noise-0dB"]),
        ("noise=0,-5", ["noise-0dB", "noise--5dB"]),
        ("pink-noise=3", ["pink-noise-3dB"]),
        ("noise:colour=brown=1,2", ["brown-noise-1dB", "brown-noise-2dB"]),
        ("packet-loss=1,3,10", ["packet-loss-1%", "packet-loss-3%", "packet-loss-10%"]),
        ("packet-loss@burst=3=1,10", ["packet-loss-1%@burst=3", "packet-loss-10%@burst=3"]),
        ("speed=0.9,1.1", ["speed-0.9x", "speed-1.1x"]),
        ("room=0.2,0.4,0.8", ["room-0.2s", "room-0.4s", "room-0.8s"]),
        ("codec=opus,gsm", ["codec-opus", "codec-gsm"]),
        ("babble:path=crowd=10,0", ["babble-10dB@path=crowd", "babble-0dB@path=crowd"]),
    ],
)
def test_a_ladder_has_a_condition_for_each_value(ladder: str, names: list[str]) -> None:
    assert rungs(ladder) == names


def test_ladders_come_beside_the_chain() -> None:
    assert conditions(["phone"], ["noise=20,10", "speed=0.9"]) == [
        "telephony", "noise-20dB", "noise-10dB", "speed-0.9x",
    ]  # fmt: skip
    assert conditions([], ["noise=20"]) == ["noise-20dB"]
    assert conditions([], []) == []


def test_a_condition_that_is_asked_for_twice_is_one() -> None:
    assert conditions(["noise-10dB,noise:snr=10"], ["noise=10,0"]) == ["noise-10dB", "noise-0dB"]


@pytest.mark.parametrize(
    ("effects", "ladders", "says"),
    [
        ([""], [], "names no effect"),
        ([","], [], "names no effect"),
        (["phnoe"], [], "Did you mean 'phone'"),
        ([], ["noise"], "is no ladder. Write EFFECT=VALUE,VALUE"),
        ([], ["noise="], "is no ladder"),
        ([], ["=3"], "is no ladder"),
        ([], ["nois=3"], "Did you mean 'noise'"),
        ([], ["noise=3,x"], "snr cannot be 'x'"),
        ([], ["noise+phone=3"], "a ladder has one effect"),
        ([], ["packet-loss=5,90"], "bursts of 2 frames lose 66.7 % at most"),
    ],
)
def test_what_is_wrong_is_said(effects: list[str], ladders: list[str], says: str) -> None:
    with pytest.raises(UserError) as error:
        conditions(effects, ladders)
    assert says in str(error.value)
