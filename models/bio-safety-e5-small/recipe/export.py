"""
export.py weights.pt ../onnx/model.onnx: matrices in int8, word embeddings in the 4 bits that the base model has them in. Prints
how far its log-odds are from those in float32.
"""

import re
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

from corpus import read_texts
from model import Classifier, encode, log_odds, logits_by

BLOCK = 32
IR_VERSION_WITH_INT4 = 10
# The second matrix of each feed-forward block. A few of its inputs are tens of times larger than the others: with one scale for
# all of them, as the other matrices have it, nothing would be left of the small ones.
OUTLIERS = re.compile(r"layer\.\d+/output/dense/MatMul$")
# Inputs and weights of it that share a scale, each token by itself; as close to float32 as with 64, and faster.
OUTLIER_BLOCK = 128
# The level of MatMulNBits at which inputs are rounded too.
INT8_INPUTS = 4


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


def quantize_matrices(source, target):
    model = onnx.load(source)
    blocks = MatMulNBitsQuantizer(
        model,
        bits=8,
        block_size=OUTLIER_BLOCK,
        is_symmetric=True,
        accuracy_level=INT8_INPUTS,
        nodes_to_exclude=[node.name for node in model.graph.node if not OUTLIERS.search(node.name)],
    )
    blocks.process()
    quantize_dynamic(
        blocks.model.model,
        target,
        op_types_to_quantize=["MatMul", "Gemm"],
        weight_type=QuantType.QInt8,
        per_channel=True,
    )


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
    full = Path(weights).with_suffix(".onnx")
    export(model, full)
    quantize_matrices(full, target)
    pack_words(target)
    session = onnxruntime.InferenceSession(target)
    difference = np.abs(log_odds(logits_by_session(session), bios) - log_odds(logits_by(model), bios))
    size = Path(target).stat().st_size
    print(f"{size} bytes; log-odds differ by {difference.mean():.3f}, at most {difference.max():.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
