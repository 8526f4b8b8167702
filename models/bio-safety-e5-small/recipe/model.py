"""multilingual-e5-small with a linear head on its mean-pooled tokens; fitting, judging."""

import copy
import random

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from transformers import AutoModel, AutoTokenizer

from corpus import CLASSES, list_parts

BASE = "weights/multilingual-e5-small"
BATCH = 32
MAX_TOKENS = 128
# Sentences of a harmless bio that an epoch shows beside the whole; of an unsafe one only the whole is known to be so.
SENTENCES = 1
# Share of the texts shown in lower case, and a fifth of that in capitals.
LOWER_CASE = 0.12
PROBED = 10_000

tokenizer = AutoTokenizer.from_pretrained(BASE)


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = AutoModel.from_pretrained(BASE, add_pooling_layer=False)
        width = self.enc.config.hidden_size
        # Of the base model's pooled states, which hardly differ from text to text.
        self.register_buffer("mu", torch.zeros(width))
        self.register_buffer("sd", torch.ones(width))
        self.drop = torch.nn.Dropout(0.1)
        self.head = torch.nn.Linear(width, len(CLASSES))

    def pool(self, input_ids, attention_mask):
        states = self.enc(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        return (states * mask).sum(1) / mask.sum(1)

    def forward(self, input_ids, attention_mask):
        return self.head(self.drop((self.pool(input_ids, attention_mask) - self.mu) / self.sd))


def encode(texts):
    tokens = tokenizer(texts, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt")
    return tokens["input_ids"], tokens["attention_mask"]


def half_precision():
    """Four times as fast as float32 on a processor with AMX."""
    return torch.autocast("cpu", torch.bfloat16)


def start(rows):
    """A model whose head has been fitted to what the base model says of the texts. rows: [(text, label, …)]"""
    rng = random.Random(0)
    torch.manual_seed(0)
    model = Classifier()
    # They stay as they are: few texts would bend them.
    for parameter in model.enc.embeddings.parameters():
        parameter.requires_grad = False
    start_head(model, examples_of(rows, rng), rng)
    return model


def fit(model, draw, *, epochs, rate, head_rate, seed, smoothing=0.05):
    """
    Fits all but the word embeddings; rates rise for a twelfth of the way and then fall to a fiftieth.
    draw: number of an epoch -> [(text, label)], what it shows
    """
    torch.manual_seed(seed)
    rng = random.Random(seed)
    trained = [parameter for parameter in model.enc.parameters() if parameter.requires_grad]
    groups = [{"params": trained, "lr": rate}, {"params": model.head.parameters(), "lr": head_rate}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    way = 0.0
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda _: min(1, (way + 1e-4) / 0.08) * max(0.02, 1 - way)
    )
    loss_of = torch.nn.CrossEntropyLoss(label_smoothing=smoothing)
    for epoch in range(epochs):
        batches = batches_of(draw(epoch), rng)
        model.train()
        losses = []
        for index, batch in enumerate(batches):
            way = (epoch + index / len(batches)) / epochs
            with half_precision():
                logits = model(*encode([vary_case(text, rng) for text, _ in batch]))
            loss = loss_of(logits.float(), torch.tensor([label for _, label in batch]))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1} of {epochs}, {len(batches)} batches, loss {np.mean(losses):.3f}", flush=True)
    return model.eval()


def mean_of(models, shares):
    """A model whose weights are the means of theirs, each with its share."""
    states = [model.state_dict() for model in models]
    mean = copy.deepcopy(models[0])
    mean.load_state_dict(
        {name: sum(share * state[name] for share, state in zip(shares, states)) for name in states[0]}
    )
    return mean.eval()


def start_head(model, examples, rng):
    """
    A head that does what can be done with the states of the base model, after A. Kumar et al., "Fine-Tuning can Distort
    Pretrained Features and Underperform Out-of-Distribution", arXiv:2202.10054.
    """
    texts, labels = zip(*rng.sample(examples, min(PROBED, len(examples))))
    model.eval()
    with torch.inference_mode(), half_precision():
        pooled = np.concatenate(
            [model.pool(*encode(list(texts[i : i + 64]))).float().numpy() for i in range(0, len(texts), 64)]
        )
    mu, sd = pooled.mean(0), pooled.std(0) + 1e-6
    probe = LogisticRegression(C=0.03, max_iter=300).fit((pooled - mu) / sd, labels)
    for target, values in (
        (model.mu, mu),
        (model.sd, sd),
        (model.head.weight, probe.coef_),
        (model.head.bias, probe.intercept_),
    ):
        target.data = torch.tensor(values, dtype=torch.float32)


def examples_of(rows, rng):
    found = []
    for text, label, *_ in rows:
        whole, *sentences = list_parts(text)
        found.append((whole, label))
        if label == 0:
            found += [(part, 0) for part in rng.sample(sentences, min(SENTENCES, len(sentences)))]
    return found


def vary_case(text, rng):
    drawn = rng.random()
    if drawn < LOWER_CASE:
        return text.lower()
    return text.upper() if drawn < LOWER_CASE * 1.2 else text


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
    odds = log_odds_by_text(logits_of, [part for row in parts for part in row])
    return np.array([max(odds[part] for part in row) for row in parts])


def log_odds_by_text(logits_of, texts):
    """{text: log-odds of its being unsafe}"""
    distinct = sorted(set(texts), key=len)
    odds = {}
    for start in range(0, len(distinct), 64):
        batch = distinct[start : start + 64]
        for text, logits in zip(batch, np.asarray(logits_of(batch), dtype=float)):
            odds[text] = np.logaddexp.reduce(logits[1:]) - logits[0]
    return odds


def logits_by(model):
    def logits_of(texts):
        model.eval()
        with torch.inference_mode():
            return model(*encode(texts)).float().numpy()

    return logits_of
