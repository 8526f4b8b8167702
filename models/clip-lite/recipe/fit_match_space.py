"""
Learns in which respects two people of a good match are alike: fit_match_space.py TERMS OUT.json [TERMS of other pairs]

TERMS.json and TERMS.f32 come from scripts/export-match-terms.js. A centred embedding x becomes x + up (down x), of unit
norm; up and down have RANK columns and rows. Learnt together with the weights of what is measured in that space, as
src/match/features.ts measures it, by the cross-entropy of the labelled confidence. Prints how well that does on pairs left
out, five times, and on the other pairs.
"""

import datetime
import json
import sys

import numpy as np
import torch
import torch.nn.functional as F

LISTS = {"interests": "interests", "lifestyle": "lifestyle", "photo tags": "photoTags", "bios": "sentences"}
RANK = 32
EPOCHS = 20
BATCH = 64
RATE = 3e-4
WEIGHT_RATE = 1e-2
WEIGHT_DECAY = 0.05
FOLDS = 5

torch.set_num_threads(1)


class Pairs:
    """Every list of both sides, padded: embeddings [pairs, terms, d] and which are there [pairs, terms]."""

    def __init__(self, file):
        self.header = json.load(open(f"{file}.json"))
        rows = self.header["rows"]
        size = self.header["size"]
        embeddings = np.fromfile(f"{file}.f32", dtype=np.float32).reshape(-1, size)
        self.lists = {}
        for name, key in LISTS.items():
            for side in ("a", "b"):
                longest = max(len(row[side][key]) for row in rows)
                terms = np.zeros((len(rows), max(longest, 1), size), np.float32)
                known = np.zeros(terms.shape[:2], bool)
                for i, row in enumerate(rows):
                    own = row[side][key]
                    terms[i, : len(own)] = embeddings[own]
                    known[i, : len(own)] = True
                self.lists[name, side] = (torch.tensor(terms), torch.tensor(known))
        self.confidence = torch.tensor([row["confidence"] for row in rows], dtype=torch.float32)

    def __len__(self):
        return len(self.confidence)


class Match(torch.nn.Module):
    def __init__(self, pairs):
        super().__init__()
        size = pairs.header["size"]
        self.standard = pairs.header["standard"]
        self.names = [f"{name}, {part}" for name in LISTS for part in ("nearest", "overall")]
        self.down = torch.nn.Parameter(torch.randn(size, RANK) * 0.01)
        self.up = torch.nn.Parameter(torch.zeros(RANK, size))
        self.weights = torch.nn.Parameter(torch.full((len(self.names),), 0.05))
        self.bias = torch.nn.Parameter(torch.tensor(0.0))

    def features(self, pairs, some):
        """[pairs, features]; nan where it is not known."""
        found = []
        for name in LISTS:
            (a, in_a), (b, in_b) = (self.placed(*pairs.lists[name, side], some) for side in ("a", "b"))
            known = in_a.any(1) & in_b.any(1)
            cosines = (a @ b.transpose(1, 2)).masked_fill(~(in_a[:, :, None] & in_b[:, None, :]), -3)
            best_a = (cosines.max(2)[0] * in_a).sum(1) / in_a.sum(1).clamp(min=1)
            best_b = (cosines.max(1)[0] * in_b).sum(1) / in_b.sum(1).clamp(min=1)
            nearest = self.standard["zero"] + self.standard["slope"] * (best_a + best_b) / 2
            overall = F.cosine_similarity(a.sum(1), b.sum(1), dim=1)
            found += [value.masked_fill(~known, float("nan")) for value in (nearest, overall)]
        return torch.stack(found, 1)

    def placed(self, terms, known, some):
        terms, known = terms[some], known[some]
        moved = F.normalize(terms + terms @ self.down @ self.up, dim=-1)
        return moved * known[:, :, None], known

    def forward(self, pairs, some, typical=None):
        features = self.features(pairs, some)
        if typical is None:
            typical = features.nanmean(0).detach()
        # Cosines have a fifth of the spread of the others: this way one rate suits all weights.
        return (torch.where(features.isnan(), typical, features) * self.scale()) @ self.weights + self.bias

    def scale(self):
        return torch.tensor([5.0 if name.endswith(", overall") else 1.0 for name in self.names])

    def typical(self, pairs, some):
        with torch.no_grad():
            return self.features(pairs, some).nanmean(0)


