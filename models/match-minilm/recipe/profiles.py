"""Labelled pairs of profiles, as texts."""

import hashlib
import json
import random
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAIRS = ROOT / "examples/evaluation/training.jsonl"
LABELS = Path(__file__).parent / "match-labels.jsonl"
CATEGORIES = ["shared_hobbies", "lifestyle_fit", "similar_goals", "complementary_traits", "aesthetic_alignment"]
LISTS = ["interests", "lifestyle", "photos"]


def read_lines(file):
    return [json.loads(line) for line in Path(file).read_text().splitlines() if line.strip()]


def read_pairs(file):
    """[{"a", "b": profiles, "confidence", "category", "second": numbers of categories}] with the labels of people."""
    return [
        {
            "a": row["sender"],
            "b": row["recipient"],
            "confidence": row["match"]["confidence"],
            "category": CATEGORIES.index(row["match"]["category"]),
            "second": CATEGORIES.index(row["match"]["category"]),
        }
        for row in read_lines(file)
    ]


def read_training():
    """The labelled pairs, and those that readers made of their profiles."""
    people = {(i, side): row[side] for i, row in enumerate(read_lines(PAIRS)) for side in ("sender", "recipient")}
    mixed = [
        {
            "a": people[tuple(row["a"])],
            "b": people[tuple(row["b"])],
            "confidence": row["confidence"],
            "category": CATEGORIES.index(row["category"]),
            "second": CATEGORIES.index(row["second"]),
        }
        for row in read_lines(LABELS)
    ]
    return read_pairs(PAIRS) + mixed


def data_hash():
    return hashlib.sha256(PAIRS.read_bytes() + LABELS.read_bytes()).hexdigest()


def text_of(profile, without=()):
    """See src/match/profile-text.ts."""
    parts = [f"{name}: {', '.join(profile[name])}" for name in LISTS if name not in without and profile[name]]
    if "bio" not in without and profile["bio"].strip():
        parts.append(" ".join(profile["bio"].split()))
    return " | ".join(parts)


# What both profiles of an example lose, and how often of ten examples that lose anything.
LOSSES = {
    ("interests", "lifestyle"): 5,
    ("interests",): 1.5,
    ("lifestyle",): 1,
    ("photos",): 1,
    ("bio",): 0.5,
    ("photos", "interests", "lifestyle"): 1,
}
LOSING = 0.3


def vary(pair, rng):
    """The two texts of a pair in any order, their lists shuffled, sometimes without a part of both."""
    people = [pair["a"], pair["b"]]
    rng.shuffle(people)
    without = rng.choices(list(LOSSES), LOSSES.values())[0] if rng.random() < LOSING else ()
    shuffled = [{**person, **{name: rng.sample(person[name], len(person[name])) for name in LISTS}} for person in people]
    return tuple(text_of(person, without) for person in shuffled)


def batches_of(rows, size, rng):
    """Pairs of a like length share a batch, so that little of it is padding."""
    rows = rng.sample(rows, len(rows))
    runs = [rows[i : i + 8 * size] for i in range(0, len(rows), 8 * size)]
    for run in runs:
        run.sort(key=lambda row: len(row["a"]["bio"]) + len(row["b"]["bio"]))
    batches = [run[i : i + size] for run in runs for i in range(0, len(run), size)]
    rng.shuffle(batches)
    return batches
