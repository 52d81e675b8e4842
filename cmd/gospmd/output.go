package main

// This file writes what commands print, as text or as JSON.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
)

// part is a part of a command's output.
type part struct {
	name string // its key in JSON
	fmt.Stringer
}

// printParts writes parts as text, or as JSON. In JSON several parts form an object, and a single
// part has no object around it. The machine of -machine is named once; nil: there is none.
func printParts(out io.Writer, machine *cost.Machine, parts []part, asJSON bool) error {
	if asJSON {
		if len(parts) == 1 {
			return writeJSON(out, withMachine{parts[0].Stringer, machine})
		}
		object := map[string]any{}
		if machine != nil {
			object["machine"] = machine.Name
		}
		for _, p := range parts {
			object[p.name] = p.Stringer
		}
		return writeJSON(out, object)
	}
	if _, err := io.WriteString(out, machineLine(machine, parts)); err != nil {
		return err
	}
	for i, p := range parts {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if _, err := io.WriteString(out, p.String()); err != nil {
			return err
		}
	}
	return nil
}

// machineLine returns the line that names the machine above the text of parts. It is "" if there is
// no machine, if there is nothing else to print, or if a report among the parts names the machine.
func machineLine(machine *cost.Machine, parts []part) string {
	empty := true
	for _, p := range parts {
		if r, ok := p.Stringer.(*report.Report); ok && r.Prediction != nil {
			return ""
		}
		empty = empty && p.String() == ""
	}
	switch {
	case machine == nil || empty:
		return ""
	case machine.HasScale():
		return "predicted on " + machine.Name + "\n"
	}
	return "decided for " + machine.Name + "\n"
}

// withMachine is a result whose JSON object begins with the name of the machine; nil: it does not.
type withMachine struct {
	result  any
	machine *cost.Machine
}

// MarshalJSON returns the object of the result, with the machine.
func (w withMachine) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := writeJSON(&b, w.result); err != nil || w.machine == nil {
		return b.Bytes(), err
	}
	name, err := json.Marshal(w.machine.Name)
	return slices.Concat([]byte(`{"machine":`), name, []byte(","), b.Bytes()[1:]), err
}

// writeJSON writes x to out as indented JSON, without escapes of < and >.
func writeJSON(out io.Writer, x any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false) // modules contain many < and >
	return e.Encode(x)
}
