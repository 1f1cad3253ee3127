"""Seeds that follow from a seed and from what is drawn, alike in every process."""

import hashlib


def seed_of(seed: int, *parts: str | bytes) -> int:
    """Return a seed of 63 bits that follows from a seed and what it is drawn for."""
    digest = hashlib.sha256(str(seed).encode())
    for part in parts:
        data = part.encode("utf-8", "replace") if isinstance(part, str) else part
        digest.update(hashlib.sha256(data).digest())
    return int.from_bytes(digest.digest()[:8]) >> 1
