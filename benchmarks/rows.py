# SPDX-License-Identifier: MIT
"""The measurements, their peers and the bars. Times are of one repetition; lower is better."""

from dataclasses import dataclass

CALIFORNIA = 14448  # rows of the training part of California Housing
SHAPES = {"8-5-1": CALIFORNIA, "8-64-1": CALIFORNIA, "64-64-1": 8192, "256-256-10": 4096}
MILLION = 1_000_000
MEMORY_ROWS = 16_000_000
STORED_ROWS = 2_000_000
RANK_ROWS = 4_000_000
# Files in the temporary folder, and the jobs that write them on request.
FILES = {"table.csv": f"write-csv {MILLION}", "table.safetensors": f"write-table {STORED_ROWS}"}


@dataclass(frozen=True)
class Measure:
    """A job of a worker: "cpp", "ranks" (its processes under MPI), or the Python one with "one"
    thread or "all" of them."""

    worker: str
    job: str  # "{tmp}" is the temporary folder, "{memory}" one that is not on a disk
    library: str = "Knotwork"
    # For a peer: our job that writes the problem for it (into the folder of that name) and must
    # give the same numbers.
    same_as: str = ""
    folder: str = ""
    threads: int = 1


@dataclass(frozen=True)
class Row:
    id: str
    group: str
    what: str
    ours: Measure
    peer_name: str
    peer: Measure | float  # a number is a time in nanoseconds
    bar: float | None = None  # for ours / peer; none: only reported
    # Compares our speed-up (first, then `ours`) with that of independent loops.
    speed_up: tuple[Measure, Measure, Measure] | None = None


def gradient(shape: str, activation: str, rows: int = 0, precision: str = "float",
             threads: int = 1, knots: int = 21) -> Measure:
    rows = rows or SHAPES[shape]
    job = f"gradient {shape} {rows} {activation} {precision} {threads} {knots}"
    return Measure("cpp", job, threads=threads)


def torch(shape: str, activation: str, threads: int = 1) -> Measure:
    """Splines are "spline", the usual way by gather, or "spline-index", by index_select."""
    ours = activation.split("-")[0]
    folder = f"{shape}-{ours}"
    return Measure("one" if threads == 1 else "all",
                   f"torch-gradient {shape} {SHAPES[shape]} {activation} {{tmp}}/{folder}",
                   "PyTorch", gradient(shape, ours).job, folder, threads)


def eigen(shape: str) -> Measure:
    return Measure("cpp", f"eigen-gradient {shape} {SHAPES[shape]}", "Eigen",
                   gradient(shape, "tanh").job, f"{shape}-tanh")


def gradient_rows(shape: str, spline_bars: dict[str, float]) -> list[Row]:
    group = f"Full gradient of {shape} on {SHAPES[shape]} rows"
    spline, tanh = gradient(shape, "spline"), gradient(shape, "tanh")
    rows = []
    for key, name, peer in [("torch-spline", "PyTorch spline", torch(shape, "spline")),
                            ("torch-spline-index", "PyTorch spline by index_select",
                             torch(shape, "spline-index")),
                            ("torch-tanh", "PyTorch tanh", torch(shape, "tanh")),
                            ("eigen-tanh", "Eigen tanh", eigen(shape)),
                            ("own-tanh", "our own tanh", tanh)]:
        rows.append(Row(f"gradient-{shape}-vs-{key}", group, "spline", spline, name, peer,
                        spline_bars.get(key)))
    for key, name, peer in [("torch-tanh", "PyTorch tanh", torch(shape, "tanh")),
                            ("eigen-tanh", "Eigen tanh", eigen(shape))]:
        rows.append(Row(f"own-tanh-{shape}-vs-{key}", group, "our own tanh", tanh, name, peer, 1.0))
    return rows


def all_threads_rows(shape: str, cores: int) -> list[Row]:
    """As above on all cores, without bars, because the gain depends on the machine."""
    group = f"Full gradient on all {cores} cores"
    return [Row(f"{id}-all-threads", group, f"{shape} {ours}",
                gradient(shape, ours, threads=cores), name, torch(shape, peer, cores))
            for id, ours, name, peer in [
                (f"gradient-{shape}-vs-torch-spline", "spline", "PyTorch spline", "spline"),
                (f"gradient-{shape}-vs-torch-spline-index", "spline",
                 "PyTorch spline by index_select", "spline-index"),
                (f"gradient-{shape}-vs-torch-tanh", "spline", "PyTorch tanh", "tanh"),
                (f"own-tanh-{shape}-vs-torch-tanh", "tanh", "PyTorch tanh", "tanh")]]


def growth_rows() -> list[Row]:
    group = "How cost grows (spline, against ourselves)"
    rows = []
    for shape in ("8-5-1", "8-64-1"):
        base = gradient(shape, "spline")
        rows.append(Row(f"rows-double-{shape}", group, f"{shape}, 28896 rows",
                        gradient(shape, "spline", rows=2 * CALIFORNIA), "14448 rows", base, 2.1))
    for shape, twice in [("8-64-1", "8-128-1"), ("64-64-1", "64-128-1")]:
        rows.append(Row(f"neurons-double-{shape}", group, twice,
                        gradient(twice, "spline", rows=SHAPES[shape]), shape,
                        gradient(shape, "spline"), 2.1))
    for shape in ("8-5-1", "8-64-1"):
        rows.append(Row(f"control-points-{shape}", group, f"{shape}, 1025 control points",
                        gradient(shape, "spline", knots=1025), "21 control points",
                        gradient(shape, "spline"), 2.0))
    rows.append(Row("double-8-5-1", group, "8-5-1 in double",
                    gradient("8-5-1", "spline", precision="double"), "float",
                    gradient("8-5-1", "spline"), 2.2))
    return rows


