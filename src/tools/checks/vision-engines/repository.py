"""Writes a model repository for Triton: python3 repository.py FOLDER < models.json"""

import json
import pathlib
import sys

import onnxruntime

TYPES = {"tensor(float)": "TYPE_FP32", "tensor(int64)": "TYPE_INT64"}


def tensors(nodes, half):
    lines = []
    for node in nodes:
        kind = "TYPE_FP16" if half and node.type == "tensor(float)" else TYPES[node.type]
        sizes = ", ".join(str(size if isinstance(size, int) else -1) for size in node.shape[1:])
        lines.append(f'{{ name: "{node.name}" data_type: {kind} dims: [ {sizes} ] }}')
    return ", ".join(lines)


folder = pathlib.Path(sys.argv[1])
# Triton's interpreter knows nothing of this one's packages.
packages = str(pathlib.Path(onnxruntime.__file__).parent.parent)
program = pathlib.Path(__file__).with_name("model.py").read_text()
for model in json.load(sys.stdin):
    session = onnxruntime.InferenceSession(model["file"], providers=["CPUExecutionProvider"])
    version = folder / model["name"] / "1"
    version.mkdir(parents=True)
    (version / "model.py").write_text(f"import sys\n\nsys.path.insert(0, {packages!r})\n\n{program}")
    parameters = "".join(
        f'parameters {{ key: "{key}" value: {{ string_value: "{value}" }} }}\n'
        for key, value in {"file": model["file"], **model["parameters"]}.items()
    )
    (folder / model["name"] / "config.pbtxt").write_text(
        f'backend: "python"\nmax_batch_size: 64\n'
        f'input [ {tensors(session.get_inputs(), model["half"])} ]\n'
        f'output [ {tensors(session.get_outputs(), model["half"])} ]\n'
        f"instance_group [ {{ kind: KIND_CPU count: 1 }} ]\n{parameters}"
    )
