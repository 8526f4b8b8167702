"""A cross-encoder: MiniLM reads both profiles, a linear head on its mean-pooled tokens tells how well they match, and by what."""

import torch
from transformers import AutoModel, AutoTokenizer

from profiles import CATEGORIES, text_of

BASE = "weights/all-MiniLM-L6-v2"
OUTPUTS = ["compatibility", *CATEGORIES]
MAX_TOKENS = 320

tokenizer = AutoTokenizer.from_pretrained(BASE)


class MatchModel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = AutoModel.from_pretrained(BASE, attn_implementation="eager")
        self.drop = torch.nn.Dropout(0.1)
        self.head = torch.nn.Linear(self.enc.config.hidden_size, len(OUTPUTS))

    def forward(self, input_ids, attention_mask):
        states = self.enc(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).float()
        return self.head(self.drop((states * mask).sum(1) / mask.sum(1)))


def encode(texts):
    """[(first, second)] -> ids and mask, [pairs, tokens]. Token types stay 0: the base model was trained without others."""
    tokens = tokenizer(
        [first for first, _ in texts],
        [second for _, second in texts],
        padding=True,
        truncation=True,
        max_length=MAX_TOKENS,
        return_tensors="pt",
    )
    return tokens["input_ids"], tokens["attention_mask"]


def judge(logits_of, rows, without=()):
    """Logits [pairs, outputs], the mean of both orders. logits_of: [(first, second)] -> [n, outputs]."""
    texts = [(text_of(row["a"], without), text_of(row["b"], without)) for row in rows]
    both = texts + [(second, first) for first, second in texts]
    logits = torch.cat([torch.as_tensor(logits_of(both[i : i + 32])).float() for i in range(0, len(both), 32)])
    return ((logits[: len(rows)] + logits[len(rows) :]) / 2).numpy()


def logits_by(model):
    def logits_of(texts):
        with torch.inference_mode():
            return model(*encode(texts))

    return logits_of
