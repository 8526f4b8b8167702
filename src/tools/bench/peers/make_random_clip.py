"""Writes a CLIP ViT-B/32 with random weights in the layout that a Python CLIP server loads: make_random_clip.py FOLDER"""

import json
import sys
from pathlib import Path

from transformers import CLIPConfig, CLIPImageProcessor, CLIPModel, CLIPTokenizer

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
CLIPModel(CLIPConfig()).save_pretrained(folder)
CLIPImageProcessor().save_pretrained(folder)

# Speed of the photo tower does not depend on the words that the tokenizer knows.
words = ["a", "b", "a</w>", "b</w>", "<|startoftext|>", "<|endoftext|>"]
vocabulary, merges = folder / "vocab.json", folder / "merges.txt"
vocabulary.write_text(json.dumps({word: index for index, word in enumerate(words)}))
merges.write_text("#version: 0.2\n")
CLIPTokenizer(str(vocabulary), str(merges), model_max_length=77).save_pretrained(folder)
processor = {"processor_class": "CLIPProcessor"}
for file in ("preprocessor_config.json", "tokenizer_config.json"):
    path = folder / file
    path.write_text(json.dumps({**json.loads(path.read_text()), **processor}))
