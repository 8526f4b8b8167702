"""A model of Triton's Python backend that runs an ONNX file: the wheel with the server has no backend for ONNX."""

import json

import numpy
import onnxruntime
import triton_python_backend_utils as triton


class TritonPythonModel:
    def initialize(self, args):
        config = json.loads(args["model_config"])
        parameters = {name: value["string_value"] for name, value in config["parameters"].items()}
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(parameters["threads"])
        options.enable_mem_pattern = False
        if parameters["unsigned_weights"] == "1":
            # As the service does where products of 8 bits saturate.
            options.add_session_config_entry("session.x64quantprecision", "1")
        self.session = onnxruntime.InferenceSession(
            parameters["file"], options, providers=["CPUExecutionProvider"]
        )
        self.output = config["output"][0]["name"]
        self.types = {
            tensor["name"]: triton.triton_string_to_numpy(tensor["data_type"])
            for tensor in config["output"]
        }

    def execute(self, requests):
        return [self.run(request) for request in requests]

    def run(self, request):
        feeds = {}
        for tensor in request.inputs():
            array = tensor.as_numpy()
            feeds[tensor.name()] = array.astype(numpy.float32) if array.dtype == numpy.float16 else array
        (rows,) = self.session.run([self.output], feeds)
        rows = rows.astype(self.types[self.output])
        return triton.InferenceResponse([triton.Tensor(self.output, rows)])
