"""
Fits the match model: train.py OUT.pt [SEED]. Prints after each epoch how well it ranks the pairs of
examples/evaluation/tuning.jsonl, with preferences and without.
"""

import random
import sys

import numpy as np
import torch
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from model import MatchModel, encode, judge, logits_by
from profiles import PAIRS, batches_of, data_hash, read_pairs, read_training, vary

EPOCHS = 5
BATCH = 32
RATE = 2e-4
HEAD_RATE = 1e-3
WARM_UP = 0.06
# A confidence is one number, a category one of five: without it the loss would be mostly about categories.
CONFIDENCE_WEIGHT = 4
# Of the probability that a label puts on categories: the second choice of a reader, and any.
SECOND, ANY = 0.1, 0.05


def loss_of(logits, batch):
    confidence, categories = logits[:, 0], torch.log_softmax(logits[:, 1:], 1)
    wanted = torch.tensor([row["confidence"] for row in batch])
    first, second = (torch.tensor([[row[name]] for row in batch]) for name in ("category", "second"))
    named = (1 - SECOND) * categories.gather(1, first) + SECOND * categories.gather(1, second)
    category_loss = -((1 - ANY) * named[:, 0] + ANY * categories.mean(1))
    confidence_loss = torch.nn.functional.binary_cross_entropy_with_logits(confidence, wanted, reduction="none")
    return (CONFIDENCE_WEIGHT * confidence_loss + category_loss).mean()


def report(title, model, rows, without=()):
    logits = judge(logits_by(model), rows, without)
    labels = np.array([row["confidence"] for row in rows])
    right = logits[:, 1:].argmax(1) == [row["category"] for row in rows]
    correlation, auc = spearmanr(logits[:, 0], labels)[0], roc_auc_score(labels >= 0.7, logits[:, 0])
    print(f"  {title}: Spearman {correlation:.3f}, AUC {auc:.3f}, category {right.mean():.3f}", flush=True)


target, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0
torch.manual_seed(seed)
rng = random.Random(seed)
rows, unseen = read_training(), read_pairs(PAIRS.with_name("tuning.jsonl"))
print(f"{len(rows)} pairs, sha256 {data_hash()}", flush=True)
model = MatchModel()
# Few texts would bend the word embeddings.
for parameter in model.enc.embeddings.parameters():
    parameter.requires_grad = False
trained = [parameter for parameter in model.enc.parameters() if parameter.requires_grad]
groups = [{"params": trained, "lr": RATE}, {"params": model.head.parameters(), "lr": HEAD_RATE}]
optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
steps = EPOCHS * len(batches_of(rows, BATCH, rng))
schedule = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda step: min(1, (step + 1) / (WARM_UP * steps)) * max(0.02, 1 - step / steps)
)
for epoch in range(EPOCHS):
    model.train()
    losses = []
    for batch in batches_of(rows, BATCH, rng):
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(*encode([vary(pair, rng) for pair in batch]))
        loss = loss_of(logits.float(), batch)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    model.eval()
    print(f"epoch {epoch + 1} of {EPOCHS}, loss {np.mean(losses):.3f}", flush=True)
    report("preferences given", model, unseen)
    report("bio and photos alone", model, unseen, ("interests", "lifestyle"))
    torch.save(model.state_dict(), target)
