package compile

// This file prints reports for people.

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gospmd/gospmd/compile/cost"
)

// shownReplicated bounds the replicated inputs that the table lists.
const shownReplicated = 10

// String returns the report as tables.
func (r *Report) String() string {
	var b strings.Builder
	device := "1 device"
	if r.Devices > 1 {
		device = fmt.Sprintf("%d devices, mesh %s", r.Devices, r.Mesh)
	}
	fmt.Fprintf(&b, "report of %s, %s; all numbers are per device and run\n", r.name(), device)
	if r.Partitioned {
		r.writeCollectives(&b)
		fmt.Fprintf(&b, "\nflops: %s%s\n", grouped(r.Flops), pick(r.LoopsUnknown, " (of a loop whose turns are not known, one turn)", ""))
		r.writeSpeedUp(&b)
	} else {
		b.WriteString("\ncollectives, flops and temporaries: not known, XLA partitions this program when it is loaded; compile with compile.SPMD to know them\n")
	}
	r.writeMemory(&b)
	r.writeReplicated(&b)
	return trimLines(b.String())
}

// name returns the program's name for people.
func (r *Report) name() string {
	return pick(r.Program == "", "the program without a name", "program "+r.Program)
}

func table(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

func (r *Report) writeCollectives(b *strings.Builder) {
	if len(r.Collectives) == 0 {
		b.WriteString("\ncollectives: none\n")
		return
	}
	fmt.Fprintf(b, "\ncollectives: %d, %s bytes sent\n", len(r.Collectives), grouped(r.Bytes))
	w := table(b)
	fmt.Fprintln(w, "  kind\taxes\tbytes\truns\top\tlayer\twhere\twhy")
	for _, c := range r.Collectives {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\n", c.Kind, strings.Join(c.Axes, ","), grouped(c.Bytes), c.Runs, c.Op, c.Layer, c.Where, c.Why)
	}
	w.Flush()
	counts := map[cost.Kind][2]int{}
	for _, c := range r.Collectives {
		n := counts[c.Kind]
		counts[c.Kind] = [2]int{n[0] + 1, n[1] + c.Total()}
	}
	var parts []string
	for _, k := range cost.Kinds() {
		if n := counts[k]; n[0] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s of %s", n[0], k, grouped(n[1])))
		}
	}
	fmt.Fprintf(b, "  in all: %s bytes\n", strings.Join(parts, ", "))
}

func (r *Report) writeMemory(b *strings.Builder) {
	m := r.Memory
	fmt.Fprintf(b, "\nmemory: %s bytes%s\n", grouped(m.Peak), pick(r.Partitioned, " at the peak", " and temporaries"))
	w := table(b)
	for _, row := range []struct {
		name  string
		bytes int
	}{
		{"data", m.Data}, {"parameters", m.Parameters}, {"optimizer", m.Optimizer}, {"state", m.State},
		{"outputs", m.Outputs}, {"constants", m.Constants}, {"temporary", m.Temporary},
	} {
		if row.bytes > 0 {
			fmt.Fprintf(w, "  %s\t%s\n", row.name, grouped(row.bytes))
		}
	}
	w.Flush()
	if len(m.Largest) > 0 {
		b.WriteString("  the largest temporaries then:\n")
		for _, h := range m.Largest {
			fmt.Fprintf(w, "    %s\t%s\t%s\t%s\n", grouped(h.Bytes), h.Type, h.Op, h.Layer)
		}
		w.Flush()
	}
}

func (r *Report) writeReplicated(b *strings.Builder) {
	if len(r.Replicated) == 0 {
		return
	}
	saved := 0
	for _, x := range r.Replicated {
		saved += x.Saved
	}
	fmt.Fprintf(b, "\nreplicated inputs that could be split: %d, which would save %s bytes\n", len(r.Replicated), grouped(saved))
	w := table(b)
	fmt.Fprintln(w, "  input\trole\tover axes\tbytes\tsaved")
	for i, x := range r.Replicated {
		if i == shownReplicated {
			fmt.Fprintf(w, "  … and %d more\n", len(r.Replicated)-i)
			break
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", x.Name, x.Role, strings.Join(x.Axes, ","), grouped(x.Bytes), grouped(x.Saved))
	}
	w.Flush()
}

// grouped returns n with commas: 1,234,567.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
