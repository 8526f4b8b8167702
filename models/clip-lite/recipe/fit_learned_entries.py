"""
Fits which profiles have which entries: fit_learned_entries.py TERMS OUT.json

TERMS.json and TERMS.f32 come from src/tools/training/export-profile-terms.ts. Each of the most frequent interests and lifestyle
entries gets one direction for sentences and one for photo tags. The log-odds of an entry are its bias plus two smooth
maxima of 0 and the dot products of a direction with the centered embeddings of the profile's sentences or tags. A direction
is the sum of a multiple of the entry's embedding, a linear map of that embedding common to all entries (rank RANK), and a
vector for this entry alone, so that rare entries learn from frequent ones. Prints average precision and recall in five-fold
cross-validation.
"""

import datetime
import json
import sys
from collections import Counter

import numpy as np
import torch
import torch.nn.functional as F

KINDS = {"interest": ("interests", 100), "lifestyle": ("lifestyle", 40)}
RANK = 48
SHARPNESS = 2.0
TERMS = 10
EPOCHS = 60
BATCH = 256
RATE = 0.02
WEIGHT_DECAY = 1e-4
FOLDS = 5

torch.set_num_threads(1)


class Profiles:
    """Sentences and tags of each person, padded: embeddings [people, terms, d] and masks [people, terms]."""

    def __init__(self, file):
        self.header = json.load(open(f"{file}.json"))
        size = self.header["size"]
        self.embeddings = np.fromfile(f"{file}.f32", dtype=np.float32).reshape(-1, size)
        # Who lists nothing has interests that nobody wrote down.
        rows = [row for row in self.header["rows"] if all(row[side]["interests"] + row[side]["lifestyle"] for side in ("a", "b"))]
        people = [row[side] for row in rows for side in ("a", "b")]
        self.lists = [self.padded([person[key] for person in people]) for key in ("sentences", "photoTags")]
        self.people = people
        # Both sides of a pair stay together.
        self.fold = torch.arange(len(people)) // 2 % FOLDS

    def padded(self, lists):
        terms = np.zeros((len(lists), TERMS, self.embeddings.shape[1]), np.float32)
        known = np.zeros(terms.shape[:2], bool)
        for i, own in enumerate(lists):
            own = own[:TERMS]
            terms[i, : len(own)] = self.embeddings[own]
            known[i, : len(own)] = True
        return torch.tensor(terms), torch.tensor(known)

    def labels(self, key, count):
        """Numbers of the most frequent entries, and which person has which: [people, count]."""
        common = Counter(number for person in self.people for number in person[key]).most_common(count)
        numbers = [number for number, _ in common]
        has = [[float(number in person[key]) for number in numbers] for person in self.people]
        return numbers, torch.tensor(has)


class Entries(torch.nn.Module):
    def __init__(self, embeddings):
        super().__init__()
        count, size = embeddings.shape
        self.embeddings = embeddings
        self.bias = torch.nn.Parameter(torch.full((count,), -3.0))
        self.own = torch.nn.Parameter(torch.zeros(2, count, size))
        self.multiple = torch.nn.Parameter(torch.full((2,), 4.0))
        self.down = torch.nn.Parameter(torch.randn(size, RANK) * 0.05)
        self.up = torch.nn.Parameter(torch.randn(RANK, size) * 0.05)

    def directions(self):
        """[2, entries, d]: for sentences, and for tags."""
        shared = self.embeddings @ self.down @ self.up
        return self.own + self.multiple[:, None, None] * self.embeddings + shared

    def forward(self, profiles, some):
        logits = self.bias
        for (terms, known), direction in zip(profiles.lists, self.directions()):
            products = SHARPNESS * terms[some] @ direction.T
            products = products.masked_fill(~known[some][:, :, None], -1e4)
            with_zero = torch.cat([products, torch.zeros_like(products[:, :1])], dim=1)
            logits = logits + torch.logsumexp(with_zero, dim=1) / SHARPNESS
        return logits

    def penalty(self):
        return ((self.own**2).sum() + 10 * ((self.down**2).sum() + (self.up**2).sum())) / len(self.bias)


def fit(profiles, some, numbers, has):
    torch.manual_seed(0)
    model = Entries(torch.tensor(profiles.embeddings[numbers]))
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    total = EPOCHS * -(-len(some) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / total)
    for _ in range(EPOCHS):
        for batch in some[torch.randperm(len(some))].split(BATCH):
            loss = F.binary_cross_entropy_with_logits(model(profiles, batch), has[batch])
            optimizer.zero_grad()
            (loss + WEIGHT_DECAY * model.penalty()).backward()
            optimizer.step()
            schedule.step()
    return model


def predict(model, profiles, some):
    with torch.no_grad():
        return model(profiles, some)


def report(kind, logits, has):
    """Prints average precision over all people and entries, and recall at 8 of a person's entries."""
    ranked = has.flatten()[logits.flatten().argsort(descending=True)]
    precision = ranked.cumsum(0) / torch.arange(1, len(ranked) + 1)
    average = (precision * ranked).sum() / ranked.sum()
    some = has.sum(1) > 0
    first = has.gather(1, logits.topk(8, dim=1).indices).sum(1)
    recall = (first[some] / has[some].sum(1)).mean()
    print(f"{kind}: average precision {average:.3f}, among the first eight {recall:.3f}", flush=True)


def learn(profiles, kind, key, count):
    numbers, has = profiles.labels(key, count)
    logits = torch.zeros_like(has)
    for fold in range(FOLDS):
        held, rest = (torch.nonzero(mask)[:, 0] for mask in (profiles.fold == fold, profiles.fold != fold))
        logits[held] = predict(fit(profiles, rest, numbers, has), profiles, held)
    report(kind, logits, has)
    model = fit(profiles, torch.arange(len(has)), numbers, has)
    sentences, tags = (model.directions() * 100).round().int().tolist()
    return [
        {
            "name": profiles.header["texts"][number],
            "bias": round(bias, 3),
            "sentences": sentences[i],
            "tags": tags[i],
        }
        for i, (number, bias) in enumerate(zip(numbers, model.bias.tolist()))
    ]


def readable(head, entries):
    """JSON with a line for each entry."""

    def line(entry):
        return "      " + json.dumps(entry, separators=(",", ":"))

    lists = ",\n".join(f'    "{kind}": [\n' + ",\n".join(map(line, own)) + "\n    ]" for kind, own in entries.items())
    values = ",\n".join(f'  "{key}": {json.dumps(value)}' for key, value in head.items())
    return "{\n" + values + ',\n  "entries": {\n' + lists + "\n  }\n}\n"


def main():
    file, out = sys.argv[1:]
    profiles = Profiles(file)
    entries = {kind: learn(profiles, kind, *of) for kind, of in KINDS.items()}
    head = {
        "fitted": {
            "date": datetime.date.today().isoformat(),
            "data": profiles.header["data"],
            "profiles": len(profiles.people),
        },
        "probe": profiles.header["probe"],
    }
    with open(out, "w") as target:
        target.write(readable(head, entries))


if __name__ == "__main__":
    main()
