"""Reference voices: recordings of real or synthetic speakers, checked, embedded, and chosen from.

`sources` (folder, rttm, hub_dataset, own_voices) → `prepare` → `store` → `embeddings` → `selection`.
"""
