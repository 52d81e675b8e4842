package report

// This file compares two programs for one model that differ in layouts or in the mesh.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/layerpath"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/program"
)

// Diff compares the costs of a device in a run of program A with those in a run of program B. The
// JSON form has the names in the tags.
type Diff struct {
	A Side `json:"a"`
	B Side `json:"b"`
	// Totals are the predicted time in nanoseconds, if both programs have a prediction, the bytes
	// sent, the FLOPs, the number of collectives, and the memory at the peak.
	Totals []Change `json:"totals"`
	// Collectives are bytes sent by kind and axes, Layers are bytes sent by layer and pass, and
	// Memory is the memory at the peak by its contents. Entries without a difference are left out.
	Collectives []Change `json:"collectives"`
	Layers      []Change `json:"layers"`
	Memory      []Change `json:"memory"`
	// Layouts are the inputs and outputs that have another layout in one program than in the other.
	Layouts []LayoutChange `json:"layouts"`
}

// Side is one of the two programs that a Diff compares.
type Side struct {
	Program string `json:"program"`
	Mesh    string `json:"mesh"`
	Devices int    `json:"devices"`
	Machine string `json:"machine,omitempty"` // whose figures count; "": the same as for the other program
}

// Change is a figure of both programs. Counts are the numbers of collectives that it sums up.
type Change struct {
	Name   string `json:"name"`
	A      int    `json:"a"`
	B      int    `json:"b"`
	CountA int    `json:"count_a,omitempty"`
	CountB int    `json:"count_b,omitempty"`
}

// LayoutChange is an input or output with its layout in each program. The layout is empty if that
// program does not have the input or output.
type LayoutChange struct {
	Name   string `json:"name"`
	A      string `json:"a"`
	B      string `json:"b"`
	BytesA int    `json:"bytes_a"` // bytes on a device
	BytesB int    `json:"bytes_b"`
}

// Compare compares two programs in Form PerDevice on a machine.
func Compare(a, b *program.Program, m *cost.Machine) *Diff { return CompareOn(a, m, b, m) }

// CompareOn compares two programs, as Compare does, but on different machines, as for two meshes: a
// on machineA and b on machineB. nil stands for the default machine, as in NewFor.
func CompareOn(a *program.Program, machineA *cost.Machine, b *program.Program, machineB *cost.Machine) *Diff {
	d := &Diff{A: side(a), B: side(b), Collectives: []Change{}, Layers: []Change{}, Memory: []Change{}, Layouts: []LayoutChange{}}
	ra, rb := NewFor(a, machineA), NewFor(b, machineB)
	if nameA, nameB := ra.machine.Name, rb.machine.Name; nameA != nameB {
		d.A.Machine, d.B.Machine = nameA, nameB
	}
	d.Totals = []Change{
		{Name: "bytes sent", A: ra.Bytes, B: rb.Bytes}, {Name: "flops", A: ra.Flops, B: rb.Flops},
		{Name: "collectives", A: len(ra.Collectives), B: len(rb.Collectives)}, {Name: "memory", A: ra.Memory.Peak, B: rb.Memory.Peak},
	}
	if ra.Prediction != nil && rb.Prediction != nil {
		d.Totals = slices.Insert(d.Totals, 0, Change{Name: "time", A: nanoseconds(ra), B: nanoseconds(rb)})
	}
	d.Collectives = compareBy(ra, rb, func(c Collective) string { return fmt.Sprintf("%s over %s", c.Kind, strings.Join(c.Axes, ",")) })
	d.Layers = compareBy(ra, rb, layerNames(ra, rb))
	pb := rb.Memory.Parts()
	for i, p := range ra.Memory.Parts() {
		if p.Bytes != pb[i].Bytes {
			d.Memory = append(d.Memory, Change{Name: p.Name, A: p.Bytes, B: pb[i].Bytes})
		}
	}
	d.compareLayouts(a, b)
	return d
}

// String names the program, its mesh, and its machine if the other program has another one.
func (s Side) String() string {
	text := fmt.Sprintf("%s, 1 device", ProgramName(s.Program))
	if s.Devices > 1 {
		text = fmt.Sprintf("%s, %d devices, mesh %s", ProgramName(s.Program), s.Devices, s.Mesh)
	}
	if s.Machine != "" {
		text += ", on " + s.Machine
	}
	return text
}

func side(p *program.Program) Side {
	return Side{Program: p.Name, Mesh: p.Mesh.String(), Devices: p.Mesh.Size()}
}

// nanoseconds returns the predicted time of one run of r's program in whole nanoseconds, rounded
// down.
func nanoseconds(r *Report) int { return int(r.Prediction.Seconds * 1e9) }

// compareBy sums up the bytes of the collectives of a and of b by the name that name returns. It
// returns the sums that differ in bytes or in the number of collectives, the largest difference of
// bytes first.
func compareBy(a, b *Report, name func(Collective) string) []Change {
	out := []Change{}
	index := map[string]int{}
	add := func(r *Report, bytes, count func(*Change) *int) {
		for _, c := range r.Collectives {
			at, ok := index[name(c)]
			if !ok {
				at = len(out)
				index[name(c)] = at
				out = append(out, Change{Name: name(c)})
			}
			*bytes(&out[at]) += c.Total()
			*count(&out[at])++
		}
	}
	add(a, func(c *Change) *int { return &c.A }, func(c *Change) *int { return &c.CountA })
	add(b, func(c *Change) *int { return &c.B }, func(c *Change) *int { return &c.CountB })
	out = slices.DeleteFunc(out, func(c Change) bool { return c.A == c.B && c.CountA == c.CountB })
	slices.SortStableFunc(out, func(x, y Change) int { return abs(y.B-y.A) - abs(x.B-x.A) })
	return out
}

