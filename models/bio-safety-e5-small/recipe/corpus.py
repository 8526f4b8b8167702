"""The texts that the classifier learns from, and the parts of a bio as the service judges them."""

import hashlib
import json
import random
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CLASSES = [
    "harmless",
    "minor_safety",
    "self_harm",
    "threat",
    "hate",
    "sexual_services",
    "drug_sale",
    "sexual_content",
    "money_request",
    "contact_details",
]
CORPUS = ["test/safety/corpus/training.jsonl", "test/safety/corpus/validation.jsonl", "test/safety/bios.jsonl"]
PROFILES = "examples/evaluation/training.jsonl"
# Ordinary bios are easy: more of them only take time.
PROFILES_KEPT = 900


def read_lines(file):
    return [json.loads(line) for line in (ROOT / file).read_text().splitlines() if line.strip()]


def read_texts():
    """[(text, index of its class, writer)], the writer None where it is not known."""
    rows = [
        (row["text"], CLASSES.index(row["category"] or "harmless"), row.get("writer"))
        for file in CORPUS
        for row in read_lines(file)
    ]
    bios = [pair[side]["bio"] for pair in read_lines(PROFILES) for side in ("sender", "recipient")]
    ordinary = random.Random(5).sample([bio for bio in bios if bio.strip()], PROFILES_KEPT)
    return rows + [(bio, 0, None) for bio in ordinary]


def data_hash():
    digest = hashlib.sha256()
    for file in [*CORPUS, PROFILES]:
        digest.update((ROOT / file).read_bytes())
    return digest.hexdigest()


def list_parts(bio):
    """The whole and its sentences, at most 16 runs of them: see src/safety/bio-parts.ts."""
    whole = one_line(bio)
    sentences = [one_line(part) for part in re.split(r"(?<=[.!?…])[\"'”’)]*\s+|\n+", bio)]
    sentences = [sentence for sentence in sentences if sentence]
    if len(sentences) < 2:
        return [whole]
    size = -(-len(sentences) // 16)
    runs = [" ".join(sentences[i : i + size]) for i in range(0, len(sentences), size)]
    return list(dict.fromkeys([whole, *runs]))


def one_line(text):
    return re.sub(r"[\x00-\x1f\x7f-\x9f\s]+", " ", text).strip()
