package compile

// This file prints programs for people.

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/gospmd/gospmd/ir"
)

// String returns the program's inputs and outputs as a table, followed by the
// notices.
func (p *Program) String() string {
	var b strings.Builder
	ops := 0
	if p.Module != nil && p.Module.Main() != nil {
		p.Module.Main().Walk(func(*ir.Op) { ops++ })
	}
	device := "1 device"
	if n := p.Mesh.Size(); n > 1 {
		device = fmt.Sprintf("%d devices, mesh %s", n, p.Mesh)
	}
	name := pick(p.Name == "", "without a name", p.Name)
	fmt.Fprintf(&b, "program %s: %d ops, %s, %s\n", name, ops, device, p.Form)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  port\tglobal\tlayout\tper device\tdonated to")
	row := func(kind string, port Port, donated string) {
		fmt.Fprintf(w, "  %s %s\t%s\t%s\t%s\t%s\n", kind, port.Name, short(port.Type), port.Sharding, short(port.Local), donated)
	}
	for _, in := range p.Inputs {
		donated := ""
		if in.Donated() {
			donated = p.Outputs[in.Alias].Name
		}
		row("in ", in.Port, donated)
	}
	for _, out := range p.Outputs {
		row("out", out.Port, "")
	}
	w.Flush()
	for _, n := range p.Notices {
		fmt.Fprintf(&b, "  notice: %s\n", n)
	}
	return trimLines(b.String())
}

// String returns "annotated" or "per-device".
func (f Form) String() string { return pick(f == Annotated, "annotated", "per-device") }

// short returns t without tensor<>: 4x8xf32.
func short(t ir.Type) string {
	return strings.TrimSuffix(strings.TrimPrefix(t.String(), "tensor<"), ">")
}

// trimLines removes spaces from line ends.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
