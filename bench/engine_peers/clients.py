"""The peers that `bench/engine.py` races against: each asks the same chats at the same server, its own way.

Prints `{"seconds": …, "answers": …}`: from the first thing that is done for the run (its packages are
imported by then) to the last answer, scored and kept where the peer does that. It must run in a process of
its own.

    python bench/engine_peers/clients.py openai --url http://127.0.0.1:8000/v1 --chats chats.jsonl
"""

import argparse
import asyncio
import json
import logging
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

Chat = dict[str, Any]
"""`messages` (role, content), and `target`: the beginning of a right answer."""


def openai(url: str, chats: list[Chat], at_once: int) -> tuple[float, int]:
    """Ask through OpenAI's own package for the same streams, with nothing around it."""
    return asyncio.run(_openai(url, chats, at_once, streamed=True))


def openai_unstreamed(url: str, chats: list[Chat], at_once: int) -> tuple[float, int]:
    """Ask through OpenAI's own package for whole answers, which tell no time to the first token."""
    return asyncio.run(_openai(url, chats, at_once, streamed=False))


async def _openai(url: str, chats: list[Chat], at_once: int, *, streamed: bool) -> tuple[float, int]:
    from openai import AsyncOpenAI

    started_s = time.perf_counter()
    slots = asyncio.Semaphore(at_once)
    async with AsyncOpenAI(base_url=url, api_key="none") as client:

        async def one(seed: int, chat: Chat) -> str:
            asked = {"model": "dummy", "messages": chat["messages"], "max_tokens": 512, "seed": seed}
            async with slots:
                if not streamed:
                    answer = await client.chat.completions.create(temperature=0, **asked)
                    return answer.choices[0].message.content or ""
                options = {"include_usage": True}
                stream = await client.chat.completions.create(
                    temperature=0, stream=True, stream_options=options, **asked
                )
                said = [chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices]
                return "".join(said)

        answers = await asyncio.gather(*(one(seed, chat) for seed, chat in enumerate(chats)))
    return time.perf_counter() - started_s, sum(map(bool, answers))


def inspect(url: str, chats: list[Chat], at_once: int) -> tuple[float, int]:
    """Evaluate with inspect_ai: its own log, and a scorer that looks for a word."""
    os.environ["DUMMY_API_KEY"] = "none"
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, get_model
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate

    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    model = get_model("openai-api/dummy/dummy", base_url=url)
    started_s = time.perf_counter()
    samples = [
        Sample(input=[kinds[said["role"]](content=said["content"]) for said in chat["messages"]],
               target=chat["target"])
        for chat in chats
    ]  # fmt: skip
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=includes())
    with tempfile.TemporaryDirectory() as folder:
        [log] = evaluate(
            task, model=model, log_dir=folder, display="none", max_connections=at_once, max_samples=at_once,
            max_tokens=512, temperature=0.0,
        )  # fmt: skip
        took_s = time.perf_counter() - started_s
        return took_s, sum(bool(sample.output.completion) for sample in log.samples or ())


def lm_eval(url: str, chats: list[Chat], at_once: int) -> tuple[float, int]:
    """Evaluate with lm-eval: a task of its own that takes the whole chat as one message."""
    os.environ["OPENAI_API_KEY"] = "none"
    os.environ["HF_DATASETS_OFFLINE"] = "1"
    from lm_eval import simple_evaluate

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chats.jsonl"
        docs = [
            {"text": "\n\n".join(said["content"] for said in chat["messages"]), "target": chat["target"]}
            for chat in chats
        ]
        path.write_text("".join(json.dumps(doc) + "\n" for doc in docs), encoding="utf-8")
        os.environ["HF_HOME"] = folder
        task = {
            "task": "chats", "dataset_path": "json", "dataset_kwargs": {"data_files": {"test": str(path)}},
            "test_split": "test", "output_type": "generate_until", "doc_to_text": "{{text}}",
            "doc_to_target": "{{target}}", "generation_kwargs": {"until": ["\n\n"], "max_gen_toks": 512},
            "metric_list": [{"metric": "exact_match"}],
        }  # fmt: skip
        started_s = time.perf_counter()
        found = simple_evaluate(
            model="local-chat-completions", tasks=[task], apply_chat_template=True, bootstrap_iters=0,
            model_args={
                "base_url": f"{url}/chat/completions", "model": "dummy", "num_concurrent": at_once,
                "tokenized_requests": False, "max_retries": 1,
            },
        )  # fmt: skip
        took_s = time.perf_counter() - started_s
    return took_s, sum(bool(sample["resps"][0][0]) for sample in found["samples"]["chats"])


CLIENTS: dict[str, Callable[[str, list[Chat], int], tuple[float, int]]] = {
    "inspect": inspect,
    "openai": openai,
    "openai unstreamed": openai_unstreamed,
    "lm-eval": lm_eval,
}


def main() -> None:
    """Ask, and print how long it took."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("client", choices=CLIENTS)
    parser.add_argument("--url", required=True)
    parser.add_argument("--chats", type=Path, required=True, help="JSON lines: messages and target")
    parser.add_argument("--at-once", type=int, default=64)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    chats = [json.loads(line) for line in given.chats.read_text(encoding="utf-8").splitlines()]
    seconds, answers = CLIENTS[given.client](given.url, chats, given.at_once)
    print(json.dumps({"seconds": seconds, "answers": answers}))


if __name__ == "__main__":
    main()
