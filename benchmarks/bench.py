# SPDX-License-Identifier: MIT
"""Times Knotwork against its peers, in turn, in one run. Started by scripts/bench."""

import argparse
import array
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import page
import rows as table
from page import Result
from rows import Measure, Row

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FULL_ROUNDS = 7
CALM = 0.9  # share of undisturbed time; below it the page of results is not written
# Open MPI may run as root and with more processes than cores, on any core, and copies messages in a
# way that containers allow.
MPI_ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1",
                   "OMPI_MCA_hwloc_base_binding_policy": "none",
                   "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


class BenchError(Exception):
    """Something is wrong; the text is for the user."""


class Worker:
    """A process that answers each line with one line."""

    def __init__(self, command: list[str], threads: int) -> None:
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                 "BLIS_NUM_THREADS")
        # On a machine with other load, OpenMP threads that spin for milliseconds slow down the
        # thread that they wait for. A tenth of that is enough.
        environment = os.environ | {name: str(threads) for name in names} | {
            "GOMP_SPINCOUNT": "10000"} | MPI_ENVIRONMENT
        self.name = Path(command[-1]).name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)

    def ask(self, line: str) -> str:
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the missing answer shows it
        reply = self.process.stdout.readline()
        verdict, _, rest = reply.rstrip("\n").partition(" ")
        if verdict != "ok":
            raise BenchError(f"{self.name} failed at '{line}': {rest or 'it has ended'}")
        return rest

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def say(text: str) -> None:
    print(f"scripts/bench: {text}", file=sys.stderr, flush=True)


def load_average() -> str:
    return " ".join(f"{load:.2f}" for load in os.getloadavg())


def processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        names = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
    return names[0] if names else os.uname().machine


def numbers_in(path: Path) -> array.array:
    numbers = array.array("d")
    numbers.frombytes(path.read_bytes())
    return numbers


def check_same_numbers(folder: Path, measure: Measure) -> float:
    """Throws unless both sides have the same results; returns the largest difference."""
    ours, peer = numbers_in(folder / "ours"), numbers_in(folder / "peer")
    if len(ours) != len(peer):
        raise BenchError(f"{measure.library} returns {len(peer)} numbers for '{measure.job}', and "
                         f"we return {len(ours)}.")
    if measure.library == "pandas":  # cell by cell; the last bit of a decimal may differ
        difference = max(abs(a - b) / max(abs(a), abs(b), 1e-300) for a, b in zip(ours, peer))
        allowed = 4e-16
    else:
        # The loss alone; the gradient relative to its length, because sums of many rows cancel.
        length = sum(a * a for a in ours[1:]) ** 0.5
        off = sum((a - b) ** 2 for a, b in zip(ours[1:], peer[1:])) ** 0.5
        difference = max(abs(ours[0] - peer[0]) / abs(ours[0]), off / length)
        allowed = 2e-5
    if not difference <= allowed:
        raise BenchError(f"{measure.library} and we disagree at '{measure.job}': the difference is "
                         f"{difference:.2e} of the whole, and rounding explains {allowed:.0e}.")
    return difference


class Times(NamedTuple):
    """Nanoseconds of one repetition, in one round."""

    fastest: float
    mean: float
    processor: float  # the fastest in processor time, which other programs affect least
    processor_mean: float


