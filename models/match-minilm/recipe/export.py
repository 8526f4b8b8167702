"""
weights.pt [weights.pt …] -> ../onnx/model.onnx, int8: export.py OUT.onnx weights.pt …. Of several, the mean of the weights, after
M. Wortsman et al., "Model soups", arXiv:2203.05482. The confidence is calibrated before: its logit is scaled and shifted to
what labels of examples/evaluation/tuning.jsonl have (J. Platt, 1999).
"""

import sys

import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from scipy.optimize import minimize

from model import MatchModel, encode, judge, logits_by
from profiles import PAIRS, read_pairs

target, *files = sys.argv[1:]
states = [torch.load(file) for file in files]
model = MatchModel()
model.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
model.eval()

rows = read_pairs(PAIRS.with_name("tuning.jsonl"))
labels = np.array([row["confidence"] for row in rows])
logits = judge(logits_by(model), rows)[:, 0].astype(float)


def cross_entropy(scale_and_shift):
    calibrated = scale_and_shift[0] * logits + scale_and_shift[1]
    return np.mean(np.logaddexp(0, calibrated) - labels * calibrated)


scale, shift = minimize(cross_entropy, [1, 0]).x
print(f"logits of the confidence × {scale:.3f} + {shift:.3f}")
with torch.no_grad():
    model.head.weight[0] *= scale
    model.head.bias[0] = scale * model.head.bias[0] + shift

tokens = torch.ones(2, 8, dtype=torch.long)
axes = {"input_ids": {0: "batch", 1: "sequence"}, "attention_mask": {0: "batch", 1: "sequence"}}
full = f"{target}.float32"
torch.onnx.export(
    model,
    (tokens, tokens),
    full,
    input_names=[*axes],
    output_names=["logits"],
    dynamic_axes={**axes, "logits": {0: "batch"}},
    dynamo=False,
    opset_version=17,
)
quantize_dynamic(full, target, weight_type=QuantType.QInt8, per_channel=True)
session = onnxruntime.InferenceSession(target)


def int8_logits_of(texts):
    # One at a time, as the service runs it: the scale of int8 activations depends on the neighbours in a batch.
    runs = ((ids.numpy(), mask.numpy()) for ids, mask in (encode([pair]) for pair in texts))
    feeds = ({"input_ids": ids, "attention_mask": mask} for ids, mask in runs)
    return np.concatenate([session.run(["logits"], feed)[0] for feed in feeds])


difference = np.abs(judge(int8_logits_of, rows) - judge(logits_by(model), rows))[:, 0]
print(f"{target}: the logit of the confidence differs by {difference.mean():.3f} from float32, at most {difference.max():.3f}")
