#!/usr/bin/env python3
"""Compares our propagation with Shardy's; used by TestOracle.

Standard input holds one JSON object a line: pass, input, ours. For each the
answer is a line: ok, aborts, or a JSON string that shows input, wanted and got. The
argument is the folder that holds sdy_oracle.py. Shardy may abort the process,
so the work is done in children, which start again behind such a case.
"""
import json, os, sys

sys.path.insert(0, sys.argv[1])
cases = [json.loads(line) for line in sys.stdin]


def compare(c):
    import sdy_oracle
    try:
        want = sdy_oracle.run(c["input"], sdy_oracle.pipeline_of(c["pass"].split()))
    except Exception as e:
        return "Shardy fails: %s\n%s" % (e, c["input"])
    try:
        got = sdy_oracle.run(c["ours"])
    except Exception as e:
        return "our output is not valid: %s\n%s" % (e, c["ours"])
    if want == got:
        return None
    return "--- input\n%s\n--- Shardy\n%s\n--- ours\n%s" % (sdy_oracle.run(c["input"]), want, got)


def child(first, pipe):
    for i in range(first, len(cases)):
        answer = compare(cases[i])
        pipe.write((json.dumps(answer) if answer else "ok") + "\n")
        pipe.flush()


done = 0
while done < len(cases):
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(r)
        child(done, os.fdopen(w, "w"))
        os._exit(0)
    os.close(w)
    with os.fdopen(r) as pipe:
        for line in pipe:
            sys.stdout.write(line)
            done += 1
    os.waitpid(pid, 0)
    if done < len(cases):
        print("aborts")
        done += 1
