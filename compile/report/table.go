package report

// This file prints reports as tables.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/texttable"
)

// maxReplicated is the largest number of replicated inputs that the table lists.
const maxReplicated = 10

// String returns the report as tables: collectives, FLOPs, prediction, memory, fitting, replicated
// values and overrides. Figures that only XLA knows are said not to be known.
func (r *Report) String() string {
	var b strings.Builder
	device := "1 device"
	if r.Devices > 1 {
		device = fmt.Sprintf("%d devices, mesh %s", r.Devices, r.Mesh)
	}
	fmt.Fprintf(&b, "report of %s, %s; all numbers are per device and run\n", ProgramName(r.Program), device)
	if r.Partitioned {
		r.writeCollectives(&b)
		fmt.Fprintf(&b, "\nflops: %s%s\n", texttable.GroupDigits(r.Flops), r.unknownLoops())
		r.writeSpeedUp(&b)
		r.writePrediction(&b)
	} else {
		b.WriteString("\ncollectives, flops and temporaries: not known, XLA partitions this program when it is loaded; compile with compile.SPMD to know them\n")
	}
	r.writeMemory(&b)
	r.writeFitting(&b)
	r.writeReplicated(&b)
	r.writeOverrides(&b)
	return texttable.Trim(b.String())
}

// ProgramName returns a name for messages about a program; name may be empty.
func ProgramName(name string) string {
	if name == "" {
		return "the program without a name"
	}
	return "program " + name
}

func (r *Report) writeCollectives(b *strings.Builder) {
	if len(r.Collectives) == 0 {
		b.WriteString("\ncollectives: none\n")
		return
	}
	fmt.Fprintf(b, "\ncollectives: %d, %s sent%s\n", len(r.Collectives), texttable.Bytes(r.Bytes), r.unknownLoops())
	w := texttable.New(b)
	fmt.Fprintln(w, "  kind\taxes\tbytes\truns\top\tlayer\twhere\twhy")
	for _, c := range r.Collectives {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\n", c.Kind, strings.Join(c.Axes, ","), texttable.GroupDigits(c.Bytes), c.Runs, c.Op, c.Layer, c.Where, c.Why)
	}
	w.Flush()
	type sum struct{ count, bytes int }
	sums := map[cost.Kind]sum{}
	for _, c := range r.Collectives {
		s := sums[c.Kind]
		sums[c.Kind] = sum{s.count + 1, s.bytes + c.Total()}
	}
	var kinds []string
	for _, k := range cost.Kinds() {
		if s := sums[k]; s.count > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s of %s", s.count, k, texttable.Bytes(s.bytes)))
		}
	}
	fmt.Fprintf(b, "  in total: %s%s\n", strings.Join(kinds, ", "), r.unknownLoops())
}

// unknownLoops returns a note for sums that count one iteration of a loop without a known trip
// count. It returns "" if there is no such loop.
func (r *Report) unknownLoops() string {
	if !r.LoopsUnknown {
		return ""
	}
	return " (one iteration of a loop whose trip count is not known)"
}

func (r *Report) writeMemory(b *strings.Builder) {
	m := r.Memory
	when := " at the peak"
	if !r.Partitioned {
		when = " and temporaries"
	}
	fmt.Fprintf(b, "\nmemory: %s%s\n", texttable.Bytes(m.Peak), when)
	w := texttable.New(b)
	for _, part := range m.Parts() {
		if part.Bytes > 0 {
			fmt.Fprintf(w, "  %s\t%s\n", part.Name, texttable.Bytes(part.Bytes))
		}
	}
	w.Flush()
	if m.Host > 0 {
		fmt.Fprintf(b, "  besides, in the memory of the host: %s\n", texttable.Bytes(m.Host))
	}
	if n := m.Moved.Values; n > 0 {
		fmt.Fprintf(b, "  values that move to the host and back: %d, of %s\n", n, texttable.Bytes(m.Moved.Bytes))
	}
	if len(m.Largest) > 0 {
		b.WriteString("  the largest temporaries then:\n")
		for _, g := range r.liveGroups() {
			fmt.Fprintf(w, "    %s\t%s\t%s\t%s\n", texttable.Bytes(g.bytes), g.typeText(), g.Op, g.Layer)
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
	fmt.Fprintf(b, "\nreplicated inputs that could be sharded: %d, which would save %s\n", len(r.Replicated), texttable.Bytes(saved))
	w := texttable.New(b)
	fmt.Fprintln(w, "  input\trole\tover axes\tbytes\tsaved")
	for i, x := range r.Replicated {
		if i == maxReplicated {
			fmt.Fprintf(w, "  … and %d more\n", len(r.Replicated)-i)
			break
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", x.Name, x.Role, strings.Join(x.Axes, ","), texttable.GroupDigits(x.Bytes), texttable.GroupDigits(x.Saved))
	}
	w.Flush()
}

// writeOverrides writes to b the annotations that the program does not keep. Without any it writes
// nothing.
func (r *Report) writeOverrides(b *strings.Builder) {
	if len(r.Overrides) == 0 {
		return
	}
	fmt.Fprintf(b, "\nannotations that do not hold, because the program costs less without them: %d\n", len(r.Overrides))
	for _, o := range r.Overrides {
		fmt.Fprintf(b, "  %s\n", o)
	}
}
