package main

// This file counts the repaired mistakes and lint's warnings, by model and by class.

import (
	"fmt"
	"io"
	"slices"

	"github.com/gospmd/gospmd/internal/texttable"
)

// The classes of mistakes.
const (
	memoryOnly   = "memory only"
	severalRules = "several rules"
	oneRule      = "one rule"
)

// class returns the class of a harmful mistake for the table: memoryOnly if it costs no time,
// otherwise severalRules or oneRule, by the number of its flags.
func (r *result) class() string {
	switch {
	case r.loss(r.spoilt)[0] <= slower:
		return memoryOnly
	case len(r.flags) > 1:
		return severalRules
	}
	return oneRule
}

// The models fall into two halves: the functions search and gain of package suggest were developed
// on one of them.
const (
	atHand  = "models at hand"
	heldOut = "models held out"
)

// count holds the numbers for a model or a class: harmful mistakes, repaired ones, warnings.
type count struct {
	name                    string
	harmful, mended, warned int
}

// tally counts results: by model, by half and by class, and finally all.
type tally []*count

func newTally() (t tally) {
	for _, m := range models {
		t = append(t, &count{name: m.name})
	}
	for _, name := range []string{atHand, heldOut, memoryOnly, severalRules, oneRule, "all"} {
		t = append(t, &count{name: name})
	}
	return t
}

// add counts the result r of a mistake in the layout of m, if the mistake is harmful.
func (t tally) add(m model, r *result) {
	if !r.isHarmful() {
		return
	}
	half := atHand
	if m.heldOut {
		half = heldOut
	}
	for _, c := range t {
		if slices.Contains([]string{m.name, half, r.class(), "all"}, c.name) {
			c.harmful++
			if r.isMended() {
				c.mended++
			}
			if r.warned {
				c.warned++
			}
		}
	}
}

// write prints the counts of each model and class that has harmful mistakes to out; with lint also
// how many of them lint warns of.
func (t tally) write(out io.Writer, lint bool) error {
	w := texttable.New(out)
	fmt.Fprint(w, "mistakes\tharmful\tmended\t")
	if lint {
		fmt.Fprint(w, "\twarned\t")
	}
	fmt.Fprintln(w)
	for _, c := range t {
		if c.harmful == 0 {
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s", c.name, c.harmful, c.mended, c.share(c.mended))
		if lint {
			fmt.Fprintf(w, "\t%d\t%s", c.warned, c.share(c.warned))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

func (c *count) share(n int) string { return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(c.harmful)) }

// check returns an error if too few mistakes are repaired or, with lint, warned of: of all, or of
// the held-out models.
func (t tally) check(lint bool) error {
	for _, c := range t {
		if c.name != heldOut && c.name != "all" {
			continue
		}
		if float64(c.mended) < want*float64(c.harmful) {
			return fmt.Errorf("%s: %d of %d harmful mistakes are mended, want %.0f %%", c.name, c.mended, c.harmful, 100*want)
		}
		if lint && float64(c.warned) < warn*float64(c.harmful) {
			return fmt.Errorf("%s: lint warns of %d of %d harmful mistakes, want %.0f %%", c.name, c.warned, c.harmful, 100*warn)
		}
	}
	return nil
}
