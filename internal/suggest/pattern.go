package suggest

// This file reads a key of a layout map, which is a regular expression, as the paths that its
// author may have had in mind.

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// Runes that stand for parts of a regular expression in a variant.
const (
	anyText   = '*'
	anyNumber = '#'
	anyRune   = '.' // also a dot of the key's author who forgot the backslash
)

// anything is the segment that stands for any number of segments of a path.
const anything = string(anyText)

// maxVariants is the largest number of variants of a key that Paths compares.
const maxVariants = 32

// variants returns the texts that key, a regular expression, describes: several if it has
// alternatives. Other parts than literals are the runes above. If key cannot be parsed, it is taken
// literally.
func variants(key string) []string {
	re, err := syntax.Parse(key, syntax.Perl)
	if err != nil {
		return []string{key}
	}
	return expand(re)
}

func expand(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCharClass:
		return expandClass(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return []string{string(anyRune)}
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		out := expand(re.Sub[0])
		if len(out) == 1 && (out[0] == string(anyRune) || out[0] == "") {
			return []string{anything}
		}
		if re.Op == syntax.OpStar || re.Op == syntax.OpQuest {
			out = limited(append(slices.Clone(out), ""))
		}
		return out
	case syntax.OpCapture:
		return expand(re.Sub[0])
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			out = limited(append(out, expand(sub)...))
		}
		return out
	case syntax.OpConcat:
		out := []string{""}
		for _, sub := range re.Sub {
			var longer []string
			for _, head := range out {
				for _, tail := range expand(sub) {
					longer = append(longer, head+tail)
				}
			}
			out = limited(longer)
		}
		return out
	}
	return []string{""} // an anchor, or nothing
}

// expandClass returns the variants of a class of runes, given as pairs of the first and the last
// rune of each range: its runes if they are few, and "" if they are many.
func expandClass(pairs []rune) []string {
	digits := true
	var out []string
	for i := 0; i < len(pairs); i += 2 {
		digits = digits && unicode.IsDigit(pairs[i]) && unicode.IsDigit(pairs[i+1])
		for r := pairs[i]; r <= pairs[i+1] && len(out) < 5; r++ {
			out = append(out, string(r))
		}
	}
	switch {
	case digits:
		return []string{string(anyNumber)}
	case len(out) == 5:
		return []string{""}
	}
	return out
}

func limited(list []string) []string { return list[:min(len(list), maxVariants)] }

// segmentsOf returns the segments of a path or of a variant of a key. They are separated by slashes
// or, if there are none, by dots as in PyTorch.
func segmentsOf(text string) []string {
	separator := "/"
	if !strings.Contains(text, separator) {
		separator = "."
	}
	return slices.DeleteFunc(strings.Split(text, separator), func(s string) bool { return s == "" })
}

// keySegments returns the segments of a variant of a key. A wildcard is a separate segment.
func keySegments(variant string) []string {
	var out []string
	for _, segment := range segmentsOf(variant) {
		for i, piece := range strings.Split(segment, anything) {
			if i > 0 && (len(out) == 0 || out[len(out)-1] != anything) {
				out = append(out, anything)
			}
			if len(wordsOf(piece)) > 0 {
				out = append(out, piece)
			}
		}
	}
	return out
}
