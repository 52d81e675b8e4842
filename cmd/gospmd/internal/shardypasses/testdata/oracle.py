#!/usr/bin/env python3
"""Compares our propagation with Shardy's; used by TestOracle.

Standard input holds one JSON object a line: pass, input, ours. For each the
answer is a line: ok, aborts, or a JSON string that shows input, wanted and got. The
argument is the directory that holds sdy_oracle.py.
"""
import json, pathlib, sys

sys.path[:0] = [sys.argv[1], str(pathlib.Path(__file__).resolve().parents[5] / "internal" / "testing" / "peer")]
import forked
import sdy_oracle


def compare(c):
    try:
        want = sdy_oracle.run(c["input"], sdy_oracle.pipeline_of(c["pass"].split()))
    except Exception as e:
        return json.dumps("Shardy fails: %s\n%s" % (e, c["input"]))
    try:
        got = sdy_oracle.run(c["ours"])
    except Exception as e:
        return json.dumps("our output is not valid: %s\n%s" % (e, c["ours"]))
    if want == got:
        return "ok"
    return json.dumps("--- input\n%s\n--- Shardy\n%s\n--- ours\n%s" % (sdy_oracle.run(c["input"]), want, got))


forked.answer_all(compare)
