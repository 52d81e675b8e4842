package main

// This file implements the command.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

func main() {
	ok, err := run(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsummary:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run reads the events of go test -json from in, prints the summary to out, and reports whether at
// least one test passed and no test or package failed. It returns an error if it cannot read in.
func run(in io.Reader, out io.Writer) (ok bool, err error) {
	r := newResults(out)
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				r.add(e)
			} else {
				fmt.Fprintf(out, "%s", line) // not an event, but a message of the go command
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return false, err
		}
	}
	r.print()
	return r.failed == 0 && r.passed > 0, nil
}
