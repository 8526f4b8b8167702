"""
Fits the classifier: train.py OUT.pt [writer …]. Each run goes on from where another ended or from the mean of two ends, after M. Wortsman et
al., "Model soups", arXiv:2203.05482. The third run is for plain, short texts, which are few; those after it show mostly what
the model still gets wrong. Texts of the writers named are left out, and how well they are told apart is printed, by the share of
their harmless texts that is refused.
"""

import copy
import random
import sys

import numpy as np
import torch

from corpus import CLASSES, data_hash, read_texts
from hard import draw_hard
from model import examples_of, fit, log_odds, logits_by, mean_of, start

# Higher rates make the model forget more than it learns: at 1e-4 the loss rose for a hundred steps, at 3e-4 it did not come down.
RUNS = (
    {"epochs": 3, "rate": 4e-5, "head_rate": 1e-3, "seed": 0},
    {"epochs": 2, "rate": 3e-5, "head_rate": 3e-4, "seed": 1},
)
PLAIN_RUN = {"epochs": 1, "rate": 2e-5, "head_rate": 2e-4, "seed": 2}
# Each with the shares, of the plain run's end and the ends of earlier ones, of the mean that it goes on from.
HARD_RUNS = (
    ((1,), {"epochs": 5, "rate": 5e-5, "head_rate": 4e-4, "seed": 11, "smoothing": 0.03}),
    ((0, 1), {"epochs": 1, "rate": 4e-5, "head_rate": 3e-4, "seed": 12, "smoothing": 0.03}),
    ((0, 0.5, 0.5), {"epochs": 2, "rate": 4e-5, "head_rate": 3e-4, "seed": 21, "smoothing": 0.03}),
    ((0, 0.25, 0.25, 0.5), {"epochs": 4, "rate": 5e-5, "head_rate": 3e-4, "seed": 31, "smoothing": 0.03}),
)
HARD_SHARES = (0, 0.125, 0.125, 0.25, 0.5)
PLAIN_WRITERS = [f"writer-{number}" for number in range(50, 58)]
# How often the last run shows each plain text, how many others it shows, and its weight in the mean.
PLAIN_REPEATS, OTHERS, PLAIN_WEIGHT = 2, 4500, 0.7

target, *left_out = sys.argv[1:]
rows = read_texts()
seen = [row for row in rows if row[2] not in left_out]
print(f"{len(seen)} texts of {len(rows)}, sha256 {data_hash()}", flush=True)
plain = [row for row in seen if row[2] in PLAIN_WRITERS]
others = [row for row in seen if row[2] not in PLAIN_WRITERS]


def fit_anew(model, rows, run):
    """Goes on from a model, which stays as it is, with other examples of the rows in each epoch."""
    rng = random.Random(run["seed"])
    return fit(copy.deepcopy(model), lambda _: examples_of(rows, rng), **run)


first = fit_anew(start(others), others, RUNS[0])
both = mean_of([first, fit_anew(first, others, RUNS[1])], [0.5, 0.5])
mixed = plain * PLAIN_REPEATS + random.Random(2).sample(others, min(OTHERS, len(others)))
model = mean_of([both, fit_anew(both, mixed, PLAIN_RUN)], [1 - PLAIN_WEIGHT, PLAIN_WEIGHT])
ends = [model]
for shares, run in HARD_RUNS:
    model = mean_of(ends, shares)
    ends.append(fit(model, draw_hard(model, seen, run["seed"]), **run))
model = mean_of(ends, HARD_SHARES)
torch.save(model.state_dict(), target)

unseen = [row for row in rows if row[2] in left_out]
if unseen:
    labels = np.array([label for _, label, _ in unseen])
    odds = log_odds(logits_by(model), [text for text, *_ in unseen])
    for share in (0.01, 0.02, 0.03, 0.05):
        threshold = np.quantile(odds[labels == 0], 1 - share)
        found = odds[labels > 0] >= threshold
        print(f"{share:.0%} refused from {threshold:.2f}: {found.mean():.1%} of {len(found)} unsafe found")
        for label in range(1, len(CLASSES)):
            own = odds[labels == label] >= threshold
            print(f"  {CLASSES[label]}: {own.sum()} of {len(own)}")
