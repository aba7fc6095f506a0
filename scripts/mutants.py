# SPDX-License-Identifier: MIT
"""Finds mutants: places of a C++ source, formatted by .clang-format, that one operator changes."""
import re
from dataclasses import dataclass

# Binary operators have spaces on both sides, which the brackets of templates, references and pointers
# do not have.
SWAPS = {
    "relational": {
        " < ": [" <= ", " >= "], " <= ": [" < ", " > "], " > ": [" >= ", " <= "], " >= ": [" > ", " < "],
        " == ": [" != "], " != ": [" == "]},
    "arithmetic": {
        " + ": [" - "], " - ": [" + "], " * ": [" / "], " / ": [" * "], " % ": [" * "],
        " += ": [" -= "], " -= ": [" += "], " *= ": [" /= "], " /= ": [" *= "]},
    "logical": {" && ": [" || "], " || ": [" && "]},
    "extreme": {"std::min(": ["std::max("], "std::max(": ["std::min("]},
    "absolute": {"std::abs(": ["("], "std::fabs(": ["("]},
    "truth": {"return true;": ["return false;"], "return false;": ["return true;"]},
}
NUMBER = re.compile(r"(?<![\w.'])(\d+(?:\.\d+)?)(?![\w.'])")
CALL = re.compile(r"^ +((?:[\w:]|\.|->|\[\w+\])+\(.*\);)$", re.MULTILINE)
IF = re.compile(r"\bif (?:constexpr )?\(")
RETURN = re.compile(r"\breturn ([^;{}]+);")
FUNCTION = re.compile(r"^ *(?!return|else|if|for|while)(?:\[\[\w+\]\] |static |virtual |inline |constexpr )*"
                      r"(\w[\w:<>,&*]*) (?:[\w:~]+)\(", re.MULTILINE)
# Calls that only save time, and conditions of the compiler.
IDLE = re.compile(r"\.reserve\(|static_assert|^ *#", re.MULTILINE)
HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)


@dataclass(frozen=True, order=True)
class Mutant:
    path: str  # from the root of the project
    at: int    # offset in the text
    end: int
    new: str
    operator: str

    def apply(self, text):
        return text[:self.at] + self.new + text[self.end:]

    def line(self, text):
        return text.count("\n", 0, self.at) + 1

    def before_and_after(self, text):
        """Returns the lines that the mutant changes, and what they become."""
        first = text.rfind("\n", 0, self.at) + 1
        last = text.find("\n", self.end)
        lines = text[first:last], text[first:self.at] + self.new + text[self.end:last]
        return tuple(" ".join(part.split()) for part in lines)


def without_texts(text):
    """Returns the text with comments and literals of texts blanked, so that offsets stay."""
    return HIDDEN.sub(lambda match: re.sub(r"[^\n]", "\x01", match.group()), text)


def closing(code, opening):
    """Returns the offset of the bracket that closes the one at `opening`, or -1."""
    depth = 0
    for k in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[k], 0)
        if depth == 0:
            return k
    return -1


def other_number(number):
    if number in ("0", "1"):
        return "1" if number == "0" else "0"
    return f"{number} * 2" if "." in number else str(int(number) + 1)


def found(code):
    """Yields (first, last, new text, operator) for the code without texts."""
    for operator, swaps in SWAPS.items():
        for old, all_new in swaps.items():
            for match in re.finditer(re.escape(old), code):
                for new in all_new:
                    yield match.start(), match.end(), new, operator
    for match in NUMBER.finditer(code):
        yield match.start(), match.end(), other_number(match.group()), "constant"
    for match in IF.finditer(code):
        last = closing(code, match.end() - 1)
        if last > 0 and "\n" not in code[match.end():last] and ";" not in code[match.end():last]:
            yield match.end() - 1, last + 1, None, "negation"
    for match in CALL.finditer(code):
        if code.count("(", *match.span(1)) == code.count(")", *match.span(1)):
            yield *match.span(1), ";", "call"
    heads = list(FUNCTION.finditer(code))
    for match in RETURN.finditer(code):
        head = [one for one in heads if one.start() < match.start()][-1:]
        if head and head[0].group(1) == "bool" and match.group(1) not in ("true", "false"):
            yield *match.span(1), None, "truth"


def mutants_of(path, text):
    code = without_texts(text)
    result = set()
    for first, last, new, operator in found(code):
        line = code[code.rfind("\n", 0, first) + 1:code.find("\n", last)]
        if IDLE.search(line) or "template <" in line:
            continue
        if new is None:  # negated
            old = text[first:last]
            new = f"(!{old})" if operator == "negation" else f"!({old})"
        result.add(Mutant(path, first, last, new, operator))
    return sorted(result)
