# SPDX-License-Identifier: MIT
"""coverage.py LINES FOLDER: reads gcovr's list of lines, writes summary.json and uncovered.txt into
FOLDER and prints a Markdown table by folder of src/."""
import json
import sys
from collections import defaultdict
from pathlib import Path


def lines_of(report):
    """For each file, the numbers of its lines and whether they ran. A line that is compiled several
    times (for a template or for several instruction sets) ran if one of its versions ran."""
    files = defaultdict(dict)
    for file in report["files"]:
        for line in file["lines"]:
            if line.get("gcovr/noncode", False):
                continue
            number = line["line_number"]
            ran = files[file["file"]].get(number, False)
            files[file["file"]][number] = ran or line["count"] > 0
    return files


def ranges(numbers):
    """[3, 4, 5, 9] is '3-5 9'."""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return " ".join(f"{a}-{b}" if b > a else f"{a}" for a, b in parts)


def share(ran, lines):
    return f"{100 * ran / lines:.1f} %"


def main(source, folder):
    files = lines_of(json.loads(Path(source).read_text()))
    folders = defaultdict(lambda: [0, 0])
    uncovered = []
    summary = {"files": {}}
    for name in sorted(files):
        ran, lines = sum(files[name].values()), len(files[name])
        summary["files"][name] = {"lines": lines, "ran": ran}
        counts = folders[name.split("/")[1]]
        counts[0] += ran
        counts[1] += lines
        if ran < lines:
            missing = ranges(n for n, yes in files[name].items() if not yes)
            uncovered.append(f"{name}: {missing}\n")
    total = [sum(c[k] for c in folders.values()) for k in (0, 1)]
    summary["total"] = {"lines": total[1], "ran": total[0]}
    summary["folders"] = {n: {"lines": c[1], "ran": c[0]} for n, c in sorted(folders.items())}
    Path(folder, "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    Path(folder, "uncovered.txt").write_text("".join(uncovered))
    print("| folder of `src/` | lines | ran | share |")
    print("|---|---|---|---|")
    for name, (ran, lines) in sorted(folders.items()):
        print(f"| {name} | {lines} | {ran} | {share(ran, lines)} |")
    print(f"| **all** | {total[1]} | {total[0]} | {share(*total)} |")


main(*sys.argv[1:])
