// Package suggest finds the names that a user may have meant.
//
// It is not a fuzzy search in many texts: it compares the spelling, or the segments of paths, of
// few candidates.
//
// Order of use: DidYouMean after the wrong name in an error text, or Closest at its end; Nearest
// and Paths where the caller words the advice itself.
//
//	file        what it holds
//	suggest.go  DidYouMean: ` (did you mean "model"?)`; Closest: `; did you mean "mse" or "mae"?`;
//	            Nearest: the candidates with the nearest spelling; Quote; Distance
//	paths.go    Paths: the paths whose segments are nearest to those of a key of a layout map
//	pattern.go  the segments of a key, which is a regular expression
//	words.go    how similar two segments are, by their words
//	synonyms.go words that mean the same in models, such as mha and attention
package suggest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Nearest returns the at most n candidates whose spelling is nearest to name, nearest first;
// equally near ones keep the given order. Repeated candidates count once.
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

// longest is the length of the longest name that DidYouMean compares.
const longest = 200

// DidYouMean returns ` (did you mean "model"?)` if the spelling of one of the candidates is close
// to name, or if only the case differs, or else "". It takes no account of a name or a candidate of
// more than 200 bytes.
func DidYouMean(name string, candidates []string) string {
	if len(name) > longest { // the time of the comparison is the product of the lengths
		return ""
	}
	candidates = slices.DeleteFunc(slices.Clone(candidates), func(c string) bool { return len(c) > longest })
	for _, c := range Nearest(strings.ToLower(name), candidates, 3) {
		if isNear(name, c) {
			return " (did you mean " + strconv.Quote(c) + "?)"
		}
	}
	return ""
}

// most is how many names Closest lists.
const most = 8

// Closest returns the end of an error text about a name: up to three candidates that its author may
// have meant, nearest first: `; did you mean "mse" or "mae"?`. If the spelling of none is close,
// these are the candidates behind the words of have, such as "it has ", if there are at most eight;
// else nothing. Names of more than 200 bytes are close to none.
func Closest(name string, candidates []string, have string) string {
	var near []string
	if len(name) <= longest {
		candidates := slices.DeleteFunc(slices.Clone(candidates), func(c string) bool { return len(c) > longest })
		near = slices.DeleteFunc(Nearest(strings.ToLower(name), candidates, 3), func(c string) bool { return !isNear(name, c) })
	}
	switch {
	case len(near) > 0:
		text := Quote(near)
		if i := strings.LastIndex(text, ", "); i >= 0 {
			text = text[:i] + " or " + text[i+2:]
		}
		return "; did you mean " + text + "?"
	case len(candidates) <= most:
		return "; " + have + Quote(candidates)
	}
	return ""
}

// isNear reports whether the spelling of a candidate is close to name, also when only the case
// differs.
func isNear(name, candidate string) bool {
	d := min(Distance(name, candidate), Distance(strings.ToLower(name), strings.ToLower(candidate)))
	return d <= max(1, len(name)/3)
}

// Quote returns the names for an error text, quoted and with commas between: "data", "model".
// Without names it returns none.
func Quote(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	return strings.Join(quoted, ", ")
}

// Distance returns the smallest number of inserted, deleted, replaced or
// swapped neighbouring characters that turns a into b (the optimal string
// alignment distance: Levenshtein's with swaps).
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	// rows[i%3][j] is the distance between the first i runes of x and the first
	// j of y; a swap looks two rows back.
	var rows [3][]int
	for r := range rows {
		rows[r] = make([]int, len(y)+1)
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		row, above := rows[i%3], rows[(i-1)%3]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			replace := above[j-1]
			if x[i-1] != y[j-1] {
				replace++
			}
			row[j] = min(replace, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], rows[(i-2)%3][j-2]+1)
			}
		}
	}
	return rows[len(x)%3][len(y)]
}
