# SPDX-License-Identifier: MIT
"""Writes results as a table for the terminal, as docs/benchmarks.md and as build/bench.json."""

from dataclasses import dataclass, field
from typing import Any, Iterator


@dataclass
class Result:
    id: str
    group: str
    what: str
    peer_name: str
    bar: float | None
    ours: float | None = None  # the best of all rounds
    peer: float | None = None
    ours_median: float | None = None
    median_ratio: float | None = None
    processor_ratio: float | None = None
    note: str = ""
    unit: str = "ns"

    @property
    def ratio(self) -> float | None:
        return self.ours / self.peer if self.ours and self.peer else None

    @property
    def holds(self) -> bool | None:
        return None if self.ratio is None or self.bar is None else self.ratio <= self.bar


@dataclass
class RunFacts:
    machine: str
    rounds: int
    load_before: str
    load_after: str
    undisturbed: float  # the share of the time that jobs of one thread had the processor
    about: dict[str, str]  # library: version and BLAS
    missing: dict[str, str] = field(default_factory=dict)  # library: why
    differences: dict[str, float] = field(default_factory=dict)  # library: largest found


def ratio_text(ratio: float | None) -> str:
    """Small ratios are easier to read as fractions: 1/26 instead of 0.038."""
    if ratio is None:
        return ""
    return f"{ratio:.2f}" if ratio > 0.45 else f"1/{1 / ratio:.3g}"


def amount(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    if unit == "bytes":
        return f"{value / 1e6:.0f} MB"
    for size, name in [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]:
        if value >= size:
            return f"{value / size:.3g} {name}"
    return f"{value:.3g} ns"


HEADER = ["ours", "", "peer", "", "ratio", "median", "processor", "bar", "holds"]


def cells(result: Result) -> list[str]:
    verdict = {True: "yes", False: "NO", None: ""}[result.holds]
    if result.ratio is None:
        verdict = "not measured"
    return [result.what, amount(result.ours, result.unit), result.peer_name,
            amount(result.peer, result.unit), ratio_text(result.ratio),
            ratio_text(result.median_ratio), ratio_text(result.processor_ratio),
            ratio_text(result.bar), verdict]


def groups(results: list[Result]) -> Iterator[tuple[str, list[Result]]]:
    for name in dict.fromkeys(result.group for result in results):
        yield name, [result for result in results if result.group == name]


def summary(results: list[Result]) -> str:
    missed = [result.id for result in results if result.holds is False]
    measured = sum(result.holds is not None for result in results)
    absent = sum(result.ratio is None for result in results)
    text = f"{measured - len(missed)} of {measured} bars hold"
    text += f"; missed: {', '.join(missed)}." if missed else "."
    by_median = [result.id for result in results if result.bar is not None
                 and result.median_ratio is not None and result.median_ratio > result.bar]
    if by_median:
        text += f" By the median of the rounds these bars do not hold: {', '.join(by_median)}."
    return text + (f" {absent} rows were not measured." if absent else "")


def libraries(facts: RunFacts) -> list[str]:
    lines = []
    for name, version in facts.about.items():
        difference = facts.differences.get(name)
        same = f"; same numbers as ours within {difference:.1e}" if difference is not None else ""
        lines.append(f"{name} {version}{same}")
    return lines + [f"{name}: not measured. {why}" for name, why in facts.missing.items()]


def conditions(facts: RunFacts) -> str:
    return (f"{facts.machine}; {facts.rounds} rounds; load average {facts.load_before} before and "
            f"{facts.load_after} after; jobs of one thread had the processor for "
            f"{facts.undisturbed:.0%} of the time.")


def as_text(results: list[Result], facts: RunFacts) -> str:
    table = [HEADER] + [cells(result) for result in results]
    widths = [max(len(row[k]) for row in table) for k in range(len(HEADER))]
    lines = [conditions(facts)] + libraries(facts)
    lines += ["", "  ".join(text.ljust(width) for text, width in zip(HEADER, widths)).rstrip()]
    for name, members in groups(results):
        lines.append(f"-- {name}")
        for result in members:
            texts = [text.ljust(width) for text, width in zip(cells(result), widths)]
            lines.append("  ".join(texts + [result.note]).rstrip())
    return "\n".join(lines + ["", summary(results)])


INTRODUCTION = """# Benchmarks

This page is written by

```sh
scripts/bench
```

The script builds the benchmarks and installs missing peers. It checks that Knotwork and every peer compute
the same loss and gradient (or the same cells), and then times them in turn, round by round, in one run. A
time is the fastest of all rounds, for one repetition. The *ratio* is our time divided by the peer's,
*median* the median of the ratios of the rounds, and *processor* the ratio of processor times (of all
threads), which other programs disturb less. Compare only ratios within one run: absolute times depend on
the machine and on what else it does. A *bar* is the largest ratio that we accept.

Unless stated otherwise, the benchmarks use one thread and float. Every layer, also the last, consists of
splines (21 control points, Catmull-Rom, linear tails). A gradient is the gradient of the mean squared error
over all rows with respect to all parameters.

Every peer runs in its fastest configuration: PyTorch and scikit-learn with a fast BLAS (without one they are
not timed), Eigen with AVX2 and the fastest of several layouts and block lengths. PyTorch's spline is written
in the usual way, with gather and autograd, and the bars refer to this version; index_select, which is faster
at some sizes, is listed for comparison. On all cores PyTorch uses all of them, which can be slower than one
core for small networks.

Two ranks are two processes under MPI's launcher that share the rows of one gradient. The independent
processes compute the gradient of half the rows each at the same time, without messages.

The table that stays in its file is `planted` with two idle inputs. Its scaled rows are in a mapped scratch
file, which the system holds in its cache. The bars refer to passes over these rows after scaling, as in an
iteration; the total time, from opening the file to the scored model, is listed for comparison. Converting is
timed with the output in a folder in memory, since reading needs no disk either, and with the output on the
disk, where the time includes writing the table file to the disk. A second thread helps with hashing.
"""


def as_markdown(results: list[Result], facts: RunFacts) -> str:
    lines = [INTRODUCTION, conditions(facts), ""]
    lines += [f"- {line}" for line in libraries(facts)]
    lines += ["", summary(results)]
    for name, members in groups(results):
        lines += ["", f"## {name}", "",
                  "| " + " | ".join(HEADER) + " | |", "|---" * (len(HEADER) + 1) + "|"]
        for result in members:
            texts = cells(result) + [result.note]
            lines.append("| " + " | ".join(texts) + " |")
    lines += ["", "According to the paper, a well-made spline takes at most twice as long as tanh; compare "
              "the row \"our own tanh\" of 8-5-1."]
    return "\n".join(lines) + "\n"


def as_json(results: list[Result], facts: RunFacts) -> dict[str, Any]:
    rows = []
    for result in results:
        is_time = result.unit == "ns"
        row = {"id": result.id, "ours_ns": result.ours if is_time else None,
               "peer": result.peer_name, "peer_ns": result.peer if is_time else None,
               "ratio": result.ratio, "bar": result.bar, "holds": result.holds,
               "median_ratio": result.median_ratio,
               "processor_ratio": result.processor_ratio,
               "ours_median_ns": result.ours_median, "note": result.note}
        if not is_time:
            row |= {"ours_bytes": result.ours, "peer_bytes": result.peer}
        rows.append(row)
    return {"rows": rows, "machine": facts.machine, "rounds": facts.rounds,
            "load_before": facts.load_before, "load_after": facts.load_after,
            "undisturbed": facts.undisturbed, "libraries": facts.about,
            "not_measured": facts.missing}
