#!/usr/bin/env python3
"""Shardy's own programs and its answers; used by TestCorpus.

  corpus.py FOLDER dump     prints Shardy's cases, a JSON object a line: id, passes, input
  corpus.py FOLDER compare  reads JSON objects: input, passes, ours, error; answers each in a line

An answer is "ok", "refused" (both refuse the input), "aborts" or a JSON string
that tells the difference. FOLDER holds sdy_oracle.py and the cases.
"""
import functools, json, lzma, pathlib, re, sys

folder, what = sys.argv[1:]
sys.path[:0] = [folder, str(pathlib.Path(__file__).resolve().parents[3] / "internal" / "testing" / "peer")]
import forked
import sdy_oracle


def dump():
    for c in json.loads(lzma.open(folder + "/corpus_dev.json.xz").read()):
        passes = []
        for flag in c["flags"]:
            name, _, options = flag.lstrip("-").partition("=")
            if name.startswith("sdy-"):
                passes.append(name.removeprefix("sdy-") + (("{" + options.strip("\"'") + "}") if options else ""))
        print(json.dumps({"id": c["id"], "passes": ",".join(passes), "input": c["input"]}))


@functools.cache
def pipeline(passes):
    names = re.findall(r"[\w-]+(?:\{[^}]*\})?", passes)
    foreign = ("symbol-dce", "canonicalize")  # MLIR's
    return sdy_oracle.pipeline_of([n if n in foreign else "sdy-" + n for n in names])


def compare(c):
    diags = []
    want = sdy_oracle.run(c["input"], pipeline(c["passes"]) if c["passes"] else "", diags=diags)
    if want is None:
        if c["error"]:
            return "refused"
        return json.dumps("Shardy refuses, we do not: %s\n--- input\n%s\n--- ours\n%s" % (diags, c["input"], c["ours"]))
    if c["error"]:
        return json.dumps("we refuse, Shardy does not: %s\n--- input\n%s\n--- Shardy\n%s" % (c["error"], c["input"], want))
    try:
        got = sdy_oracle.run(c["ours"])
    except Exception as e:
        return json.dumps("our output is not valid: %s\n--- input\n%s\n--- ours\n%s" % (e, c["input"], c["ours"]))
    if want == got:
        return "ok"
    return json.dumps("the results differ\n--- input\n%s\n--- Shardy\n%s\n--- ours\n%s" % (c["input"], want, got))


{"dump": dump, "compare": lambda: forked.answer_all(compare)}[what]()
