package aot

// This file formats Executables as text.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/texttable"
)

// String returns the figures as tables, for people: program, target and compiler, then memory,
// operations and times, and at the end the collectives, or "no collectives".
func (e *Executable) String() string {
	var b strings.Builder
	w := texttable.New(&b)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	m := e.Memory
	row("program", "%s", e.Name)
	row("target", "%s", e.Target)
	row("compiler", "%s; it took %.1f s", e.Compiler, e.CompileSeconds)
	row("memory of a device", "%s of %s", texttable.Bytes(m.Required()), texttable.Bytes(e.MemoryLimit))
	row("  arguments", "%s", texttable.Bytes(m.Arguments))
	row("  outputs", "%s, %s of them in arguments' memory", texttable.Bytes(m.Outputs), texttable.Bytes(m.Aliases))
	row("  temporary", "%s", texttable.Bytes(m.Temporary))
	row("  code", "%s", orUnknown(m.Code > 0, texttable.Bytes(m.Code)))
	row("  peak of all memories", "%s", texttable.Bytes(m.Peak))
	if m.Host > 0 {
		row("memory of the host", "%s", texttable.Bytes(m.Host))
	}
	row("operations", "%s", orUnknown(e.Flops > 0, fmt.Sprintf("%.4g", e.Flops)))
	row("bytes accessed", "%s", orUnknown(e.BytesAccessed > 0, texttable.Bytes(int(e.BytesAccessed))))
	row("estimated time", "%s", e.estimateText())
	switch {
	case e.PredictedSeconds > 0:
		text := report.Duration(e.PredictedSeconds)
		if e.PredictedOn != "" {
			text += " on " + e.PredictedOn
		}
		if e.Machine != "" {
			text += ", decided for " + e.Machine
		}
		row("our prediction", "%s", text)
	case e.Machine != "":
		row("decided for", "%s", e.Machine)
	}
	w.Flush()
	if len(e.Collectives) == 0 {
		b.WriteString("\nno collectives\n")
		return texttable.Trim(b.String())
	}
	b.WriteString("\n")
	w = texttable.New(&b)
	fmt.Fprintln(w, "collective\tdevices\tnumber\tasynchronous\tbytes of results")
	for _, s := range summarize(e.Collectives) {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\n", s.kind, s.devices, s.number, s.async, texttable.GroupDigits(s.bytes))
	}
	w.Flush()
	return texttable.Trim(b.String())
}

// estimateText returns the compiler's estimate of a run's time as text, with the number of ops that
// it leaves out. The text says so if there is no estimate.
func (e *Executable) estimateText() string {
	duration := report.Duration(e.EstimatedSeconds)
	if e.OpsWithoutEstimate > 0 {
		return fmt.Sprintf("at least %s; %d ops without estimate", duration, e.OpsWithoutEstimate)
	}
	return orUnknown(e.EstimatedSeconds > 0, duration)
}

func orUnknown(known bool, text string) string {
	if known {
		return text
	}
	return "the compiler does not say"
}

// summary holds the totals of the collectives of one kind and one group size.
type summary struct {
	kind, devices        string
	number, async, bytes int
}

// summarize returns the totals of collectives by kind and groups. Those with most bytes come first.
func summarize(all []Collective) (out []summary) {
	for _, c := range all {
		s := summary{kind: c.Kind, devices: fmt.Sprintf("%d × %d", c.Groups, c.GroupSize)}
		i := slices.IndexFunc(out, func(o summary) bool { return o.kind == s.kind && o.devices == s.devices })
		if i < 0 {
			i, out = len(out), append(out, s)
		}
		out[i].number++
		out[i].bytes += c.Bytes
		if c.Async {
			out[i].async++
		}
	}
	slices.SortStableFunc(out, func(a, b summary) int { return cmp.Compare(b.bytes, a.bytes) })
	return out
}
