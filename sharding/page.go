package sharding

// This file writes explanations as a page for a browser.

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding/internal/sdy"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// Move is data movement to be shown on a page: a collective, or several alike.
type Move struct {
	Text string // such as: all_reduce over data, 4096 bytes
	Why  string // such as: reduces partial results of stablehlo.dot_general
	// The op that it is done for: its full name, its layer path and its source
	// line, as far as they are known.
	Op, Layer, Where string
}

// isFor reports whether m is done for op.
func (m Move) isFor(op *ir.Op) bool {
	loc := op.Loc
	loc.Path = ""
	where := ""
	if !loc.IsZero() {
		where = loc.String()
	}
	return m.Op == op.FullName() && m.Layer == op.Loc.Path && m.Where == where
}

// axisColors are told apart by people with any eyesight (Okabe and Ito).
var axisColors = []string{"#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999"}

type pageAxis struct{ Name, Color string }

type pageDim struct {
	Size int
	Axes []pageAxis
}

type pageRow struct {
	ID       int
	Y, Depth int
	Name, Op string
	Dims     []pageDim
	Why      string
	Lost     bool
	Moves    []Move
}

// pageEdge is an arc from the row of a value to the row of a use.
type pageEdge struct {
	From, To int
	Path     string
	Color    string
}

type page struct {
	Title         string
	Axes          []pageAxis
	Rows          []pageRow
	Edges         []pageEdge
	Moves         []string
	Width, Height int
}

const (
	rowHeight = 26
	arcSpace  = 140
)

// WritePage writes one HTML page that needs no other file: function f as a
// graph, a row for each value, a colour for each mesh axis, and for each value
// the path of its axes and the axes that did not reach it. moves are shown where their op is
// known, and all of them in a list.
func (r *Result) WritePage(w io.Writer, f *ir.Func, moves []Move) error {
	p := &page{Title: f.Name, Width: arcSpace}
	colors := make(map[string]string)
	for _, nm := range r.graph.module.Meshes {
		for _, a := range nm.Mesh.Axes() {
			if colors[a.Name] == "" {
				colors[a.Name] = axisColors[len(colors)%len(axisColors)]
				p.Axes = append(p.Axes, pageAxis{fmt.Sprintf("%s=%d", a.Name, a.Size), colors[a.Name]})
			}
		}
	}
	rows := make(map[*ir.Value]int)
	add := func(v *ir.Value, op string, depth int) {
		rows[v] = len(p.Rows)
		p.Rows = append(p.Rows, r.pageRow(v, f, op, depth, len(p.Rows), colors))
	}
	for _, v := range f.Params() {
		op := "parameter"
		if v.Name != "" {
			op += " " + v.Name
		}
		add(v, op, 0)
	}
	var visit func(b *ir.Block, depth int)
	visit = func(b *ir.Block, depth int) {
		for op := range b.Ops() {
			to := len(p.Rows)
			if len(op.Results) == 0 {
				p.Rows = append(p.Rows, pageRow{ID: to, Y: to * rowHeight, Depth: depth * 16, Op: op.FullName(), Why: sdy.Describe(op)})
			}
			for _, v := range op.Results {
				add(v, op.FullName(), depth)
			}
			row := &p.Rows[to]
			for _, m := range moves {
				if m.isFor(op) {
					row.Moves = append(row.Moves, m)
				}
			}
			for _, v := range op.Operands {
				if from, ok := rows[v]; ok {
					p.Edges = append(p.Edges, r.pageEdge(v, from, to, colors))
				}
			}
			if op.Info().Is(ir.ScalarBody) {
				continue
			}
			for _, region := range op.Regions {
				for i, a := range region.Args {
					add(a, fmt.Sprintf("argument %d", i), depth+1)
				}
				visit(region, depth+1)
			}
		}
	}
	visit(f.Body, 0)
	for _, m := range moves {
		p.Moves = append(p.Moves, strings.Join(strings.Fields(m.Text+": "+m.Why+" for "+m.Op+" "+m.Layer+" "+m.Where), " "))
	}
	p.Height = len(p.Rows) * rowHeight
	if err := pageTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("sharding: cannot write the page: %w", err)
	}
	return nil
}

// pageRow makes the row of v.
func (r *Result) pageRow(v *ir.Value, f *ir.Func, op string, depth, id int, colors map[string]string) pageRow {
	row := pageRow{ID: id, Y: id * rowHeight, Depth: depth * 16, Name: r.name(f, v), Op: op, Why: "tokens have no sharding"}
	if v.Type.IsToken() {
		return row
	}
	var s *layout.Sharding
	if e := r.Explanation(v); e != nil {
		s, row.Why, row.Lost = e.Sharding, e.String(), len(e.Lost) > 0
	}
	for d, size := range v.Type.Dims {
		dim := pageDim{Size: size}
		if s != nil && d < len(s.Dims) {
			for _, a := range s.Dims[d].Axes {
				dim.Axes = append(dim.Axes, pageAxis{a.String(), colors[a.Name]})
			}
		}
		row.Dims = append(row.Dims, dim)
	}
	return row
}

// pageEdge draws an arc in the colour of the first axis that shards v.
func (r *Result) pageEdge(v *ir.Value, from, to int, colors map[string]string) pageEdge {
	y1, y2 := from*rowHeight+rowHeight/2, to*rowHeight+rowHeight/2
	reach := min(arcSpace-10, 12+(to-from)*4)
	e := pageEdge{
		From: from, To: to, Color: "#ccc",
		Path: fmt.Sprintf("M%d %d C%d %d %d %d %d %d", arcSpace, y1, arcSpace-reach, y1, arcSpace-reach, y2, arcSpace, y2),
	}
	if t := r.graph.tensorOf(v); t != nil && t.sharding != nil {
		for _, dim := range t.sharding.Dims {
			if len(dim.Axes) > 0 {
				e.Color = colors[dim.Axes[0].Name]
				break
			}
		}
	}
	return e
}
