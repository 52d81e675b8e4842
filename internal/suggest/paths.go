package suggest

// This file finds the paths that the author of a key of a layout map may have meant. A key is a
// regular expression over segments that slashes separate. Equal segments count more than similar
// spelling: transformer/.*/mha/kernel means a path of an attention, not dense_1/kernel.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Paths returns the at most n paths that are nearest to the key, nearest first; equally near ones
// keep the given order. Repeated paths count once.
func Paths(key string, paths []string, n int) []string {
	type ranked struct {
		path    string
		cost    float64
		letters int
	}
	segments, literals := split(key), literal.Replace(key)
	var all []ranked
	seen := make(map[string]bool, len(paths))
	for _, p := range paths {
		if !seen[p] {
			seen[p] = true
			all = append(all, ranked{p, align(segments, strings.Split(p, "/")), Distance(literals, p)})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.letters, b.letters))
	})
	var out []string
	for _, r := range all[:min(max(n, 0), len(all))] {
		out = append(out, r.path)
	}
	return out
}

// literal removes from a regular expression the characters that occur in no path.
var literal = strings.NewReplacer(".*", "", ".+", "", `\`, "", "^", "", "$", "", "(", "", ")", "", "?", "", "[", "", "]", "", "+", "")

// anything is the pattern of any number of segments of a path.
const anything = ".*"

// pieces matches the parts that a segment of a key consists of.
var pieces = regexp.MustCompile(`\.[*+]|(?:[^/.]|\.[^*+/]|\.$)+`)

// split returns the segments of a key. A wildcard is a separate segment.
func split(key string) []string {
	var segments []string
	for _, piece := range pieces.FindAllString(key, -1) {
		switch text := literal.Replace(piece); {
		case piece == ".*" || piece == ".+":
			segments = append(segments, anything)
		case text != "":
			segments = append(segments, text)
		}
	}
	return segments
}

// extra is the cost of a segment of a path that the key does not have. A segment of the key that
// the path does not have costs 1.
const extra = 0.2

// align returns the least cost of turning key, the segments of a key, into those of a path, for
// finding the paths that are most like it. A segment of the key may be anything, which stands for
// any number of segments, or have alternatives separated by |.
func align(key, path []string) float64 {
	// costs of the key's segments so far, by the length of the path
	costs := make([]float64, len(path)+1)
	for j := range costs {
		costs[j] = extra * float64(j)
	}
	for _, segment := range key {
		next := make([]float64, len(costs))
		for j := range next {
			if segment == anything {
				next[j] = costs[j]
				if j > 0 {
					next[j] = min(next[j], next[j-1])
				}
				continue
			}
			next[j] = costs[j] + 1
			if j > 0 {
				next[j] = min(next[j], next[j-1]+extra)
				for _, alternative := range strings.Split(segment, "|") {
					next[j] = min(next[j], costs[j-1]+dissimilarity(alternative, path[j-1]))
				}
			}
		}
		costs = next
	}
	return costs[len(path)]
}

// dissimilarity returns how little two segments have to do with each other: 0 if they are equal,
// 0.1 if they share a word, 0.2 if one consists of the initials of the other, and else the part of
// the letters that differ, up to 1.
func dissimilarity(key, segment string) float64 {
	if key == segment {
		return 0
	}
	a, b := words(key), words(segment)
	for _, w := range a {
		if w != "" && slices.Contains(b, w) {
			return 0.1 // dense in dense_1, attention in multi_head_attention
		}
	}
	if initials(b) == key || initials(a) == segment {
		return 0.2 // mha for multi_head_attention
	}
	letters := float64(Distance(key, segment)) / float64(max(len([]rune(key)), len([]rune(segment))))
	return min(1, letters)
}

// words returns the words of a segment in lower case: the parts between underscores, hyphens and
// digits.
func words(segment string) []string {
	return strings.FieldsFunc(strings.ToLower(segment), func(r rune) bool { return r == '_' || r == '-' || r >= '0' && r <= '9' })
}

// initials returns the first letters of several words, as one word. It is empty for fewer than two.
func initials(words []string) string {
	if len(words) < 2 {
		return ""
	}
	var text strings.Builder
	for _, w := range words {
		for _, r := range w {
			text.WriteRune(r)
			break
		}
	}
	return text.String()
}
