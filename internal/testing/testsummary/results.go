package main

// This file collects the results of tests from the events.

import (
	"fmt"
	"io"
	"strings"

	"github.com/gospmd/gospmd/internal/testing/needs"
)

// event is one line of go test -json (go doc test2json).
type event struct {
	Action     string
	Package    string
	ImportPath string // package of the build output
	Test       string // empty for an event of the package
	Elapsed    float64
	Output     string
}

// test names a test, or a package if its name is empty.
type test struct{ pkg, name string }

// reason is the reason why tests skip: what they need, and how to get it. what is empty for a skip
// that names no need; fix then has its message.
type reason struct{ what, fix string }

// timed is a package and its seconds.
type timed struct {
	pkg     string
	seconds float64
}

// results is the state of all tests.
type results struct {
	out     io.Writer
	output  map[test][]string // output of running tests
	started []test            // running tests, in the order of their start
	parents map[test]bool     // tests that have subtests
	// numbers of tests without subtests, and of packages that failed without a failed test
	passed, failed, skipped int
	failedIn                map[string]bool // packages with failed tests
	failures                []string
	reasons                 map[reason][]string // the skipped tests, by reason
	packages                []timed
}

func newResults(out io.Writer) *results {
	return &results{out: out, output: map[test][]string{}, parents: map[test]bool{}, failedIn: map[string]bool{}, reasons: map[reason][]string{}}
}

// add takes the event e of go test into account: it counts tests and packages that have ended,
// keeps their output, and prints that of failed builds.
func (r *results) add(e event) {
	t := test{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "run":
		r.started = append(r.started, t)
		for parent := e.Test; strings.Contains(parent, "/"); {
			parent = parent[:strings.LastIndex(parent, "/")]
			r.parents[test{e.Package, parent}] = true
		}
	case "output":
		r.output[t] = append(r.output[t], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.endPackage(t, e)
		} else {
			r.endTest(t, e.Action)
		}
		delete(r.output, t)
	}
}

// endTest counts a test that has ended by action, "pass", "fail" or "skip", and prints the output
// if it failed. Tests with subtests count only if they skip.
func (r *results) endTest(t test, action string) {
	if action == "fail" {
		fmt.Fprint(r.out, strings.Join(r.output[t], ""))
		r.failedIn[t.pkg] = true
	}
	if r.parents[t] && action != "skip" {
		return
	}
	switch action {
	case "pass":
		r.passed++
	case "fail":
		r.failed++
		r.failures = append(r.failures, t.pkg+" "+t.name)
	case "skip":
		r.skipped++
		why := reasonOf(r.output[t])
		r.reasons[why] = append(r.reasons[why], t.name)
	}
}

// endPackage prints the last line of a package, and all of its output if it failed. It notes the
// package's time. A package that fails without a failed test counts as a failure, and the output of
// its running tests is printed too.
func (r *results) endPackage(t test, e event) {
	r.packages = append(r.packages, timed{e.Package, e.Elapsed})
	lines := r.output[t]
	if e.Action != "fail" {
		lines = lines[max(0, len(lines)-1):]
	} else if !r.failedIn[e.Package] {
		// It did not compile, or its process ended: its running tests have no end event.
		for _, running := range r.started {
			if running.pkg == t.pkg {
				fmt.Fprint(r.out, strings.Join(r.output[running], ""))
				delete(r.output, running)
			}
		}
		r.failed++
		r.failures = append(r.failures, e.Package)
	}
	fmt.Fprint(r.out, strings.Join(lines, ""))
}

// reasonOf returns the reason why a test skips, from its output: what is missing and how to get it,
// if package needs has written that, or else the last line.
func reasonOf(output []string) reason {
	last := ""
	for _, line := range output {
		if what, fix, ok := needs.Parse(line); ok {
			return reason{what, fix}
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "--- SKIP") && !strings.HasPrefix(line, "=== ") {
			last = line
		}
	}
	_, text, found := strings.Cut(last, ": ")
	if !found {
		text = last
	}
	return reason{fix: strings.TrimSpace(text)}
}