func abs(n int) int { return max(n, -n) }

// layerNames returns a function that returns the layer of a collective, as labels joined by /, with
// one name for repeated layers: "no layer" without a path, and with ", backward" at its end in the
// backward pass.
func layerNames(a, b *Report) func(Collective) string {
	var paths []string
	for _, c := range slices.Concat(a.Collectives, b.Collectives) {
		paths = append(paths, c.Layer)
	}
	t := layerpath.NewTree(paths)
	return func(c Collective) string {
		place := t.Place(c.Layer)
		var labels []string
		for at := place.Node; at > 0; at = t.Nodes[at].Parent {
			labels = append([]string{t.Nodes[at].Label()}, labels...)
		}
		if len(labels) == 0 {
			labels = []string{"no layer"}
		}
		if place.Backward {
			labels[len(labels)-1] += ", backward"
		}
		return strings.Join(labels, "/")
	}
}

// compareLayouts adds to d.Layouts the inputs and outputs of programs a and b whose layouts differ.
// An input that is updated, such as a weight, counts once, not again as an output.
func (d *Diff) compareLayouts(a, b *program.Program) {
	index := map[string]int{}
	var all []LayoutChange
	add := func(p *program.Program, set func(c *LayoutChange, t program.TensorInfo)) {
		one := func(kind string, t program.TensorInfo) {
			name := kind + " " + t.Name
			at, ok := index[name]
			if !ok {
				at = len(all)
				index[name] = at
				all = append(all, LayoutChange{Name: name})
			}
			set(&all[at], t)
		}
		updated := make([]bool, len(p.Outputs))
		for i, in := range p.Inputs {
			one("input", withName(in.TensorInfo, i))
			if in.Donated() {
				updated[in.Alias] = true
			}
		}
		for i, o := range p.Outputs {
			if !updated[i] {
				one("output", withName(o.TensorInfo, i))
			}
		}
	}
	add(a, func(c *LayoutChange, t program.TensorInfo) {
		c.A, c.BytesA = t.Sharding.String(), t.Local.MemoryBytes()
	})
	add(b, func(c *LayoutChange, t program.TensorInfo) {
		c.B, c.BytesB = t.Sharding.String(), t.Local.MemoryBytes()
	})
	for _, c := range all {
		if c.A != c.B || c.BytesA != c.BytesB {
			d.Layouts = append(d.Layouts, c)
		}
	}
}

// withName returns t, with its position as its name if it has none.
func withName(t program.TensorInfo, i int) program.TensorInfo {
	if t.Name == "" {
		t.Name = fmt.Sprint(i)
	}
	return t
}

// maxLayouts is the largest number of layouts that the text lists.
const maxLayouts = 20

// String returns the comparison as tables: the totals, and the differences by collective, layer and
// memory, then the layouts that differ, at most maxLayouts.
func (d *Diff) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "A: %s\nB: %s\nall numbers are per device and run\n\n", d.A, d.B)
	writeChanges(&b, "", d.Totals)
	writeChanges(&b, "bytes sent, by collective", d.Collectives)
	writeChanges(&b, "bytes sent, by layer", d.Layers)
	writeChanges(&b, "memory at the peak", d.Memory)
	if len(d.Layouts) > 0 {
		fmt.Fprintf(&b, "\nlayouts that differ: %d\n", len(d.Layouts))
		w := texttable.New(&b)
		fmt.Fprintln(w, "  value\tA\tB\tbytes A\tbytes B")
		for _, c := range d.Layouts[:min(len(d.Layouts), maxLayouts)] {
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", c.Name, c.A, c.B, texttable.GroupDigits(c.BytesA), texttable.GroupDigits(c.BytesB))
		}
		w.Flush()
		if n := len(d.Layouts) - maxLayouts; n > 0 {
			fmt.Fprintf(&b, "  … and %d more\n", n)
		}
	}
	if len(d.Collectives)+len(d.Layers)+len(d.Memory)+len(d.Layouts) == 0 {
		b.WriteString("\nnothing differs\n")
	}
	return texttable.Trim(b.String())
}

func writeChanges(b *strings.Builder, heading string, list []Change) {
	if len(list) == 0 {
		return
	}
	if heading != "" {
		fmt.Fprintf(b, "\n%s\n", heading)
	}
	w := texttable.New(b)
	for _, c := range list {
		name := c.Name
		if name == "time" {
			name = "predicted time, ns"
		}
		counts := ""
		if c.CountA+c.CountB > 0 {
			counts = fmt.Sprintf("\tin %d → %d", c.CountA, c.CountB)
		}
		fmt.Fprintf(w, "  %s\t%s\t→ %s\t%s%s\n", name, texttable.GroupDigits(c.A), texttable.GroupDigits(c.B), percent(c.A, c.B), counts)
	}
	w.Flush()
}

// percent returns a text that says by how much b differs from a, such as "+12.5 %"; "as before",
// "new" or "gone" if they are equal or one is 0.
func percent(a, b int) string {
	switch {
	case a == b:
		return "as before"
	case a == 0:
		return "new"
	case b == 0:
		return "gone"
	}
	return fmt.Sprintf("%+.1f %%", 100*float64(b-a)/float64(a))
}
