"""
export.py weights.pt ../onnx/model.onnx: matrices in int8, word embeddings in the 4 bits that the base model has them in. Prints
how far its log-odds are from those in float32.
"""

import copy
import re
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from corpus import read_texts
from model import Classifier, encode, log_odds, logits_by

BLOCK = 32
IR_VERSION_WITH_INT4 = 10
# Layers whose inputs have a few values that are tens of times larger than the others.
SMOOTHED = re.compile(r"layer\.\d+\.(intermediate|output)\.dense$")


class Smoothed(torch.nn.Module):
    """
    Divides channels of its input and multiplies their weights, so that one scale of 8 bits fits all of the input: G. Xiao et al.,
    "SmoothQuant", arXiv:2211.10438, with a strength of 0.5.
    """

    def __init__(self, linear, largest):
        super().__init__()
        factor = (largest.clamp(min=1e-5) / linear.weight.abs().amax(0).clamp(min=1e-5)).sqrt()
        self.factor = torch.nn.Parameter(1 / factor, requires_grad=False)
        self.linear = linear
        linear.weight.data = linear.weight.data * factor

    def forward(self, states):
        return self.linear(states * self.factor)


def smooth(model, texts):
    """texts: of which the largest input of each channel is taken."""
    layers = {name: layer for name, layer in model.enc.named_modules() if SMOOTHED.search(name)}
    largest = {}

    def watch(name):
        def note(_, inputs):
            found = inputs[0].flatten(0, 1).abs().amax(0)
            largest[name] = torch.maximum(largest.get(name, found), found)

        return note

    hooks = [layer.register_forward_pre_hook(watch(name)) for name, layer in layers.items()]
    with torch.inference_mode():
        for text in texts:
            model(*encode([text]))
    for hook in hooks:
        hook.remove()
    for name, layer in layers.items():
        parent, _, child = name.rpartition(".")
        setattr(model.enc.get_submodule(parent), child, Smoothed(layer, largest[name]))


def export(model, target):
    tokens = torch.ones(2, 8, dtype=torch.long)
    axes = {"input_ids": {0: "batch", 1: "sequence"}, "attention_mask": {0: "batch", 1: "sequence"}}
    torch.onnx.export(
        model,
        (tokens, tokens),
        str(target),
        input_names=[*axes],
        output_names=["logits"],
        dynamic_axes={**axes, "logits": {0: "batch"}},
        dynamo=False,
        opset_version=17,
    )


def pack_words(file):
    """Stores word embeddings as they were before: blocks of 32 along a row, w = scale * n, n of 4 bits with sign."""
    graph_model = onnx.load(file)
    graph = graph_model.graph
    words = max(graph.initializer, key=lambda tensor: np.prod(tensor.dims))
    blocks = numpy_helper.to_array(words).reshape(words.dims[0], -1, BLOCK)
    # The weight of a block that is farthest from zero has n = -8.
    farthest = np.take_along_axis(blocks, np.abs(blocks).argmax(2)[..., None], 2)[..., 0]
    scales = np.where(farthest == 0, 1, farthest / -8).astype(np.float32)
    levels = np.rint(blocks / scales[..., None]).astype(np.int8)
    assert np.abs(levels * scales[..., None] - blocks).max() < 1e-6
    nibbles = (levels.reshape(-1, 2) & 15).astype(np.uint8)
    bits = (nibbles[:, 0] | nibbles[:, 1] << 4).tobytes()
    packed = helper.make_tensor("words", TensorProto.INT4, words.dims, bits, raw=True)
    for node in graph.node:
        if words.name in node.input:
            assert node.op_type == "Gather"
            node.op_type, node.domain = "GatherBlockQuantized", "com.microsoft"
            node.input[:] = ["words", node.input[1], "word_scales"]
            del node.attribute[:]
            settings = {"gather_axis": 0, "quantize_axis": 1, "block_size": BLOCK, "bits": 4}
            node.attribute.extend(helper.make_attribute(name, value) for name, value in settings.items())
    graph.initializer.remove(words)
    graph.initializer.extend([packed, numpy_helper.from_array(scales, "word_scales")])
    if not any(opset.domain == "com.microsoft" for opset in graph_model.opset_import):
        graph_model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    graph_model.ir_version = max(graph_model.ir_version, IR_VERSION_WITH_INT4)
    onnx.save(graph_model, file)


def logits_by_session(session):
    # One at a time: the scale of int8 activations depends on the neighbours in a batch.
    def logits_of(texts):
        runs = ((ids.numpy(), mask.numpy()) for ids, mask in (encode([text]) for text in texts))
        feeds = ({"input_ids": ids, "attention_mask": mask} for ids, mask in runs)
        return np.concatenate([session.run(["logits"], feed)[0] for feed in feeds])

    return logits_of


def main(weights, target):
    model = Classifier()
    model.load_state_dict(torch.load(weights))
    model.eval()
    bios = [text for text, *_ in read_texts()[::60]]
    smoothed = copy.deepcopy(model)
    smooth(smoothed, bios)
    full = Path(weights).with_suffix(".onnx")
    export(smoothed, full)
    quantize_dynamic(
        str(full), target, op_types_to_quantize=["MatMul", "Gemm"], weight_type=QuantType.QInt8, per_channel=True
    )
    pack_words(target)
    session = onnxruntime.InferenceSession(target)
    difference = np.abs(log_odds(logits_by_session(session), bios) - log_odds(logits_by(model), bios))
    size = Path(target).stat().st_size
    print(f"{size} bytes; log-odds differ by {difference.mean():.3f}, at most {difference.max():.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
