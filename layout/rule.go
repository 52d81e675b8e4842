package layout

// This file reads and writes the rules of a LayoutMap as text.

import (
	"fmt"
	"strings"
)

// Rule is a rule of a LayoutMap: tensors whose path matches the key are sharded by the axes, as
// LayoutMap.Set takes them.
type Rule struct {
	Key  string   `json:"key"`
	Axes []string `json:"axes"`
}

// ParseRule reads a rule in the form of a flag, such as 'd1/kernel=-,model'. The sign - leaves a
// dimension unsharded. A text without = is an error; axes are not checked.
func ParseRule(text string) (Rule, error) {
	cut := strings.LastIndexByte(text, '=')
	if cut < 0 {
		return Rule{}, fmt.Errorf("%q: want 'pattern=axes', such as 'd1/kernel=-,model'", text)
	}
	r := Rule{Key: text[:cut]}
	for axis := range strings.SplitSeq(text[cut+1:], ",") {
		if axis = strings.TrimSpace(axis); axis == "-" {
			axis = None
		}
		r.Axes = append(r.Axes, axis)
	}
	return r, nil
}

// OverrideBy calls Override for each rule, in the form that ParseRule reads. If several of them
// match a path, the last one gives its layout. It stops at the first error; the rules before it
// stay.
func (m *LayoutMap) OverrideBy(rules ...string) error {
	for _, text := range rules {
		r, err := ParseRule(text)
		if err != nil {
			return err
		}
		if err := m.Override(r.Key, r.Axes...); err != nil {
			return err
		}
	}
	return nil
}

// String returns the rule in the form that ParseRule reads.
func (r Rule) String() string {
	axes := make([]string, len(r.Axes))
	for i, a := range r.Axes {
		if axes[i] = a; a == None {
			axes[i] = "-"
		}
	}
	return r.Key + "=" + strings.Join(axes, ",")
}

// Flag returns the flag of gospmd that sets the rule, quoted for a shell: -layout
// 'd1/kernel=-,model'.
func (r Rule) Flag() string {
	return "-layout '" + strings.ReplaceAll(r.String(), "'", `'\''`) + "'"
}

// Line returns a line of Go that adds the rule to a LayoutMap named layouts, by Override.
func (r Rule) Line() string {
	args := []string{fmt.Sprintf("%q", r.Key)}
	for _, a := range r.Axes {
		args = append(args, fmt.Sprintf("%q", a))
	}
	return "layouts.Override(" + strings.Join(args, ", ") + ")"
}
