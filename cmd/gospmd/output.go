package main

// This file writes what commands print, as text or as JSON.

import (
	"encoding/json"
	"fmt"
	"io"
)

// part is a part of a command's output.
type part struct {
	name string // its key in JSON
	fmt.Stringer
}

// printParts writes parts as text, or as JSON. In JSON several parts form an object, and a single
// part has no object around it.
func printParts(out io.Writer, parts []part, asJSON bool) error {
	if asJSON {
		if len(parts) == 1 {
			return writeJSON(out, parts[0].Stringer)
		}
		object := map[string]any{}
		for _, p := range parts {
			object[p.name] = p.Stringer
		}
		return writeJSON(out, object)
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

// writeJSON writes x to out as indented JSON, without escapes of < and >.
func writeJSON(out io.Writer, x any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false) // modules contain many < and >
	return e.Encode(x)
}
