package main

// This file runs go test and reads its results.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// testName names a test of a package. An empty test stands for the package.
type testName struct{ pkg, test string }

func (n testName) String() string { return n.pkg + " " + n.test }

func (n testName) compare(o testName) int {
	return cmp.Or(cmp.Compare(n.pkg, o.pkg), cmp.Compare(n.test, o.test))
}

// result is how a test has ended: "pass", "fail" or "skip", and what it printed, if it failed.
type result struct{ action, output string }

// results holds the results of tests without subtests: a test with subtests fails if one of them
// fails.
type results map[testName]result

// event is a line of the output of go test -json: what happened to a test of a package, or a line
// that the test printed.
type event struct{ Action, Package, Test, Output string }

// test runs the tests of packages on a backend. A test that panics ends its package: test runs the
// remaining tests again.
func (w *workspace) test(ctx context.Context, backend string, packages []string) (results, error) {
	all, err := w.goTest(ctx, backend, packages)
	if err != nil {
		return nil, err
	}
	for again := all.panickedPackages(); len(again) > 0; {
		pkg := again[0]
		more, err := w.goTest(ctx, backend, []string{"./" + pkg, "-skip", all.patternOf(pkg)})
		if err != nil {
			return nil, err
		}
		before := len(all)
		maps.Copy(all, more)
		if again = again[1:]; len(all) > before && slices.Contains(more.panickedPackages(), pkg) {
			again = append(again, pkg)
		}
	}
	return all, nil
}

// panickedPackages returns the packages in which a test panicked. The panic also ended the tests
// after it.
func (r results) panickedPackages() (packages []string) {
	for n, result := range r {
		if n.test != "" && strings.Contains(result.output, "\npanic: ") {
			packages = append(packages, n.pkg)
		}
	}
	slices.Sort(packages)
	return slices.Compact(packages)
}

// patternOf returns a regular expression, for go test's -skip flag, that matches the tests of
// package pkg that have a result.
func (r results) patternOf(pkg string) string {
	var names []string
	for n := range r {
		if n.pkg == pkg && n.test != "" {
			names = append(names, n.test)
		}
	}
	slices.Sort(names)
	return "^(" + strings.Join(names, "|") + ")$"
}

// goTest runs go test on the backend, with args, and returns the result of each test. args are
// further arguments, such as packages. If no test ran, the error has what go test printed. Tests
// that fail are no error.
func (w *workspace) goTest(ctx context.Context, backend string, args []string) (results, error) {
	args = append([]string{"test", "-json", "-count=1", "-timeout=30m"}, args...)
	var out, diagnostics bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = w.gomlx, append(w.env, "GOMLX_BACKEND="+backend), &out, &diagnostics
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	if out.Len() == 0 {
		return nil, fmt.Errorf("go test ran no test: %w: %s", err, diagnostics.Bytes())
	}
	return read(out.Bytes()), nil
}

// read returns the results of the tests in text, the events of go test -json: how each test ended,
// without its subtests, and what failed ones printed. If a package ends before its tests do, the
// package itself has failed.
func read(text []byte) results {
	outputs, out := map[testName]*strings.Builder{}, results{}
	for line := range bytes.Lines(text) {
		var e event
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		top, _, isSub := strings.Cut(e.Test, "/")
		n := testName{strings.TrimPrefix(e.Package, gomlxPath+"/"), top}
		switch {
		case e.Action == "output":
			if outputs[n] == nil {
				outputs[n] = &strings.Builder{}
			}
			outputs[n].WriteString(e.Output)
		case isSub || e.Test == "" && e.Action != "fail":
		case e.Action == "pass" || e.Action == "fail" || e.Action == "skip":
			r := result{action: e.Action}
			if b := outputs[n]; b != nil && e.Action == "fail" {
				r.output = b.String()
			}
			out[n] = r
		}
	}
	for n := range out { // a package also fails if its tests fail
		if n.test != "" && out[n].action == "fail" {
			delete(out, testName{n.pkg, ""})
		}
	}
	return out
}
