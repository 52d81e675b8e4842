package program

// This file prints a Program as a table.

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
)

// String returns a line with the program's name, its numbers of ops and devices, its mesh and its
// form, then a table of its inputs and outputs, and then a line for each diagnostic.
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
	fmt.Fprintf(&b, "program %s: %d ops, %s, %s\n", cmp.Or(p.Name, "without a name"), ops, device, p.Form)
	w := texttable.New(&b)
	fmt.Fprintln(w, "  value\tglobal\tsharding\tper device\tdonated to")
	line := func(kind string, t TensorInfo, donated string) {
		perDevice := t.Local.Short()
		if t.Memory != ir.DeviceMemory {
			perDevice += " in " + t.Memory.String()
		}
		fmt.Fprintf(w, "  %s %s\t%s\t%s\t%s\t%s\n", kind, t.Name, t.Type.Short(), t.Sharding, perDevice, donated)
	}
	for _, in := range p.Inputs {
		donated := ""
		if in.Donated() {
			donated = p.Outputs[in.Alias].Name
		}
		line("in ", in.TensorInfo, donated)
	}
	for _, out := range p.Outputs {
		line("out", out.TensorInfo, "")
	}
	w.Flush()
	for _, d := range p.Diagnostics {
		fmt.Fprintf(&b, "  warning: %s\n", d)
	}
	return texttable.Trim(b.String())
}
