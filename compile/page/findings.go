package page

// This file lists what is worth a look, ranked by what it would save.

import (
	"github.com/gospmd/gospmd/compile/report"
)

// Finding is something worth a look.
type Finding struct {
	Kind string `json:"kind"` // replicated, suggestion, conflict, override
	Text string `json:"text"`
	// Line is a flag that can be pasted behind a gospmd command; empty if there is
	// none.
	Line string `json:"line,omitempty"`
	// What it would save a device in a run.
	Seconds float64 `json:"seconds,omitempty"`
	Bytes   int     `json:"bytes,omitempty"`
	Memory  int     `json:"memory,omitempty"`
	Op      int     `json:"op"` // the op that it is about, or -1
}

// addReplicated adds the inputs that could be sharded along more axes.
func (p *Page) addReplicated(r *report.Report) {
	for _, x := range r.Replicated {
		p.Findings = append(p.Findings, Finding{Kind: "replicated", Text: x.Name, Memory: x.Saved, Op: -1})
	}
}
