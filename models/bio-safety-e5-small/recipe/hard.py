"""
The texts that a model gets wrong or is unsure of, and a few of the others so that it forgets none: after A. Shrivastava et al.,
"Training Region-based Object Detectors with Online Hard Example Mining", arXiv:1604.03540.
"""

import random

from corpus import list_parts
from model import half_precision, log_odds_by_text, logits_by

# Log-odds from which a harmless text is hard, and below which an unsafe one is.
HARMLESS_FROM, UNSAFE_BELOW = -2.2, 4.0
# Shares shown of the others: whole texts, and the part of each that looks worst.
HARMLESS_SHARE, HARMLESS_PART_SHARE, UNSAFE_SHARE, UNSAFE_PART_SHARE = 0.25, 0.1, 0.3, 0.25
# Log-odds from which a part of an unsafe text is taken for what makes it so.
UNSAFE_PART_FROM = 2.0
# Epochs before which the model is asked anew.
ASKED_BEFORE = (0, 2)


def draw_hard(model, rows, seed):
    """Draws the examples of an epoch for `fit`. rows: [(text, label, …)]"""
    rng = random.Random(seed)
    parts = {text: list_parts(text) for text, *_ in rows}
    odds = {}

    def draw(epoch):
        if epoch in ASKED_BEFORE:
            with half_precision():
                odds.update(log_odds_by_text(logits_by(model), [part for row in parts.values() for part in row]))
        found = []
        for text, label, *_ in rows:
            whole = parts[text][0]
            worst = max(parts[text], key=odds.get)
            if label == 0:
                shown = [
                    (whole, odds[whole] > HARMLESS_FROM or rng.random() < HARMLESS_SHARE),
                    (worst, odds[worst] > HARMLESS_FROM or rng.random() < HARMLESS_PART_SHARE),
                ]
            else:
                shown = [
                    (whole, odds[whole] < UNSAFE_BELOW or rng.random() < UNSAFE_SHARE),
                    (worst, odds[worst] > UNSAFE_PART_FROM and rng.random() < UNSAFE_PART_SHARE),
                ]
            found += dict.fromkeys((part, label) for part, is_shown in shown if is_shown)
        return found

    return draw
