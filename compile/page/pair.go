package page

// This file defines Pair, the data of a file about two programs.

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/report"
)

// Pair has two pages in one file, and their differences.
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
	Fixed       int     `json:"fixed"` // the part of the memory that is in use all the time
	Curve       column  `json:"curve"`
}

// NewPair returns the pages of two programs side by side. d compares the programs; only the bytes
// that layers send are compared here, by the layers of the pages.
func NewPair(a, b *Page, d *report.Diff) *Pair {
	diff := *d
	diff.Layers = compareSentBytes(a, b)
	return &Pair{Diff: &diff, Sides: [2]sideData{a.side(), b.side()}, a: a, b: b}
}

// compareSentBytes compares the bytes that the layers of two pages send. It counts repeated layers
// as one. It returns those whose bytes or numbers of collectives differ, the largest difference of
// bytes first.
func compareSentBytes(a, b *Page) []report.Change {
	out := []report.Change{}
	index := map[string]int{}
	for i, p := range []*Page{a, b} {
		for op, axes := range p.Ops.Axes {
			if axes < 0 {
				continue
			}
			name := p.layerLabel(op)
			at, known := index[name]
			if !known {
				at = len(out)
				index[name] = at
				out = append(out, report.Change{Name: name})
			}
			c := &out[at]
			bytes, count := &c.A, &c.CountA
			if i == 1 {
				bytes, count = &c.B, &c.CountB
			}
			*bytes += p.Ops.Bytes[op] * p.Ops.Runs[op]
			*count++
		}
	}
	out = slices.DeleteFunc(out, func(c report.Change) bool { return c.A == c.B && c.CountA == c.CountB })
	difference := func(c report.Change) int { return max(c.A-c.B, c.B-c.A) }
	slices.SortStableFunc(out, func(x, y report.Change) int { return cmp.Compare(difference(y), difference(x)) })
	return out
}

// layerLabel returns the place of an op in the tree of layers, such as block ×2/down, with its
// phase unless that is the forward pass. For an op without a layer it is "no layer".
func (p *Page) layerLabel(op int) string {
	label := ""
	for at := p.Layers.Node[p.Ops.Layer[op]]; at > 0; at = p.Layers.Tree.Parent[at] {
		label = strings.TrimSuffix(p.Layers.Tree.Name[at]+"/"+label, "/")
	}
	label = cmp.Or(label, "no layer")
	if phase := phase(p.Ops.Phase[op]); phase != forward {
		label += ", " + phaseNames[phase]
	}
	return label
}

// Write writes the pages as one HTML file. It returns the errors of w, and that of figures that
// JSON does not have, such as NaN.
func (p *Pair) Write(w io.Writer) error { return write(w, p.a, p.b, p) }

// curvePoints is the largest number of points in sideData.Curve.
const curvePoints = 200

// side returns the figures of the page for a comparison. The memory curve is shortened to
// curvePoints points, each the maximum over several ops.
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
