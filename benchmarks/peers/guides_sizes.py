"""Counts the characters of guides in Python (guides/) and in Go (examples/guides).

What counts are the functions, types and classes of model and training, without comments, docstrings
and white space. Imports, constants and Go's main do not count, nor what makes the data and what
shows predictions to the tests. 1.10 in the last column says that the program in Go has a tenth more
characters.

    python guides_sizes.py [GUIDE…]
"""

import argparse
import ast
import os
import re

from guides_reference import OUTPUT, PROGRAMS

# functions that make data, or show predictions
BESIDE = {"citations", "crops", "data", "graph", "ratings", "show", "sounds"}


def python_characters(text):
    tree, lines = ast.parse(text), text.split("\n")
    counted = set()
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            counted |= lines_of(node)
            for n in ast.walk(node):
                if isinstance(n, ast.FunctionDef) and n.name in BESIDE:
                    counted -= lines_of(n)
                elif isinstance(n, (ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(n) is not None:
                    counted -= lines_of(n.body[0])
    code = [re.sub(r"(^|\s)# .*", "", lines[i]) for i in sorted(counted)]
    return len(re.sub(r"\s", "", "".join(code)))


def lines_of(node):
    return set(range(node.lineno - 1, node.end_lineno))


def go_characters(text):
    beside = BESIDE | set(re.findall(r"\b(?:Data|Parts|Predict): (\w+)", text)) | {"main"}
    count = 0
    # a declaration at the top level ends with a line that begins with a brace, or is one line
    for kind, name, body in re.findall(r"^(func|type) ((?:\([^)]*\) )?\w+)((?:.*\{\n(?:(?![})]).*\n)*\}|.*))", text, re.M):
        if name.split()[-1] in beside:
            continue
        lines = [line for line in (kind + name + body).split("\n") if not line.lstrip().startswith("//")]
        lines = [re.sub(r"\s// .*", "", line) for line in lines]
        count += len(re.sub(r"\s", "", "".join(lines)))
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("guides", nargs="*", help="all by default")
    args = parser.parse_args()
    for name in args.guides or sorted(f[:-3] for f in os.listdir(PROGRAMS) if f.endswith(".py") and f != "guide.py"):
        with open(os.path.join(PROGRAMS, name + ".py")) as f:
            python = python_characters(f.read())
        with open(os.path.join(OUTPUT, name, "main.go")) as f:
            go = go_characters(f.read())
        print("%-24s %6d %6d %5.2f" % (name, python, go, go / python))


if __name__ == "__main__":
    main()
