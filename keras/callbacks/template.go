package callbacks

// This file fills the names of files with numbers of the training, such as
// model_{epoch:02d}_{val_loss:.2f}.keras: the part of Python's str.format that
// numbers need.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
)

// template is a text with fields.
type template struct {
	text  string
	parts []templatePart
}

// templatePart is a text as it stands, or a field.
type templatePart struct {
	text   string
	field  string // empty for text
	format string // Go's verb for the field
	whole  bool   // whether the field is written as a whole number
}

// spec is what may stand after the colon: Python's [0][width][.precision][type].
var spec = regexp.MustCompile(`^(0?)([1-9][0-9]*)?(\.[0-9]+)?([defgEG]?)$`)

// parseTemplate reads a template. Doubled braces stand for braces.
func parseTemplate(text string) (*template, error) {
	t := &template{text: text}
	fault := func(format string, args ...any) error {
		return fmt.Errorf("the name %q: %s: want fields such as {epoch}, {epoch:02d} or {val_loss:.2f}", text, fmt.Sprintf(format, args...))
	}
	var plain strings.Builder
	for rest := text; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			plain.WriteByte(rest[0])
			rest = rest[2:]
		case rest[0] == '}':
			return nil, fault(`a "}" closes nothing`)
		case rest[0] != '{':
			plain.WriteByte(rest[0])
			rest = rest[1:]
		default:
			inside, after, ok := strings.Cut(rest[1:], "}")
			if !ok {
				return nil, fault(`a "{" is not closed`)
			}
			p, err := parseField(inside)
			if err != nil {
				return nil, fault("%v", err)
			}
			t.parts = append(t.parts, templatePart{text: plain.String()}, p)
			plain.Reset()
			rest = after
		}
	}
	t.parts = append(t.parts, templatePart{text: plain.String()})
	return t, nil
}

func parseField(inside string) (templatePart, error) {
	name, format, _ := strings.Cut(inside, ":")
	if name == "" {
		return templatePart{}, fmt.Errorf("the field {%s} has no name", inside)
	}
	m := spec.FindStringSubmatch(format)
	if m == nil || m[4] == "d" && m[3] != "" {
		return templatePart{}, fmt.Errorf("the format %q of the field {%s} is not known", format, inside)
	}
	verb := m[4]
	if verb == "" {
		verb = "v"
		if m[3] != "" {
			verb = "g"
		}
	}
	return templatePart{field: name, format: "%" + m[1] + m[2] + m[3] + verb, whole: verb == "d"}, nil
}

// check returns an error for a field that is not among the names that there
// will be, and for one that cannot be written as it asks.
func (t *template) check(numbers, counters []string) error {
	for _, p := range t.parts {
		if p.field == "" || slices.Contains(counters, p.field) {
			continue
		}
		if !slices.Contains(numbers, p.field) {
			names := slices.Concat(counters, numbers)
			return fmt.Errorf("the name %q has the field {%s}, which there is not here%s: want one of %s", t.text, p.field, suggest.DidYouMean(p.field, names), strings.Join(names, ", "))
		}
		if p.whole {
			return fmt.Errorf("the name %q writes %s as a whole number, which it is not: want a format such as {%s:.2f}", t.text, p.field, p.field)
		}
	}
	return nil
}

// fields reports whether the template has any.
func (t *template) fields() bool { return len(t.parts) > 1 }

// awaits reports whether a field is one of those.
func (t *template) awaits(missing func(name string) bool) bool {
	return slices.ContainsFunc(t.parts, func(p templatePart) bool { return p.field != "" && missing(p.field) })
}

// fill returns the text with the fields' values: an int, or a float64.
func (t *template) fill(value func(name string) (any, bool)) (string, error) {
	var out strings.Builder
	for _, p := range t.parts {
		if p.field == "" {
			out.WriteString(p.text)
			continue
		}
		v, ok := value(p.field)
		if !ok {
			return "", fmt.Errorf("the name %q has the field {%s}, of which there is no number now", t.text, p.field)
		}
		if n, ok := v.(int); ok && !p.whole && !strings.HasSuffix(p.format, "v") {
			v = float64(n)
		}
		fmt.Fprintf(&out, p.format, v)
	}
	return out.String(), nil
}
