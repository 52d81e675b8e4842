package callbacks

// This file fills the fields of file names, such as
// model_{epoch:02d}_{val_loss:.2f}.keras, with numbers of the training. It is what
// Python's str.format does with numbers.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
)

// template is a text with fields.
type template struct {
	text     string
	segments []segment
}

// segment is literal text, or a field.
type segment struct {
	text    string
	field   string // empty for text
	format  string // Go's verb for the field
	integer bool   // whether the field is written as an integer
}

// formatSpec is what may follow the colon: Python's [0][width][.precision][type].
var formatSpec = regexp.MustCompile(`^(0?)([1-9][0-9]*)?(\.[0-9]+)?([defgEG]?)$`)

// parseTemplate reads a template. Doubled braces mean braces.
func parseTemplate(text string) (*template, error) {
	t := &template{text: text}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("the name %q: %s: want fields such as {epoch}, {epoch:02d} or {val_loss:.2f}", text, fmt.Sprintf(format, args...))
	}
	var plain strings.Builder
	for rest := text; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			plain.WriteByte(rest[0])
			rest = rest[2:]
		case rest[0] == '}':
			return nil, fail(`a "}" closes nothing`)
		case rest[0] != '{':
			plain.WriteByte(rest[0])
			rest = rest[1:]
		default:
			inside, after, ok := strings.Cut(rest[1:], "}")
			if !ok {
				return nil, fail(`a "{" is not closed`)
			}
			p, err := parseField(inside)
			if err != nil {
				return nil, fail("%v", err)
			}
			t.segments = append(t.segments, segment{text: plain.String()}, p)
			plain.Reset()
			rest = after
		}
	}
	t.segments = append(t.segments, segment{text: plain.String()})
	return t, nil
}

func parseField(inside string) (segment, error) {
	name, format, _ := strings.Cut(inside, ":")
	if name == "" {
		return segment{}, fmt.Errorf("the field {%s} has no name", inside)
	}
	m := formatSpec.FindStringSubmatch(format)
	if m == nil || m[4] == "d" && m[3] != "" {
		return segment{}, fmt.Errorf("the format %q of the field {%s} is not known", format, inside)
	}
	verb := m[4]
	if verb == "" {
		verb = "v"
		if m[3] != "" {
			verb = "g"
		}
	}
	return segment{field: name, format: "%" + m[1] + m[2] + m[3] + verb, integer: verb == "d"}, nil
}

// check returns an error for a field that is neither one of the numbers nor one
// of the counters, and for a number that is to be written as an integer.
func (t *template) check(numbers, counters []string) error {
	for _, p := range t.segments {
		if p.field == "" || slices.Contains(counters, p.field) {
			continue
		}
		if !slices.Contains(numbers, p.field) {
			names := slices.Concat(counters, numbers)
			return fmt.Errorf("the name %q has the unknown field {%s}%s: want one of %s", t.text, p.field, suggest.DidYouMean(p.field, names), strings.Join(names, ", "))
		}
		if p.integer {
			return fmt.Errorf("the name %q writes %s as an integer, which it is not: want a format such as {%s:.2f}", t.text, p.field, p.field)
		}
	}
	return nil
}

// fields reports whether the template has any.
func (t *template) fields() bool { return len(t.segments) > 1 }

// hasField reports whether a field satisfies f.
func (t *template) hasField(f func(name string) bool) bool {
	return slices.ContainsFunc(t.segments, func(p segment) bool { return p.field != "" && f(p.field) })
}

// fill returns the text with the fields' values: an int, or a float64.
func (t *template) fill(value func(name string) (any, bool)) (string, error) {
	var out strings.Builder
	for _, p := range t.segments {
		if p.field == "" {
			out.WriteString(p.text)
			continue
		}
		v, ok := value(p.field)
		if !ok {
			return "", fmt.Errorf("the name %q has the field {%s}, which has no value now", t.text, p.field)
		}
		if n, ok := v.(int); ok && !p.integer && !strings.HasSuffix(p.format, "v") {
			v = float64(n)
		}
		fmt.Fprintf(&out, p.format, v)
	}
	return out.String(), nil
}
