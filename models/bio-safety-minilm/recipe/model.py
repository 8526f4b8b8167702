"""MiniLM with a linear head on its mean-pooled tokens; fitting, judging."""

import random

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

from corpus import CLASSES, list_parts

BASE = "weights/all-MiniLM-L6-v2"
EPOCHS = 3
BATCH = 32
RATE = 1.5e-4
HEAD_RATE = 1e-3
MAX_TOKENS = 128
# Sentences of a harmless bio that an epoch shows beside the whole; of an unsafe one only the whole is known to be so.
SENTENCES = 2

tokenizer = AutoTokenizer.from_pretrained(BASE)


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = AutoModel.from_pretrained(BASE, attn_implementation="eager")
        self.drop = torch.nn.Dropout(0.1)
        self.head = torch.nn.Linear(self.enc.config.hidden_size, len(CLASSES))

    def forward(self, input_ids, attention_mask):
        states = self.enc(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).float()
        return self.head(self.drop((states * mask).sum(1) / mask.sum(1)))


def encode(texts):
    tokens = tokenizer(texts, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt")
    return tokens["input_ids"], tokens["attention_mask"]


def fit(rows, seed=0):
    """rows: [(text, label, …)]. The word embeddings stay as they are: few texts would bend them."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = Classifier()
    for parameter in model.enc.embeddings.parameters():
        parameter.requires_grad = False
    trained = [parameter for parameter in model.enc.parameters() if parameter.requires_grad]
    groups = [{"params": trained, "lr": RATE}, {"params": model.head.parameters(), "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    total = EPOCHS * (len(examples_of(rows, rng)) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / (0.06 * total)) * max(0.02, 1 - step / total)
    )
    loss_of = torch.nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for batch in batches_of(examples_of(rows, rng), rng):
            logits = model(*encode([text for text, _ in batch]))
            loss = loss_of(logits, torch.tensor([label for _, label in batch]))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1} of {EPOCHS}, loss {np.mean(losses):.3f}", flush=True)
    return model.eval()


def mean_of(models):
    """A model whose weights are the means of theirs."""
    states = [model.state_dict() for model in models]
    mean = Classifier()
    mean.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
    return mean.eval()


def examples_of(rows, rng):
    found = []
    for text, label, *_ in rows:
        whole, *sentences = list_parts(text)
        found.append((whole, label))
        if label == 0:
            found += [(part, 0) for part in rng.sample(sentences, min(SENTENCES, len(sentences)))]
    return found


def batches_of(examples, rng):
    """Texts of a like length share a batch, so that little of it is padding."""
    rng.shuffle(examples)
    size = 16 * BATCH
    runs = [sorted(examples[i : i + size], key=lambda e: len(e[0])) for i in range(0, len(examples), size)]
    batches = [run[i : i + BATCH] for run in runs for i in range(0, len(run), BATCH)]
    rng.shuffle(batches)
    return batches


def log_odds(logits_of, bios):
    """Log-odds of each bio being unsafe, of the part that is most likely so. logits_of: texts -> [n, classes]."""
    parts = [list_parts(bio) for bio in bios]
    distinct = sorted({part for row in parts for part in row}, key=len)
    odds = {}
    for start in range(0, len(distinct), 64):
        batch = distinct[start : start + 64]
        for text, logits in zip(batch, np.asarray(logits_of(batch), dtype=float)):
            odds[text] = np.logaddexp.reduce(logits[1:]) - logits[0]
    return np.array([max(odds[part] for part in row) for row in parts])


def logits_by(model):
    def logits_of(texts):
        with torch.inference_mode():
            return model(*encode(texts)).numpy()

    return logits_of
