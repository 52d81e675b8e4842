package pathkey

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/gospmd/gospmd/internal/pyregexp"
	"github.com/gospmd/gospmd/internal/suggest"
)

// Key is the key of a rule.
type Key struct {
	Text string
	full *regexp.Regexp // Text, anchored at both ends
}

// Compile returns the key with a text. It returns an error if that is no regular expression.
func Compile(text string) (Key, error) {
	var full *regexp.Regexp
	_, err := pyregexp.Compile(text) // alone: )( is no expression, and ()() is one
	if err == nil {
		full, err = pyregexp.Compile(`\A(?:` + text + `)\z`)
	}
	if err != nil {
		return Key{}, fmt.Errorf("the key is no regular expression: %w", err)
	}
	return Key{text, full}, nil
}

// Matches reports whether the key matches all of the path, as a regular expression.
func (k Key) Matches(path string) bool { return k.full.MatchString(path) }

// Index returns the position of the rule whose key has that text, or -1.
func Index[R any](rules []R, key func(R) Key, text string) int {
	return slices.IndexFunc(rules, func(r R) bool { return key(r).Text == text })
}

// Find returns the position of the rule for a path: the rule whose key is the path, or else the one
// whose key matches it as a regular expression; -1 if there is none. It returns an error if several
// keys match. what is the kind of thing that has the path, such as "layer".
func Find[R any](rules []R, key func(R) Key, what, path string) (int, error) {
	if i := Index(rules, key, path); i >= 0 {
		return i, nil
	}
	found := -1
	var keys []string
	for i, r := range rules {
		if k := key(r); k.Matches(path) {
			found, keys = i, append(keys, k.Text)
		}
	}
	if len(keys) > 1 {
		return -1, fmt.Errorf("%s %q matches %d keys, %s, want at most one: narrow them, or set the path itself as a key, which goes first",
			what, path, len(keys), suggest.Quote(keys))
	}
	return found, nil
}

// Describe tells why a rule with the key is the rule of none of the paths: it returns the paths
// that the key matches, which have rules of their own; if there are none, up to three paths that
// are most similar to the key.
func (k Key) Describe(paths []string) (matched, nearest []string) {
	for _, p := range paths {
		if k.Matches(p) {
			matched = append(matched, p)
		}
	}
	if len(matched) == 0 {
		nearest = suggest.Paths(k.Text, paths, 3)
	}
	return matched, nearest
}
