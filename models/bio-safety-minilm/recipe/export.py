"""weights.pt -> ../onnx/model.onnx, int8, and how far its logits are from those in float32."""

import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from corpus import read_texts
from model import Classifier, encode, log_odds, logits_by

weights, target = Path(sys.argv[1]), Path(sys.argv[2])
model = Classifier()
model.load_state_dict(torch.load(weights))
model.eval()
tokens = torch.ones(2, 8, dtype=torch.long)
axes = {"input_ids": {0: "batch", 1: "sequence"}, "attention_mask": {0: "batch", 1: "sequence"}}
full = weights.with_suffix(".onnx")
torch.onnx.export(
    model,
    (tokens, tokens),
    str(full),
    input_names=[*axes],
    output_names=["logits"],
    dynamic_axes={**axes, "logits": {0: "batch"}},
    dynamo=False,
    opset_version=17,
)
quantize_dynamic(str(full), str(target), weight_type=QuantType.QInt8, per_channel=True)
session = onnxruntime.InferenceSession(str(target))


def logits_of(texts):
    # One at a time, as the service runs it: the scale of int8 activations depends on the neighbours in a batch.
    runs = ((ids.numpy(), mask.numpy()) for ids, mask in (encode([text]) for text in texts))
    feeds = ({"input_ids": ids, "attention_mask": mask} for ids, mask in runs)
    return np.concatenate([session.run(["logits"], feed)[0] for feed in feeds])


bios = [text for text, *_ in read_texts()[::40]]
difference = np.abs(log_odds(logits_of, bios) - log_odds(logits_by(model), bios))
print(f"{target.stat().st_size} bytes; log-odds differ by {difference.mean():.3f}, at most {difference.max():.3f}")
