# SPDX-License-Identifier: MIT
"""Opens a saved model with Python's safetensors and does with its tensors what knotwork does.

Usage: model_file_python.py PROGRAM. Exits with 77, which ctest takes for skipped, when the modules
are not installed.
"""
import hashlib
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from safetensors import safe_open
    from safetensors.numpy import load_file
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def check(precision, scaling):
    def knotwork(*words):
        return subprocess.run([sys.argv[1], *words], check=True, capture_output=True, text=True).stdout

    result = json.loads(knotwork("train", "table.csv", "--hidden", "3", "--activation", "tanh",
                                 "--ensemble", "1", "--iterations", "5",
                                 "--precision", precision, "--scale-inputs", scaling,
                                 "--baselines", "none", "--json"))
    with safe_open("model.safetensors", framework="np") as file:
        record = json.loads(file.metadata()["knotwork"])
    tensors = load_file("model.safetensors")
    quantiles = {name for name in tensors if name.startswith("inputs.")}
    assert quantiles == ({"inputs.0.quantiles", "inputs.1.quantiles"}
                         if scaling == "quantile" else set())
    parameters = {name: t for name, t in tensors.items() if name not in quantiles}
    assert {name: t.shape for name, t in parameters.items()} == {
        "members.0.layers.0.weight": (3, 2), "members.0.layers.0.bias": (3,),
        "members.0.layers.1.weight": (1, 3), "members.0.layers.1.bias": (1,)}
    wanted = np.float32 if precision == "float" else np.float64
    assert all(t.dtype == wanted for t in parameters.values())
    assert all(tensors[name].dtype == np.float64 for name in quantiles)

    with open("model.safetensors", "rb") as file:
        raw = file.read()
    data = raw[8 + int.from_bytes(raw[:8], "little"):]
    assert hashlib.sha256(data).hexdigest() == result["parameters_sha256"]
    stated = record["sha256"]
    assert hashlib.sha256(raw.replace(stated.encode(), b"0" * 64)).hexdigest() == stated
    if scaling == "quantile":
        return

    # The whole prediction, computed from the file alone.
    x = np.loadtxt("table.csv", delimiter=",", skiprows=1)[:, :2]
    x = (x - [i["offset"] for i in record["inputs"]]) * [i["scale"] for i in record["inputs"]]
    layer = "members.0.layers."
    hidden = np.tanh(x @ tensors[layer + "0.weight"].T + tensors[layer + "0.bias"])
    y = hidden @ tensors[layer + "1.weight"].T + tensors[layer + "1.bias"]
    target = record["targets"][0]
    y = y[:, 0] / target["scale"] + target["offset"]
    predicted = np.array(knotwork("predict", "model.safetensors", "table.csv").split()[1:], float)
    np.testing.assert_allclose(predicted, y, rtol=1e-5 if precision == "float" else 1e-12)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("table.csv", "w") as table:
        table.write("a,b,y\n")
        for k in range(40):
            table.write(f"{k % 7},{k * 3 % 11},{k % 7 * 2 - k * 3 % 11 + 100}\n")
    for precision in ("float", "double"):
        for scaling in ("standard", "quantile"):
            check(precision, scaling)
    os.chdir("/")
print("Python's safetensors reads the same models.")
