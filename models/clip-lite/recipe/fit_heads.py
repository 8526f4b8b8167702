"""
Both towers from the trunks and captions.tsv: fit_heads.py TRUNKS OUT

TRUNKS is the folder that export_trunks.py wrote, OUT the pack: its tokenizer.json is read, and onnx/vision_model.onnx and
onnx/text_model.onnx are written.

The text head subtracts the mean embedding of all captions. The image head mixes the captions of the classes by their probabilities
(ConSE, M. Norouzi et al., arXiv:1312.5650):

    image_embeds = unit(sum over classes of p(class) · unit(mean of unit(caption − mean)) + DOUBT · unit(rest))

`rest` is a projection of the logits into the 64 directions of which texts have least. Where the classifier is unsure, the sum is short,
and the rest holds the embedding away from every text; photos remain comparable with each other. No photo takes part in the fit.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
import onnxruntime
from tokenizers import Tokenizer

# Chosen on photos of ImageNet classes with tags that language models wrote for them: README.md.
DOUBT = 0.5
REST = 64
CAPTIONS = Path(__file__).with_name("captions.tsv")
CLASSES = 1000
SIZE = 384


def read_captions():
    """[classes] lists of captions, in the order of the classifier."""
    rows = [line.split("\t") for line in CAPTIONS.read_text().splitlines()]
    if [int(number) for number, *_ in rows] != list(range(CLASSES)):
        raise SystemExit(f"{CAPTIONS} must have one line for each class, in order.")
    return [captions for _, *captions in rows]


def load_tokenizer(pack):
    tokenizer = Tokenizer.from_file(str(pack / "tokenizer.json"))
    tokenizer.no_padding()
    return tokenizer


def embed(session, tokenizer, texts):
    """[texts, d], each alone: the scale of int8 activations depends on the neighbours in a batch."""

    def run(text):
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        return session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]

    return np.stack([run(text) for text in texts])


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def classifier_of(trunk):
    """[classes, features] weights."""
    (weights,) = (tensor for tensor in trunk.graph.initializer if len(tensor.dims) == 2 and tensor.dims[0] == CLASSES)
    return numpy_helper.to_array(weights)


def project_rest(classifier, embeddings):
    """[classes, d]: from the principal directions of the classifier's weights to those of which texts have least."""
    principal, _, _ = np.linalg.svd(classifier - classifier.mean(0), full_matrices=False)
    _, directions = np.linalg.eigh(embeddings.T @ embeddings)
    projection = principal[:, :REST] @ directions[:, :REST].T
    # The mean of the logits says nothing.
    return projection - projection.mean(0)


def add_unit_norm(graph, source, output):
    norm = f"{source}_norm"
    graph.node.append(helper.make_node("ReduceL2", [source], [norm], axes=[-1], keepdims=1))
    graph.node.append(helper.make_node("Div", [source, norm], [output]))


def replace_output(graph, output):
    """Renames the only output, for the head to read, and declares `output`."""
    (old,) = graph.output
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info(output, TensorProto.FLOAT, ["batch", SIZE]))
    if old.name != output:
        return old.name
    for node in graph.node:
        node.output[:] = ["trunk_output" if name == output else name for name in node.output]
    return "trunk_output"


def add_constants(graph, constants):
    for name, value in constants.items():
        graph.initializer.append(numpy_helper.from_array(np.asarray(value, np.float32), name))


def add_text_head(model, mean):
    graph = model.graph
    source = replace_output(graph, "text_embeds")
    add_constants(graph, {"head_mean": mean})
    graph.node.append(helper.make_node("Sub", [source, "head_mean"], ["head_centred"]))
    add_unit_norm(graph, "head_centred", "text_embeds")


def add_image_head(model, directions, rest):
    graph = model.graph
    logits = replace_output(graph, "image_embeds")
    add_constants(graph, {"head_directions": directions, "head_projection": rest, "head_doubt": DOUBT})
    graph.node.append(helper.make_node("Softmax", [logits], ["head_probabilities"], axis=-1))
    graph.node.append(helper.make_node("MatMul", ["head_probabilities", "head_directions"], ["head_mixture"]))
    graph.node.append(helper.make_node("MatMul", [logits, "head_projection"], ["head_projected"]))
    add_unit_norm(graph, "head_projected", "head_rest")
    graph.node.append(helper.make_node("Mul", ["head_rest", "head_doubt"], ["head_scaled_rest"]))
    graph.node.append(helper.make_node("Add", ["head_mixture", "head_scaled_rest"], ["head_sum"]))
    add_unit_norm(graph, "head_sum", "image_embeds")


def store_as_int8(model):
    """Stores large weights as int8 per channel, cast and scaled when a session is created: a quarter of the size, fp32 arithmetic."""
    graph = model.graph
    users = {name: node for node in graph.node for name in node.input}
    kept, casts = [], []
    for tensor in graph.initializer:
        weights = numpy_helper.to_array(tensor)
        if weights.dtype != np.float32 or weights.size <= 1024 or weights.ndim < 2:
            kept.append(tensor)
            continue
        node = users[tensor.name]
        attributes = {attribute.name: attribute for attribute in node.attribute}
        is_transposed = "transB" in attributes and attributes["transB"].i == 1
        channel = 1 if node.op_type == "MatMul" or (node.op_type == "Gemm" and not is_transposed) else 0
        others = tuple(axis for axis in range(weights.ndim) if axis != channel)
        scale = np.abs(weights).max(axis=others, keepdims=True) / 127
        scale[scale == 0] = 1
        stored, factor, cast = (f"{tensor.name}_{part}" for part in ("int8", "scale", "cast"))
        kept.append(numpy_helper.from_array(np.round(weights / scale).astype(np.int8), stored))
        kept.append(numpy_helper.from_array(scale.astype(np.float32), factor))
        casts.append(helper.make_node("Cast", [stored], [cast], to=TensorProto.FLOAT))
        casts.append(helper.make_node("Mul", [cast, factor], [tensor.name]))
    nodes = [*casts, *graph.node]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)


def save(model, target):
    onnx.checker.check_model(model)
    onnx.save(model, target)
    print(f"{target}: {target.stat().st_size:,} bytes")


def main():
    trunks, pack = map(Path, sys.argv[1:])
    captions = read_captions()
    session = onnxruntime.InferenceSession(trunks / "text_trunk.onnx")
    embeddings = embed(session, load_tokenizer(pack), [text for texts in captions for text in texts])
    mean = embeddings.mean(0)
    ends = np.cumsum([len(texts) for texts in captions])
    classes = np.split(unit(embeddings - mean), ends[:-1])
    directions = unit(np.stack([of_class.mean(0) for of_class in classes]))

    text_tower = onnx.load(trunks / "text_trunk.onnx")
    add_text_head(text_tower, mean)
    save(text_tower, pack / "onnx" / "text_model.onnx")
    image_tower = onnx.load(trunks / "image_trunk.onnx")
    add_image_head(image_tower, directions, project_rest(classifier_of(image_tower), embeddings))
    store_as_int8(image_tower)
    save(image_tower, pack / "onnx" / "vision_model.onnx")


if __name__ == "__main__":
    main()
