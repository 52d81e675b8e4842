package suggest

// This file writes a set of names as one regular expression.

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// numbers matches the numbers in which the names of different layers differ.
var numbers = regexp.MustCompile(`\d+`)

// template returns a name without its numbers: what the names of the same weight in all layers have
// in common. A name that consists only of a kind and a position is its own template.
func template(name string) string {
	t := numbers.ReplaceAllString(name, "#")
	if t == "arg#" || t == "result#" || !strings.ContainsFunc(t, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) {
		return name
	}
	return t
}

// patternOf returns a regular expression that matches all of names in full, and none of others. The
// numbers in which the names differ become \d+, or a list of alternatives.
func patternOf(names, others []string) string {
	for _, p := range []string{joinWithHoles(names), joinByComponent(names)} {
		if p != "" && isExact(p, names, others) {
			return p
		}
	}
	return alternatives(names)
}

// joinWithHoles writes names as one regular expression if they have the same template, with \d+ for
// each number that differs; otherwise it returns "". There is at least one name.
func joinWithHoles(names []string) string {
	first := numbers.FindAllString(names[0], -1)
	differs := make([]bool, len(first))
	for _, n := range names {
		if template(n) != template(names[0]) {
			return ""
		}
		for i, number := range numbers.FindAllString(n, -1) {
			differs[i] = differs[i] || number != first[i]
		}
	}
	var b strings.Builder
	rest := names[0]
	for i, number := range first {
		at := strings.Index(rest, number)
		b.WriteString(regexp.QuoteMeta(rest[:at]))
		if differs[i] {
			b.WriteString(`\d+`)
		} else {
			b.WriteString(number)
		}
		rest = rest[at+len(number):]
	}
	return b.String() + regexp.QuoteMeta(rest)
}

// joinByComponent writes names as one expression, such as a/(q|k|v)/\d+. It writes the names of
// each template as an expression, by joinWithHoles. It returns "" unless these expressions differ
// in exactly one component of the path.
func joinByComponent(names []string) string {
	byTemplate, order := map[string][]string{}, []string{}
	for _, n := range names {
		t := template(n)
		if byTemplate[t] == nil {
			order = append(order, t)
		}
		byTemplate[t] = append(byTemplate[t], n)
	}
	var split [][]string
	for _, t := range order {
		split = append(split, strings.Split(joinWithHoles(byTemplate[t]), "/"))
	}
	at := -1
	for i := range split[0] {
		for _, s := range split[1:] {
			if len(s) != len(split[0]) {
				return ""
			}
			if s[i] != split[0][i] && at >= 0 && at != i {
				return ""
			} else if s[i] != split[0][i] {
				at = i
			}
		}
	}
	if at < 0 {
		return ""
	}
	out := slices.Clone(split[0])
	var parts []string
	for _, s := range split {
		parts = append(parts, s[at])
	}
	out[at] = "(" + strings.Join(parts, "|") + ")"
	return strings.Join(out, "/")
}

// alternatives writes the names as a regular expression that matches exactly these: a list of
// alternatives, with their common beginning and end written once; a single name as it is.
func alternatives(names []string) string {
	if len(names) == 1 {
		return regexp.QuoteMeta(names[0])
	}
	prefix, suffix := names[0], names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
		for !strings.HasSuffix(n, suffix) {
			suffix = suffix[1:]
		}
	}
	for _, n := range names {
		for len(prefix)+len(suffix) > len(n) {
			suffix = suffix[1:]
		}
	}
	for !utf8.ValidString(prefix) {
		prefix = prefix[:len(prefix)-1]
	}
	for !utf8.ValidString(suffix) {
		suffix = suffix[1:]
	}
	var parts []string
	for _, n := range names {
		parts = append(parts, regexp.QuoteMeta(n[len(prefix):len(n)-len(suffix)]))
	}
	return regexp.QuoteMeta(prefix) + "(" + strings.Join(parts, "|") + ")" + regexp.QuoteMeta(suffix)
}

// isExact reports whether p matches all of names and none of the others.
func isExact(p string, names, others []string) bool {
	re, err := regexp.Compile(`\A(?:` + p + `)\z`)
	if err != nil {
		return false
	}
	for _, n := range names {
		if !re.MatchString(n) {
			return false
		}
	}
	return !slices.ContainsFunc(others, re.MatchString)
}