def two_threads_row() -> Row:
    # Ours on two threads, against its time with the speed-up of the loops.
    two = gradient("8-64-1", "spline", threads=2)
    return Row("two-threads-8-64-1", "Threads", "8-64-1 on two threads", two,
               "with the speed-up of independent loops", 0.0, 1 / 0.9,
               (gradient("8-64-1", "spline"), Measure("cpp", "multiply-add 1"),
                Measure("cpp", "multiply-add 2", threads=2)))


def two_ranks_row() -> Row:
    """As above for two processes; the loops are the same gradients of half the rows, without a
    message."""

    def measure(mode: str) -> Measure:
        return Measure("ranks", f"gradient 8-5-1 {RANK_ROWS} {mode}", "MPI", threads=2)

    return Row("two-ranks-8-5-1", f"Ranks, full gradient on {RANK_ROWS // 10**6} million rows",
               "8-5-1 spline on two ranks", measure("shared"),
               "with the speed-up of independent processes", 0.0, 1 / 0.9,
               (measure("one"), measure("part"), measure("parts")))


def streaming_rows() -> list[Row]:
    """Rows in a scratch file, of a table that stays in its file, against rows in memory."""
    group = f"Training on {STORED_ROWS // 10**6} million rows, 8-5-1 spline"
    rows = []
    for id, what, job, bar in [
            ("streaming-gradient", "rows in a scratch file, full gradient",
             "rows-gradient {{tmp}}/table.safetensors {}", 1.2),
            ("streaming-epoch", "rows in a scratch file, an epoch of Adam, batch 1024",
             "rows-epoch {{tmp}}/table.safetensors {} 1024", 1.2),
            ("streaming-training", "from the file to the model, 10 iterations of L-BFGS",
             "training {{tmp}}/table.safetensors {} 10", None)]:
        rows.append(Row(id, group, what, Measure("cpp", job.format("scratch")), "in memory",
                        Measure("cpp", job.format("memory")), bar))
    return rows


def other_rows() -> list[Row]:
    kernel = "One activation over 16384 values, forward with slope and backward"
    eigen_tanh = Measure("cpp", "eigen-tanh 16384", "Eigen")
    epoch = f"epoch 8-64-64-1 {CALIFORNIA} 256 1"
    copy = Measure("cpp", f"copy 8-5-1 {MILLION}")
    rows = [
        Row("spline-kernel-vs-eigen-tanh", kernel, "spline", Measure("cpp", "spline-kernel 16384"),
            "Eigen tanh", eigen_tanh, 4.0),
        Row("tanh-kernel-vs-eigen-tanh", kernel, "our own tanh",
            Measure("cpp", "tanh-kernel 16384"), "Eigen tanh", eigen_tanh),
        Row("epoch-8-64-64-1-vs-sklearn", "An epoch of Adam, 8-64-64-1 tanh, batch 256, 14448 rows",
            "one thread", Measure("cpp", epoch), "MLPRegressor",
            Measure("one", f"sklearn-epoch 8-64-64-1 {CALIFORNIA} 256 {{tmp}}/epoch",
                    "scikit-learn", epoch, "epoch"), 1 / 3),
    ]
    for what in ("network", "model"):
        rows.append(Row(f"predict-million-8-5-1-{what}-vs-copy", "Prediction, 8-5-1 spline",
                        f"a million rows in columns, {what}",
                        Measure("cpp", f"predict 8-5-1 {MILLION} {what} 1"),
                        "copy of input and output", copy, 4.0))
    rows.append(Row("one-row-8-5-1", "Prediction, 8-5-1 spline", "one row of a model, Predictor",
                    Measure("cpp", "one-row 8-5-1"), "a microsecond", 1000.0, 1.0))
    rows.append(Row("csv-million-vs-pandas", "CSV of a million rows and 9 columns", "read_csv",
                    Measure("cpp", "csv {tmp}/table.csv"), "pandas C engine",
                    Measure("one", "pandas-csv {tmp}/table.csv", "pandas",
                            "csv {tmp}/table.csv", "csv"), 1 / 3))
    for id, where, folder, bar in [
            ("convert-million-vs-read", "in memory", "{memory}", 1.3),
            ("convert-million-to-disk-vs-read", "on the disk", "{tmp}", None)]:
        job = f"convert {{tmp}}/table.csv {folder}/converted.safetensors"
        rows.append(Row(id, "CSV of a million rows and 9 columns",
                        f"convert_csv to a table file {where}", Measure("cpp", job, threads=2),
                        "read_csv", Measure("cpp", "csv {tmp}/table.csv"), bar))
    return rows


def all_rows(cores: int) -> list[Row]:
    rows: list[Row] = []
    for shape, bars in [
            ("8-5-1", {"torch-spline": 1 / 25, "torch-tanh": 1 / 3, "eigen-tanh": 1.3}),
            ("8-64-1", {"torch-spline": 1 / 20, "torch-tanh": 2 / 3}),
            ("64-64-1", {"torch-spline": 1 / 10, "own-tanh": 1.35}),
            ("256-256-10", {"torch-tanh": 1.2, "own-tanh": 1.15})]:
        rows += gradient_rows(shape, bars)
    rows += growth_rows() + other_rows() + streaming_rows()
    if cores > 1:
        rows += [two_threads_row(), two_ranks_row()]
        for shape in SHAPES:
            rows += all_threads_rows(shape, cores)
    return rows
