package main

// This file prints the summary.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// slowest is the number of packages that the summary lists.
const slowest = 10

// print writes the summary to r.out: the slowest packages, the reasons of skipped tests, the failed
// tests, and the counts. It leaves out lists that are empty, and the packages if there are no more
// than slowest.
func (r *results) print() {
	if len(r.packages) > slowest {
		slices.SortStableFunc(r.packages, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
		fmt.Fprintln(r.out, "\nslowest packages, in seconds:")
		for _, p := range r.packages[:slowest] {
			fmt.Fprintf(r.out, "%7.1f  %s\n", p.seconds, p.pkg)
		}
	}
	if len(r.reasons) > 0 {
		fmt.Fprintln(r.out, "\nskipped tests:")
	}
	for _, why := range slices.SortedFunc(maps.Keys(r.reasons), r.compareByNeed) {
		text := cmp.Or(why.fix, "no reason given")
		if why.what != "" {
			text = fmt.Sprintf("need %s: %s", why.what, why.fix)
		}
		fmt.Fprintf(r.out, "%5d  %s\n       %s\n", len(r.reasons[why]), text, abbreviate(r.reasons[why]))
	}
	if len(r.failures) > 0 {
		fmt.Fprintln(r.out, "\nfailed tests:")
	}
	for _, name := range r.failures {
		fmt.Fprintln(r.out, "      ", name)
	}
	fmt.Fprintf(r.out, "\n%d passed, %d failed, %d skipped\n", r.passed, r.failed, r.skipped)
}

// compareByNeed puts the reasons that name a need before others, and the most frequent first.
func (r *results) compareByNeed(a, b reason) int {
	other := func(x reason) int {
		if x.what == "" {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(other(a), other(b)), cmp.Compare(len(r.reasons[b]), len(r.reasons[a])), cmp.Compare(a.what, b.what), cmp.Compare(a.fix, b.fix))
}

// abbreviate lists the tests, sorted and each once, as many as fit into a line, and the number of
// the others. names has at least one.
func abbreviate(names []string) string {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	const width = 90
	text := names[0]
	for i, name := range names[1:] {
		if len(text)+len(name) > width {
			return fmt.Sprintf("%s and %d others", text, len(names)-1-i)
		}
		text = strings.Join([]string{text, name}, ", ")
	}
	return text
}
