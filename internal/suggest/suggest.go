package suggest

// This file ranks candidates by how close their spelling is to a name.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Nearest returns the at most n candidates whose spelling is nearest to name,
// nearest first; equally near ones stay in the given order. Repeated
// candidates count once.
func Nearest(name string, candidates []string, n int) []string {
	type ranked struct {
		name     string
		distance int
	}
	var all []ranked
	seen := make(map[string]bool, len(candidates))
	for _, c := range candidates {
		if !seen[c] {
			seen[c] = true
			all = append(all, ranked{c, Distance(name, c)})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.distance, b.distance) })
	out := make([]string, 0, min(max(n, 0), len(all)))
	for _, r := range all[:cap(out)] {
		out = append(out, r.name)
	}
	return out
}

// DidYouMean returns ` (did you mean "model"?)` when one of the candidates is
// nearly spelled like name (also when only the case differs), else nothing.
func DidYouMean(name string, candidates []string) string {
	for _, c := range Nearest(strings.ToLower(name), candidates, 3) {
		if d := min(Distance(name, c), Distance(strings.ToLower(name), strings.ToLower(c))); d <= max(1, len(name)/3) {
			return " (did you mean " + strconv.Quote(c) + "?)"
		}
	}
	return ""
}

// Quoted returns the names for an error text: "data", "model".
func Quoted(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	return strings.Join(quoted, ", ")
}
