# SPDX-License-Identifier: MIT
"""The Python side of scripts/bench: PyTorch, scikit-learn and pandas.

Answers lines like worker.cpp and measures in the same way (keep both alike). The number of threads
is fixed for the process: the environment sets it before the libraries are loaded.

    about                               JSON: version, BLAS and, if it must not be timed, why
    prepare|time|write DIR  torch-gradient SHAPE ROWS spline|spline-index|tanh DIR
                            sklearn-epoch SHAPE ROWS BATCH DIR
                            pandas-csv FILE
DIR at the end of a job contains the problem as worker.cpp wrote it.
"""

import importlib
import json
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any, Callable, NamedTuple

SLOT_NS = 50e6
BATCH_NS = 2e6
THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))
SLOW = ("the reference BLAS", "none that is known")


class Job(NamedTuple):
    run: Callable[[], Any]
    write: Callable[[Path], None]
    remark: str = ""


def mapped_blas() -> str:
    """The BLAS that this process has actually loaded, whatever packages report."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {os.path.realpath(line.split()[-1]).lower() for line in maps if "/" in line}
    # The products come from libblas if it is a separate library; another fast BLAS in memory may be
    # used by LAPACK only.
    plain = {file for file in files if os.path.basename(file).startswith("libblas.so")}
    files = plain or files
    for name, part in [("OpenBLAS", "openblas"), ("MKL", "libmkl_"), ("BLIS", "blis"),
                       ("ATLAS", "atlas")]:
        if any(part in file for file in files):
            return f"{name} {blas_version()}".strip()
    return SLOW[0] if plain else SLOW[1]


def blas_version() -> str:
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        return ""
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return " ".join(f"{pool['version']} {pool.get('architecture', '')}" for pool in pools).strip()


def about() -> dict[str, dict[str, str]]:
    """The installed libraries, and which of them may be timed."""
    found: dict[str, dict[str, str]] = {}
    for peer, module in [("PyTorch", "torch"), ("scikit-learn", "sklearn.neural_network"),
                         ("pandas", "pandas")]:
        try:
            importlib.import_module(module)
        except ImportError as error:
            found[peer] = {"missing": str(error)}
            continue
        found[peer] = {"version": sys.modules[module.split(".")[0]].__version__}
    blas = mapped_blas()
    for peer in ("PyTorch", "scikit-learn"):
        if "missing" in found[peer]:
            continue
        own = blas
        if peer == "PyTorch":
            import torch
            built_with = torch.__config__.show()
            if "BLAS_INFO=mkl" in built_with:
                own = "MKL"  # linked into PyTorch itself
            if torch.get_num_threads() != THREADS:
                found[peer]["refused"] = (f"PyTorch has {torch.get_num_threads()} threads where it "
                                          f"was given {THREADS}.")
            for capability in ("AVX512", "AVX2", "DEFAULT"):
                if f"CPU capability usage: {capability}" in built_with:
                    found[peer]["version"] += f" ({capability})"
                    break
        found[peer]["blas"] = own
        if own in SLOW and "refused" not in found[peer]:
            found[peer]["refused"] = (
                f"{peer} has not loaded a fast BLAS but {own}, which makes it many times slower "
                "than it can be; install OpenBLAS (scripts/setup bench) or choose it with "
                "'update-alternatives --config libblas.so.3-$(uname -m)-linux-gnu'.")
    return found


def layers_of(shape: str) -> list[tuple[int, int]]:
    sizes = [int(size) for size in shape.split("-")]
    return list(zip(sizes[:-1], sizes[1:]))


def write_result(path: Path, loss: float, gradients: list[Any]) -> None:
    import numpy as np
    np.concatenate([[loss]] + [np.ravel(part) for part in gradients]).astype("f8").tofile(path)


def warm_up(run: Callable[[], Any]) -> None:
    """The first calls choose algorithms and grow pools."""
    end = time.perf_counter_ns() + 1e9
    for _ in range(6):
        run()
        if time.perf_counter_ns() > end:
            return


def torch_gradient(shape: str, rows: str, activation: str, folder: str) -> Job:
    import numpy as np
    import torch
    from torch.nn.functional import linear

    is_spline = activation.startswith("spline")
    knots, first, step = 21, -2.0, 0.2
    spans = knots - 3

    def pick_by_gather(points: Any, span: Any) -> list[Any]:
        by_point = points.t()
        return [by_point.gather(0, span + k) for k in range(4)]

    def pick_by_index(points: Any, span: Any) -> list[Any]:
        at = (span + torch.arange(0, points.numel(), knots)).reshape(-1)
        return [points.reshape(-1).index_select(0, at + k).reshape(span.shape) for k in range(4)]

    def spline(s: Any, points: Any, pick: Callable[[Any, Any], list[Any]]) -> Any:
        """Cubic Catmull-Rom curves with straight tails; s is [rows, neurons]."""
        t = (s - (first + step)) * (1 / step)
        inside = t.clamp(0, spans)
        span = inside.detach().to(torch.int64).clamp_(max=spans - 1)
        u = inside - span
        q0, q1, q2, q3 = pick(points, span)
        c3 = 1.5 * (q1 - q2) + 0.5 * (q3 - q0)
        c2 = q0 - 2.5 * q1 + 2 * q2 - 0.5 * q3
        c1 = 0.5 * (q2 - q0)
        value = ((c3 * u + c2) * u + c1) * u + q1
        return value + (t - inside) * ((3 * c3 * u + 2 * c2) * u + c1)

    x = torch.from_numpy(np.fromfile(Path(folder, "inputs"), "f4").reshape(int(rows), -1))
    d = torch.from_numpy(np.fromfile(Path(folder, "targets"), "f4").reshape(int(rows), -1))
    numbers = torch.from_numpy(np.fromfile(Path(folder, "parameters"), "f4"))
    parameters: list[Any] = []
    for inputs, outputs in layers_of(shape):
        own = [(outputs, inputs), (outputs,)] + ([(outputs, knots)] * is_spline)
        for extents in own:
            size = int(np.prod(extents))
            parameters.append(numbers[:size].reshape(extents).clone().requires_grad_())
            numbers = numbers[size:]
    assert numbers.numel() == 0
    each = 3 if is_spline else 2
    pick = pick_by_index if activation == "spline-index" else pick_by_gather

    def run() -> tuple[Any, Any]:
        y = x
        for k in range(0, len(parameters), each):
            s = linear(y, parameters[k], parameters[k + 1])
            y = spline(s, parameters[k + 2], pick) if is_spline else torch.tanh(s)
        loss = (y - d).square().sum() / len(x)
        return loss, torch.autograd.grad(loss, parameters)

    def write(to: Path) -> None:
        loss, gradients = run()
        write_result(to / "peer", loss.item(), [part.numpy() for part in gradients])

    return Job(run, write)


def sklearn_epoch(shape: str, rows: str, batch: str, folder: str) -> Job:
    import numpy as np
    from sklearn.neural_network import MLPRegressor

    x = np.fromfile(Path(folder, "inputs"), "f4").reshape(int(rows), -1)
    d = np.fromfile(Path(folder, "targets"), "f4")
    hidden = tuple(outputs for _, outputs in layers_of(shape)[:-1])

    def make(**options: Any) -> Any:
        return MLPRegressor(hidden, activation="tanh", alpha=0.0, random_state=1, **options)

    model = make(solver="adam", batch_size=int(batch))

    def write(to: Path) -> None:
        """A step of plain descent over all rows at rate 1 is the gradient (of half the loss)."""
        check = make(solver="sgd", batch_size=len(x), learning_rate_init=1.0, momentum=0.0)
        check.partial_fit(x, d)
        numbers = np.fromfile(Path(folder, "parameters"), "f4")
        start: list[Any] = []
        for k, (inputs, outputs) in enumerate(layers_of(shape)):
            weight, bias, numbers = np.split(numbers, [inputs * outputs, (inputs + 1) * outputs])
            check.coefs_[k][...] = weight.reshape(outputs, inputs).T
            check.intercepts_[k][...] = bias
            start += [weight, bias]
        loss = np.mean((check.predict(x) - d) ** 2)
        check.partial_fit(x, d)
        end: list[Any] = []
        for weight, bias in zip(check.coefs_, check.intercepts_):
            end += [weight.T.ravel(), bias]
        write_result(to / "peer", loss, [2 * (a - b) for a, b in zip(start, end)])

    return Job(lambda: model.partial_fit(x, d), write)


def pandas_csv(path: str) -> Job:
    import pandas

    def run() -> Any:
        return pandas.read_csv(path, engine="c", low_memory=False)

    return Job(run, lambda to: run().to_numpy().ravel(order="F").tofile(to / "peer"))


class PreparedJob:
    def __init__(self, job: Job) -> None:
        self.job = job
        self.batch = 1
        warm_up(job.run)
        while self.measure()[0] < BATCH_NS:
            self.batch *= 2

    def measure(self) -> tuple[int, int]:
        """Nanoseconds by the clock and of the processor."""
        processor, start = time.process_time_ns(), time.perf_counter_ns()
        for _ in range(self.batch):
            self.job.run()
        return time.perf_counter_ns() - start, time.process_time_ns() - processor

    def time(self) -> str:
        self.job.run()
        wall, processor = map(list, zip(self.measure()))
        while sum(wall) < SLOT_NS:
            for times, each in zip((wall, processor), self.measure()):
                times.append(each)
        return " ".join(f"{value / self.batch}" for times in (wall, processor)
                        for value in (min(times), sum(times) / len(times)))


MAKERS = {"torch-gradient": torch_gradient, "sklearn-epoch": sklearn_epoch,
          "pandas-csv": pandas_csv}


def answer(line: str, jobs: dict[str, PreparedJob]) -> str:
    verb, *words = line.split()
    if verb == "about":
        return json.dumps(about())
    folder = Path(words.pop(0)) if verb == "write" else Path()
    name = " ".join(words)
    if name not in jobs:
        jobs[name] = PreparedJob(MAKERS[words[0]](*words[1:]))
    if verb == "time":
        return jobs[name].time()
    if verb == "write":
        jobs[name].job.write(folder)
        return ""
    return jobs[name].job.remark


def main() -> None:
    warnings.filterwarnings("ignore")  # e.g. that an epoch has not converged
    jobs: dict[str, PreparedJob] = {}
    for line in sys.stdin:
        try:
            print("ok", answer(line, jobs), flush=True)
        except Exception as error:  # report any error to the other side
            print("error", type(error).__name__, str(error).replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
