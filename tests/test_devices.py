"""Which device: only one that is there."""

import pytest

from voicebench import devices
from voicebench.devices import choose_device, choose_devices, gpu_name
from voicebench.errors import UserError


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "cuda_devices", lambda: ())


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "cuda_devices", lambda: ("A100", "A100"))


@pytest.mark.usefixtures("no_gpu")
def test_without_a_gpu_the_cpu_is_the_default() -> None:
    assert choose_device(None, None) == "cpu"


@pytest.mark.usefixtures("no_gpu")
def test_a_gpu_that_is_not_there_ends_with_how_to_run_on_the_cpu() -> None:
    with pytest.raises(UserError) as caught:
        choose_device("0", None)
    assert str(caught.value) == (
        "--gpu 0: this machine has no CUDA device 0 (it has none). On the CPU: --device cpu"
    )


@pytest.mark.usefixtures("two_gpus")
@pytest.mark.parametrize(
    ("gpu", "device", "chosen"),
    [
        (None, None, "cuda:0"),
        ("1", None, "cuda:1"),
        (None, "cpu", "cpu"),
        (None, "cuda", "cuda"),
        (None, "cuda:1", "cuda:1"),
        ("1", "cuda", "cuda:1"),
    ],
)
def test_with_gpus_the_named_one_is_taken(gpu: str | None, device: str | None, chosen: str) -> None:
    assert choose_device(gpu, device) == chosen


@pytest.mark.usefixtures("two_gpus")
@pytest.mark.parametrize(
    ("gpu", "device", "said"),
    [
        ("2", None, "no CUDA device 2 (it has 2)"),
        ("0", "cpu", "contradict each other"),
        ("zero", None, "is no device number"),
        ("0,1", None, "this command runs on one GPU"),
        (None, "tpu", "Known: cpu, cuda, cuda:N"),
        (None, "cuda:x", "Known: cpu, cuda, cuda:N"),
    ],
)
def test_what_cannot_be_is_said(gpu: str | None, device: str | None, said: str) -> None:
    with pytest.raises(UserError) as caught:
        choose_device(gpu, device)
    assert said in str(caught.value)


@pytest.mark.usefixtures("two_gpus")
@pytest.mark.parametrize(
    ("gpu", "device", "chosen"),
    [
        ("0,1", None, ("cuda:0", "cuda:1")),
        ("1, 0", "cuda", ("cuda:1", "cuda:0")),
        ("1", None, ("cuda:1",)),
        (None, "cpu", ("cpu",)),
        (None, None, ("cuda:0",)),
    ],
)
def test_several_gpus_may_be_named(gpu: str | None, device: str | None, chosen: tuple[str, ...]) -> None:
    assert choose_devices(gpu, device) == chosen


@pytest.mark.usefixtures("two_gpus")
@pytest.mark.parametrize(
    ("gpu", "device", "said"),
    [
        ("0,2", None, "no CUDA device 2 (it has 2)"),
        ("0,0", None, "names a device twice"),
        ("0,", None, "is no device number"),
        ("0,1", "cpu", "contradict each other"),
    ],
)
def test_one_wrong_gpu_of_several_is_named(gpu: str, device: str | None, said: str) -> None:
    with pytest.raises(UserError) as caught:
        choose_devices(gpu, device)
    assert said in str(caught.value)


def test_cuda_without_a_number_is_the_only_gpu_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "cuda_devices", lambda: ("H200",))
    assert choose_device(None, "cuda") == "cuda:0"


@pytest.mark.usefixtures("two_gpus")
def test_a_device_is_named_for_the_record() -> None:
    assert [gpu_name(device) for device in ("cpu", "cuda:1", "cuda")] == [None, "A100", "A100 + A100"]
