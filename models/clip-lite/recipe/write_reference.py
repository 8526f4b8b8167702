"""
reference.json of the pack: write_reference.py PACK PHOTOS

Embeddings of the bundled photos and of seven captions, and their similarities, with Pillow and Python onnxruntime.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image

from fit_heads import embed, load_tokenizer

SIZE = 260
PHOTOS = ["astronaut.jpg", "cat.jpg", "coffee.jpg", "rocket.jpg", "temple.jpg", "flower.jpg"]
CAPTIONS = [
    "a photo of a cat",
    "a cup of coffee",
    "an astronaut in an orange suit",
    "a rocket launch",
    "a temple in China",
    "a close-up of a flower",
    "a dog running on a beach",
]


def prepare(file):
    photo = Image.open(file).convert("RGB")
    scale = SIZE / min(photo.size)
    photo = photo.resize([max(SIZE, round(side * scale)) for side in photo.size], Image.BICUBIC)
    left, top = ((side - SIZE) // 2 for side in photo.size)
    pixels = np.asarray(photo.crop((left, top, left + SIZE, top + SIZE)), np.float32)
    return ((pixels - 127) / 128).transpose(2, 0, 1)[None]


def rounded(vector, decimals):
    return [round(float(value), decimals) for value in vector]


def main():
    pack, photos = map(Path, sys.argv[1:])
    vision = onnxruntime.InferenceSession(pack / "onnx" / "vision_model.onnx")
    text = onnxruntime.InferenceSession(pack / "onnx" / "text_model.onnx")

    images = {name: vision.run(None, {"pixel_values": prepare(photos / name)})[0][0] for name in PHOTOS}
    texts = dict(zip(CAPTIONS, embed(text, load_tokenizer(pack), CAPTIONS)))
    similarity = {
        name: {caption: round(float(image @ texts[caption]), 4) for caption in CAPTIONS} for name, image in images.items()
    }
    reference = {
        "image_embeds": {name: rounded(image, 5) for name, image in images.items()},
        "text_embeds": {caption: rounded(embedding, 5) for caption, embedding in texts.items()},
        "similarity": similarity,
    }
    (pack / "reference.json").write_text(json.dumps(reference))


if __name__ == "__main__":
    main()
