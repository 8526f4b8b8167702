"""Runs ONNX models on random photos: one JSON line {"batch", "runs"} in, one {"seconds"} out.

onnxruntime_peer.py THREADS CLIP_MODEL SAFETY_MODEL
"""

import json
import sys
import time

import numpy
import onnxruntime

threads, *files = sys.argv[1:]
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = int(threads)
options.log_severity_level = 3
sessions = [
    onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"]) for file in files
]
shapes = [(3, 224, 224), (224, 224, 3)]
names = [session.get_inputs()[0].name for session in sessions]

print(json.dumps({"version": onnxruntime.__version__}), flush=True)
for line in sys.stdin:
    task = json.loads(line)
    feeds = [
        {name: numpy.random.rand(task["batch"], *shape).astype(numpy.float32)}
        for name, shape in zip(names, shapes)
    ]
    started_at = time.perf_counter()
    for _ in range(task["runs"]):
        for session, feed in zip(sessions, feeds):
            session.run(None, feed)
    print(json.dumps({"seconds": time.perf_counter() - started_at}), flush=True)
