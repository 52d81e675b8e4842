package pyregexp

// This file implements Compile: it rewrites character classes, which are Unicode's in Python, in
// Go's syntax.

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// classes has what Python's \d, \w and \s match, each as the content of a class in brackets of Go's
// syntax.
var classes = map[byte]string{
	'd': `\p{Nd}`,
	'w': `\p{L}\p{N}_`,
	's': `\t-\r\x1c-\x20\x{85}\p{Z}`,
}

// Compile returns the regular expression that Python's re.compile makes of the text. It returns an
// error if package regexp cannot match the expression.
func Compile(text string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(translate(text))
	if err != nil {
		return nil, fmt.Errorf("%w: expressions follow Go's package regexp, which has no look-ahead and no back-references", err)
	}
	return re, nil
}

// translate returns the regular expression text with \d, \w, \s, their complements and \Z rewritten
// in Go's syntax, as Python understands them. Other parts stay.
func translate(text string) string {
	var out strings.Builder
	inClass := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			out.WriteString(escape(text[i], inClass))
			continue
		}
		switch {
		case c == '[' && !inClass:
			inClass = true
			// a ] directly after the [ is a member of the class
			for i+1 < len(text) && (text[i+1] == '^' || text[i+1] == ']') {
				out.WriteByte(c)
				i++
				if c = text[i]; c == ']' {
					break
				}
			}
		case c == ']':
			inClass = false
		}
		out.WriteByte(c)
	}
	return out.String()
}

// escape returns Go's syntax for Python's \c, outside of or, with inClass, in a class such as
// [a-z].
func escape(c byte, inClass bool) string {
	if c == 'Z' && !inClass {
		return `\z`
	}
	class, ok := classes[c|0x20]
	switch {
	case !ok || c == 'Z' || c == 'z':
		return `\` + string(c)
	case c >= 'a' && inClass:
		return class
	case c >= 'a':
		return "[" + class + "]"
	case inClass:
		return complement(class)
	}
	return "[^" + class + "]"
}

// complement returns the characters that are not in a class, as ranges.
func complement(class string) string {
	re, err := syntax.Parse("[^"+class+"]", syntax.Perl)
	if err != nil {
		panic("BUG: pyregexp: " + err.Error())
	}
	var out strings.Builder
	for i := 0; i < len(re.Rune); i += 2 {
		fmt.Fprintf(&out, `\x{%x}-\x{%x}`, re.Rune[i], re.Rune[i+1])
	}
	return out.String()
}
