# SPDX-License-Identifier: MIT
"""Opens a table file with Python's safetensors and exchanges arrays with NumPy.

Usage: table_file_python.py PROGRAM. Exits with 77, which ctest takes for skipped, when the modules
are not installed.
"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from safetensors import safe_open
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def knotwork(*words):
    return subprocess.run([sys.argv[1], *words], check=True, capture_output=True, text=True).stdout


def check_columns():
    with open("table.csv", "w") as file:
        file.write("x,colour,half,gap\n0.1,red,0.5,\n-3,blue,1.5,7\n1e300,,2.5,8\n")
    knotwork("convert", "table.csv", "table.safetensors")
    with safe_open("table.safetensors", framework="numpy") as file:
        record = json.loads(file.metadata()["knotwork"])
        columns = {name: file.get_tensor(name) for name in file.keys()}
    assert [column["name"] for column in record["columns"]] == ["x", "colour", "half", "gap"]
    assert columns["x"].dtype == np.float64 and columns["x"].tolist() == [0.1, -3, 1e300]
    assert columns["half"].dtype == np.float32 and columns["half"].tolist() == [0.5, 1.5, 2.5]
    assert np.isnan(columns["gap"][0]) and columns["gap"][1:].tolist() == [7, 8]
    assert record["columns"][1]["categories"] == ["blue", "red"]
    assert columns["colour"].dtype == np.uint8 and columns["colour"].tolist() == [1, 0, 2]


def check_arrays():
    numbers = np.random.default_rng(1).normal(size=(1000, 4))
    for array in (numbers, np.asfortranarray(numbers), numbers.astype(np.float32), numbers[:, 0]):
        np.save("array.npy", array)
        knotwork("convert", "array.npy", "array.safetensors")
        knotwork("convert", "array.safetensors", "back.npy")
        back = np.load("back.npy")
        assert back.dtype == array.dtype
        assert np.array_equal(back, array.reshape(1000, -1))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_columns()
    check_arrays()