class Bench:
    def __init__(self, options: argparse.Namespace, tmp: Path, memory: Path) -> None:
        self.tmp = tmp
        self.memory_folder = memory
        self.cores = len(os.sched_getaffinity(0))
        self.worker_path = options.worker
        self.ranks_command: list[str] = []
        peers = [sys.executable, str(HERE / "peers.py")]
        self.workers = {"cpp": Worker([options.worker], 1), "one": Worker(peers, 1),
                        "all": Worker(peers, self.cores)}
        self.rows = [row for row in table.all_rows(self.cores) if re.search(options.only, row.id)]
        self.memory_modes = [mode for mode in ("none", "standard")
                             if re.search(options.only, f"memory-{mode}")]
        self.missing: dict[str, str] = {}  # libraries that are not timed, and why
        self.remarks: dict[Measure, str] = {}
        self.times: dict[Measure, list[Times]] = {}
        self.about: dict[str, str] = {}
        self.worst_difference: dict[str, float] = {}

    def ask(self, verb: str, measure: Measure) -> str:
        job = measure.job.format(tmp=self.tmp, memory=self.memory_folder)
        return self.workers[measure.worker].ask(f"{verb} {job}")

    def meet_ranks(self) -> None:
        if not any(row.ours.worker == "ranks" for row in self.rows):
            return
        launcher = shutil.which("mpirun")
        program = Path(self.worker_path).with_name("bench_ranks")
        if not launcher or not program.exists():
            self.missing["MPI"] = "There is no MPI."
            return
        version = subprocess.run([launcher, "--version"], text=True, capture_output=True,
                                 check=False).stdout
        self.about["MPI"] = version.splitlines()[0] if version else "of an unknown version"
        self.ranks_command = [launcher, "-n", "2", str(program)]

    def meet_peers(self) -> None:
        ours, eigen = self.workers["cpp"].ask("about").split("\t")
        self.about = {"Knotwork": ours} | ({"Eigen": eigen} if eigen else {})
        if not eigen:
            self.missing["Eigen"] = "Eigen was built for AVX2, which this processor has not."
        peers = json.loads(self.workers["one"].ask("about"))
        for name, facts in json.loads(self.workers["all"].ask("about")).items():
            if "refused" in facts:
                peers[name] = facts
        for name, facts in peers.items():
            if "missing" in facts:
                self.missing[name] = f"{name} is not installed ({facts['missing']})."
            elif "refused" in facts:
                self.missing[name] = facts["refused"]
            else:
                blas = f", BLAS: {facts['blas']}" if "blas" in facts else ""
                self.about[name] = facts["version"] + blas
        self.meet_ranks()
        for reason in self.missing.values():
            say(f"not measured: {reason}")

    def measures(self) -> list[Measure]:
        """Each measure once; the measures of a row are consecutive."""
        found: dict[Measure, None] = {}
        for row in self.rows:
            for measure in (row.ours, row.peer, *(row.speed_up or ())):
                if isinstance(measure, Measure) and measure.library not in self.missing:
                    found[measure] = None
        return list(found)

    def prepare(self, measures: list[Measure]) -> None:
        for name, job in table.FILES.items():
            if any(name in measure.job for measure in measures):
                say(f"writing {name}")
                self.workers["cpp"].ask(f"run {job} {self.tmp}/{name}")
        for measure in measures:
            if not measure.same_as:
                self.ask("prepare", measure)
                continue
            folder = self.tmp / measure.folder
            folder.mkdir(exist_ok=True)
            job = measure.same_as.format(tmp=self.tmp)
            self.workers["cpp"].ask(f"write {folder} {job}")
            self.remarks[measure] = self.ask("prepare", measure)
            self.ask(f"write {folder}", measure)
            difference = check_same_numbers(folder, measure)
            worst = self.worst_difference.get(measure.library, 0.0)
            self.worst_difference[measure.library] = max(worst, difference)

    def time_all(self, measures: list[Measure], rounds: int) -> None:
        for number in range(rounds):
            say(f"round {number + 1} of {rounds}, load average {load_average()}")
            for measure in measures:
                times = Times(*map(float, self.ask("time", measure).split()))
                self.times.setdefault(measure, []).append(times)
                if measure.worker == "all":
                    time.sleep(0.05)  # idle threads of some libraries keep a core busy for a while

    def undisturbed(self) -> float:
        """The share of the time that jobs of one thread had the processor."""
        shares = [times.processor_mean / times.mean for measure, rounds in self.times.items()
                  if measure.threads == 1 for times in rounds]
        return statistics.mean(shares) if shares else 1.0

    def result(self, row: Row) -> Result:
        result = Result(row.id, row.group, row.what, row.peer_name, row.bar)
        if row.ours.library in self.missing:
            return result
        times = self.times[row.ours]
        ours = [each.fastest for each in times]
        result.ours = min(ours)
        result.ours_median = statistics.median(each.mean for each in times)
        if isinstance(row.peer, Measure) and row.peer.library in self.missing:
            return result
        if row.speed_up:
            one, loop, loops = ([t.fastest for t in self.times[m]] for m in row.speed_up)
            # n independent loops take as long as one if the machine has n free cores.
            peer = [a * c / (2 * b) for a, b, c in zip(one, loop, loops)]
            result.peer = min(one) * min(loops) / (2 * min(loop))
            result.note = (f"speed-up {min(one) / min(ours):.2f}, that of the loops "
                           f"{2 * min(loop) / min(loops):.2f}")
        elif isinstance(row.peer, Measure):
            peer = [each.fastest for each in self.times[row.peer]]
            result.peer = min(peer)
            result.processor_ratio = (min(each.processor for each in times) /
                                      min(each.processor for each in self.times[row.peer]))
            result.note = self.remarks.get(row.peer, "")
        else:
            peer, result.peer = [row.peer] * len(ours), row.peer
            result.processor_ratio = min(each.processor for each in times) / row.peer
            result.note = f"{self.ask('count', row.ours)} allocations"
        result.median_ratio = statistics.median(a / b for a, b in zip(ours, peer))
        return result

    def peak_memory(self, mode: str) -> Result:
        say(f"peak memory of training with scaling '{mode}'")
        run = subprocess.run([self.worker_path, "peak-memory", str(table.MEMORY_ROWS), mode,
                              str(self.cores)], text=True, capture_output=True, check=False)
        if run.returncode != 0:
            raise BenchError(f"the measurement of memory failed: {run.stderr.strip()}")
        peak, size = map(int, run.stdout.split())
        return Result(f"memory-{mode}", "Peak memory of full-batch training in float, 8-5-1",
                      f"{table.MEMORY_ROWS // 10**6} million rows, scaling {mode}",
                      "1.5 x table + 100 MB", 1.0, float(peak), 1.5 * size + 100e6, unit="bytes",
                      note=f"{peak / size:.2f} times the table of {size / 1e6:.0f} MB")

    def close(self) -> None:
        for worker in self.workers.values():
            worker.close()


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench", description="Builds the benchmarks, installs the peers if they are "
        "missing, checks that all compute the same numbers and times them in turn. Prints a table "
        "of ratios and writes build/bench.json; a run over all rows on a machine that does little "
        "else also writes docs/benchmarks.md.")
    parser.add_argument("--rounds", type=int, default=FULL_ROUNDS, metavar="N",
                        help=f"default: {FULL_ROUNDS}; with fewer docs/benchmarks.md stays")
    parser.add_argument("--quick", action="store_const", const=3, dest="rounds",
                        help="3 rounds")
    parser.add_argument("--only", default="", metavar="REGEX", help="rows whose id matches; "
                        "docs/benchmarks.md stays as it is")
    parser.add_argument("--page", action="store_true", help="write docs/benchmarks.md even if "
                        "other programs kept the machine busy")
    parser.add_argument("--list", action="store_true", help="print the ids of the rows and end")
    parser.add_argument("--worker", default=str(ROOT / "build/bench/bin/bench_worker"),
                        help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    try:
        re.compile(options.only)
    except re.error as error:
        parser.error(f"--only {options.only} is no regular expression: {error}")
    return options


def run(options: argparse.Namespace, tmp: Path, memory: Path) -> None:
    bench = Bench(options, tmp, memory)
    if not bench.rows and not bench.memory_modes:
        raise BenchError(f"no row has an id that matches '{options.only}'; --list shows them.")
    before = load_average()
    bench.meet_peers()
    measures = bench.measures()
    say("preparing, and checking that all compute the same numbers")
    of_ranks = [measure for measure in measures if measure.worker == "ranks"]
    others = [measure for measure in measures if measure.worker != "ranks"]
    if others:
        bench.prepare(others)
        bench.time_all(others, options.rounds)
    if of_ranks:  # last: ranks that wait for work poll, which disturbs other jobs
        bench.workers["ranks"] = Worker(bench.ranks_command, 1)
        bench.prepare(of_ranks)
        bench.time_all(of_ranks, options.rounds)
    results = [bench.result(row) for row in bench.rows]
    bench.close()
    results += [bench.peak_memory(mode) for mode in bench.memory_modes]
    run_facts = page.RunFacts(f"{processor()}, {bench.cores} cores", options.rounds, before,
                              load_average(), bench.undisturbed(), bench.about, bench.missing,
                              bench.worst_difference)
    print(page.as_text(results, run_facts))
    out = ROOT / "build" / "bench.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(page.as_json(results, run_facts), indent=1) + "\n", encoding="utf-8")
    if options.only or options.rounds < FULL_ROUNDS:
        return
    if run_facts.undisturbed < CALM and not options.page:
        say(f"other programs had the processor for {1 - run_facts.undisturbed:.0%} of the time; "
            "docs/benchmarks.md stays as it is (--page writes it all the same).")
        return
    text = page.as_markdown(results, run_facts)
    (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")


def main() -> int:
    options = parse_arguments()
    if options.list:
        print("\n".join([row.id for row in table.all_rows(2)] + ["memory-none", "memory-standard"]))
        return 0
    try:
        in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        with (tempfile.TemporaryDirectory(prefix="knotwork-bench-") as tmp,
              tempfile.TemporaryDirectory(prefix="knotwork-bench-", dir=in_memory) as memory):
            run(options, Path(tmp), Path(memory))
    except BenchError as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
