"""Answers cases by a library that may abort the process."""
import json, os, sys


def answer_all(answer):
    """Reads a JSON object a line from standard input and prints a line of answer
    for each; aborts, where the process died. The work is done in children, which
    start again behind such a case."""
    cases = [json.loads(line) for line in sys.stdin]
    done = 0
    while done < len(cases):
        r, w = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(r)
            with os.fdopen(w, "w") as pipe:
                for c in cases[done:]:
                    pipe.write(answer(c) + "\n")
                    pipe.flush()
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
