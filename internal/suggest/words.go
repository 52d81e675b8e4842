package suggest

// This file compares segments of paths, by their words.

import (
	"regexp"
	"slices"
	"strings"
)

// word is a word of a segment. The number behind it is separate, because repeated layers differ in
// it.
type word struct{ text, number string }

// These match what separates words, the place before a capital, and a number at the end of a word.
var (
	separators = regexp.MustCompile(`[^\pL\d#]+`)
	humps      = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
	numberEnd  = regexp.MustCompile(`^(.*?)(\d+|#)$`)
)

// plainWords returns the parts of a segment between underscores, dots and the like, in lower case.
func plainWords(segment string) []string {
	text := separators.ReplaceAllString(humps.ReplaceAllString(segment, "${1}_$2"), "_")
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == '_' })
}

// wordsOf returns the words of a segment: lm_head is one, and multi_head_attention is attention. It
// leaves out fillers, unless there is nothing else.
func wordsOf(segment string) []word {
	var out []word
	for _, part := range strings.Split(phrases.Replace(strings.Join(plainWords(segment), "_")), "_") {
		w := word{text: part}
		if m := numberEnd.FindStringSubmatch(part); m != nil && byWord[part] == nil {
			w = word{m[1], m[2]}
		}
		if last := len(out) - 1; w.text == "" && last >= 0 && out[last].number == "" {
			out[last].number = w.number
		} else if w != (word{}) {
			out = append(out, w)
		}
	}
	if kept := slices.DeleteFunc(slices.Clone(out), func(w word) bool { return fillers[w.text] }); len(kept) > 0 {
		return kept
	}
	return out
}

// segment is a segment of a path or of a key that was read.
type segment struct {
	text  string
	plain []string
	words []word
}

func readSegment(text string) *segment {
	return &segment{text, plainWords(text), wordsOf(text)}
}

// dissimilarity returns how little two segments have to do with each other, from 0, if they are
// equal, to 1. The words of the key that are in s count most.
func dissimilarity(key, s *segment) float64 {
	switch {
	case key.text == s.text:
		return 0
	case len(key.words) == 0 || len(s.words) == 0:
		return 1
	case slices.Equal(key.words, s.words):
		return 0.02 // Layer_0 for layer_0
	}
	return 1 - 0.8*found(key.words, s.words, s.plain) - 0.2*found(s.words, key.words, key.plain)
}

// found returns the part of words that others have, with words that are only similar counted in
// part. plain are the plain words of the others.
func found(words, others []word, plain []string) float64 {
	sum := 0.0
	for _, w := range words {
		best := 0.0
		for _, o := range others {
			best = max(best, w.similarity(o))
		}
		if isAcronym(w.text, plain) {
			best = max(best, 0.85)
		}
		sum += best
	}
	return sum / float64(len(words))
}

// similarity returns how similar two words are, from 0 to 1: equal ones first, then one meaning,
// then a mistyped or shortened word, then meanings of one family, then other letters.
func (w word) similarity(o word) float64 {
	if w.text == o.text {
		switch {
		case w.number == o.number:
			return 1
		case w.number == string(anyNumber) || o.number == string(anyNumber):
			return 0.99
		case w.number == "" || o.number == "":
			return 0.97
		}
		return 0.95
	}
	spelling := 1 - float64(Distance(w.text, o.text))/float64(max(len([]rune(w.text)), len([]rune(o.text)), 1))
	short, long := min(len(w.text), len(o.text)), max(len(w.text), len(o.text))
	relation := relationOf(w.text, o.text)
	switch {
	case relation == synonyms:
		if w.number == o.number {
			return 0.9
		}
		return 0.87
	case short >= 4 && spelling >= 0.6:
		return 0.95 * spelling
	case short >= 3 && long > short && (strings.HasPrefix(w.text, o.text) || strings.HasPrefix(o.text, w.text)):
		return 0.75
	case relation == related:
		return 0.5
	}
	return 0.25 * spelling
}

// isAcronym reports whether text consists of the first letters of two or more neighbours of words.
func isAcronym(text string, words []string) bool {
	n := len([]rune(text))
	for start := 0; n >= 2 && start+n <= len(words); start++ {
		var initials strings.Builder
		for _, w := range words[start : start+n] {
			initials.WriteRune([]rune(w)[0])
		}
		if initials.String() == text {
			return true
		}
	}
	return false
}
