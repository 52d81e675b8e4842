package explain

// This file writes the story of a value as text, and as JSON for tools.

import (
	"encoding/json"
	"fmt"
	"strings"
)

// title describes the value: its name, the op that makes it, its location and its type.
func (v *Value) title() string {
	parts := []string{v.Name}
	switch {
	case v.Kind == Parameter && v.Path != "":
		parts = append(parts, "parameter "+v.Path)
	case v.Kind == Argument:
		parts = append(parts, "argument in "+v.Op)
	case v.Kind != Result:
		parts = append(parts, v.Op)
	}
	switch {
	case v.Layer != "" && v.Where != "":
		parts = append(parts, "at", v.Layer, "("+v.Where+")")
	case v.Layer != "" || v.Where != "":
		parts = append(parts, "at", v.Layer+v.Where)
	}
	return strings.Join(append(parts, v.Type.String()), " ")
}

// String returns the story: the layout that was asked for and why, the layout that runs, and the
// reasons.
func (v *Value) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", v.title())
	switch {
	case v.Asked != nil:
		fmt.Fprintf(&b, "  asked for: %s%s\n", v.Asked, v.annotationName())
	case v.e.trail.Propagated == nil:
		b.WriteString("  asked for: nothing, there is one device\n")
	default:
		b.WriteString("  asked for: nothing\n")
	}
	for _, o := range v.Chains() {
		fmt.Fprintf(&b, "    dim %d, axis %s:\n      %s\n", o.Dim, o.Axis, strings.Join(o.Chain, "\n      "))
	}
	if v.e.trail.Program != nil {
		fmt.Fprintf(&b, "  runs as: %s\n", runsText(v.Runs))
	}
	if v.Overridden() {
		fmt.Fprintf(&b, "  its annotation %s does not hold\n", v.Annotated)
	}
	for _, r := range v.Because() {
		fmt.Fprintf(&b, "  because: %s\n", r.Text)
	}
	return b.String()
}

// annotationName says what annotated the value itself, if the annotation has no axes: then no chain
// says it.
func (v *Value) annotationName() string {
	if v.Annotated == nil || !v.Annotated.IsReplicated() {
		return ""
	}
	if _, by := v.subject.Annotation(); by != "" {
		return ", annotated by " + by
	}
	return ", annotated"
}

// runsText lists the runs in their order, with "; then as " between them. Without runs it is
// "nothing".
func runsText(runs []Run) string {
	if len(runs) == 0 {
		return "nothing"
	}
	parts := make([]string, len(runs))
	for i, r := range runs {
		parts[i] = r.String()
	}
	return strings.Join(parts, "; then as ")
}

// String returns the local shape and the layout of r, its name, and the op that makes it.
func (r Run) String() string {
	layout := ""
	if r.Sharding != nil {
		layout = " " + r.Sharding.String()
	}
	return fmt.Sprintf("%s%s, %s %s", r.Local.Short(), layout, r.Name, r.Op)
}

// JSON forms.
type (
	valueJSON struct {
		Name      string      `json:"name"`
		Kind      Kind        `json:"kind"`
		Path      string      `json:"path,omitempty"`
		Op        string      `json:"op"`
		Layer     string      `json:"layer,omitempty"`
		Where     string      `json:"where,omitempty"`
		Type      string      `json:"type"`
		Asked     string      `json:"asked_for,omitempty"`
		Annotated string      `json:"annotated,omitempty"`
		Overrides bool        `json:"overridden,omitempty"`
		Chains    []chainJSON `json:"chains,omitempty"`
		Runs      []runJSON   `json:"runs_as"`
		Because   []Reason    `json:"because,omitempty"`
	}
	chainJSON struct {
		Dim  int      `json:"dim"`
		Axis string   `json:"axis"`
		Way  []string `json:"way"`
	}
	runJSON struct {
		Name     string `json:"name"`
		Op       string `json:"op"`
		Local    string `json:"local"`
		Sharding string `json:"sharding,omitempty"`
	}
)

// MarshalJSON writes all that the explanation knows of the value: its layouts, the chains of ops
// that led to them with their reasons, and its per-device values.
func (v *Value) MarshalJSON() ([]byte, error) {
	out := valueJSON{
		Name: v.Name, Kind: v.Kind, Path: v.Path, Op: v.Op, Layer: v.Layer, Where: v.Where, Type: v.Type.String(),
		Overrides: v.Overridden(), Because: v.Because(), Runs: []runJSON{},
	}
	if v.Asked != nil {
		out.Asked = v.Asked.String()
	}
	if v.Annotated != nil {
		out.Annotated = v.Annotated.String()
	}
	for _, o := range v.Chains() {
		out.Chains = append(out.Chains, chainJSON{o.Dim, o.Axis.String(), o.Chain})
	}
	for _, r := range v.Runs {
		run := runJSON{Name: r.Name, Op: r.Op, Local: r.Local.String()}
		if r.Sharding != nil {
			run.Sharding = r.Sharding.String()
		}
		out.Runs = append(out.Runs, run)
	}
	return json.Marshal(out)
}
