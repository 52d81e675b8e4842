package page

// This file defines Pair, the data of a file about two programs.

import (
	"io"

	"github.com/gospmd/gospmd/compile/report"
)

// Pair is two pages in one file, with what differs.
type Pair struct {
	Diff  *report.Diff `json:"diff"`
	Sides [2]sideData  `json:"sides"`

	a, b *Page
}

// sideData are the figures of one of two programs.
type sideData struct {
	Machine     string  `json:"machine"`
	Scale       bool    `json:"scale"`
	Seconds     float64 `json:"seconds"`
	Bytes       int     `json:"bytes"`
	Collectives int     `json:"collectives"`
	Flops       int     `json:"flops"`
	Peak        int     `json:"peak"`
	Fixed       int     `json:"fixed"` // of the memory
	Curve       column  `json:"curve"`
}

// NewPair puts the pages of two programs side by side; d compares them.
func NewPair(a, b *Page, d *report.Diff) *Pair {
	return &Pair{Diff: d, Sides: [2]sideData{a.side(), b.side()}, a: a, b: b}
}

// Write writes the pages as one HTML file.
func (p *Pair) Write(w io.Writer) error { return write(w, p.a, p.b, p) }

// curvePoints bounds the points of sideData.Curve.
const curvePoints = 200

// side returns the page's figures. Each point of the curve is the most of several ops.
func (p *Page) side() sideData {
	t := p.Totals
	s := sideData{Machine: p.Machine.Name, Scale: p.Machine.Scale, Seconds: t.Seconds, Bytes: t.Bytes, Collectives: t.Collectives, Flops: t.Flops, Peak: t.Peak}
	for _, bytes := range p.Memory.Fixed {
		s.Fixed += bytes
	}
	live := p.Memory.Live
	n := min(len(live), curvePoints)
	s.Curve = make(column, n)
	for i, bytes := range live {
		at := i * n / len(live)
		s.Curve[at] = max(s.Curve[at], s.Fixed+bytes)
	}
	return s
}