def fit(pairs, some, seed=0):
    torch.manual_seed(seed)
    model = Match(pairs)
    groups = [
        {"params": [model.down, model.up], "lr": RATE, "weight_decay": 0.02},
        {"params": [model.weights, model.bias], "lr": WEIGHT_RATE, "weight_decay": WEIGHT_DECAY},
    ]
    optimizer = torch.optim.AdamW(groups)
    total = EPOCHS * -(-len(some) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.02, 1 - step / total))
    for _ in range(EPOCHS):
        for batch in some[torch.randperm(len(some))].split(BATCH):
            loss = F.binary_cross_entropy_with_logits(model(pairs, batch), pairs.confidence[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return model, model.typical(pairs, some)


def predict(fitted, pairs, some):
    model, typical = fitted
    with torch.no_grad():
        return torch.sigmoid(model(pairs, some, typical))


def report(title, predicted, labels):
    ranks = [values.argsort().argsort().float() for values in (predicted, labels)]
    # Labels come in steps of a hundredth: ties weigh little.
    spearman = torch.corrcoef(torch.stack(ranks))[0, 1]
    high = labels >= 0.7
    auc = (predicted[high][:, None] > predicted[~high][None, :]).float().mean()
    bins = (predicted * 10).long().clamp(max=9)
    error = sum(
        (predicted[bins == b].mean() - labels[bins == b].mean()).abs() * (bins == b).float().mean()
        for b in bins.unique()
    )
    print(f"{title}: Spearman {spearman:.3f}, AUC {auc:.3f}, calibration error {error:.3f}", flush=True)


def rounded(values, digits):
    scaled = (values * 10**digits).round().int()
    return scaled.tolist()


def readable(learnt):
    """JSON with a line for each row of numbers."""

    def text(value):
        if isinstance(value, list):
            return "[\n" + ",\n".join("    " + json.dumps(row, separators=(",", ":")) for row in value) + "\n  ]"
        if "embedding" in value:
            return json.dumps(value, separators=(",", ":"))
        return json.dumps(value, indent=2).replace("\n", "\n  ")

    return "{\n" + ",\n".join(f'  "{key}": {text(value)}' for key, value in learnt.items()) + "\n}\n"


def main():
    file, out, *others = sys.argv[1:]
    pairs = Pairs(file)
    order = torch.tensor(np.random.RandomState(0).permutation(len(pairs)))
    predicted = torch.zeros(len(pairs))
    for fold in range(FOLDS):
        held = order[fold::FOLDS]
        rest = order[~torch.isin(order, held)]
        predicted[held] = predict(fit(pairs, rest), pairs, held)
    report("left out", predicted, pairs.confidence)
    model, typical = fitted = fit(pairs, torch.arange(len(pairs)))
    for other in map(Pairs, others):
        report("other pairs", predict(fitted, other, torch.arange(len(other))), other.confidence)
    weights = (model.weights * model.scale()).tolist()
    learnt = {
        "fitted": {
            "date": datetime.date.today().isoformat(),
            "data": pairs.header["data"],
            "pairs": len(pairs),
        },
        "probe": pairs.header["probe"],
        "typical": {name: round(value, 3) for name, value in zip(model.names, typical.tolist())},
        "confidence": {
            "bias": round(model.bias.item(), 3),
            "weights": {name: round(value, 3) for name, value in zip(model.names, weights)},
        },
        # In thousandths, row by row: [RANK, d] each.
        "down": rounded(model.down.T, 3),
        "up": rounded(model.up, 3),
    }
    with open(out, "w") as target:
        target.write(readable(learnt))


if __name__ == "__main__":
    main()
