"""Writes a model's matrices as dynamic int8, as ready-made quantised CLIP packs are: quantize_onnx.py MODEL TARGET"""

import sys

from onnxruntime.quantization import QuantType, quantize_dynamic

model, target = sys.argv[1:]
quantize_dynamic(
    model, target, op_types_to_quantize=["MatMul", "Gemm"], per_channel=True, weight_type=QuantType.QInt8
)
