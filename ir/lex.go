package ir

// This file defines the lexer of the MLIR text and the errors of the parser. It also parses
// locations: loc(…), which follows ops, arguments, functions and the module.
//
// A few texts, such as the dimensions 4x8xf32 of a tensor type, do not consist of the usual tokens.
// The parser reads these from the text itself, and then continues with seek.

import (
	"fmt"
	"strconv"
	"strings"
)

// SyntaxError is the error of Parse: at some place of the text it names what is there and what is
// wanted instead.
type SyntaxError struct {
	File      string // as passed to ParseFile; may be empty
	Line, Col int    // from 1; columns count bytes
	Msg       string
}

// Error returns "ir: file:line:col: message", or "ir: line:col: message" for a text without a file.
func (e *SyntaxError) Error() string {
	file := e.File
	if file != "" {
		file += ":"
	}
	return fmt.Sprintf("ir: %s%d:%d: %s", file, e.Line, e.Col, e.Msg)
}

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokEOF    tokenKind = iota
	tokID               // add, stablehlo.add, f32
	tokInt              // 12, 0xFF
	tokFloat            // 1.5, 1.0e-5
	tokString           // "text", the quotes included
	tokValue            // %0, %arg1, %0#1
	tokSymbol           // @name, @"any name"
	tokHash             // #alias, #stablehlo.dot
	tokBang             // !alias, !stablehlo.token
	tokCaret            // ^bb0
	tokPunct            // one character, -> or ::
)

// token is a piece of the text: src[start:end].
type token struct {
	kind       tokenKind
	start, end int
}

// lexer cuts src into tokens. tok is the current token.
type lexer struct {
	src string
	tok token
}

// failf ends parsing with an error at the given offset: it panics with a
// *SyntaxError, which Parse recovers.
func (l *lexer) failf(at int, format string, args ...any) {
	before := l.src[:min(at, len(l.src))]
	panic(&SyntaxError{
		Line: 1 + strings.Count(before, "\n"),
		Col:  len(before) - strings.LastIndexByte(before, '\n'),
		Msg:  fmt.Sprintf(format, args...),
	})
}

// failUnexpected fails at the current token. The error says what the token is, and what is wanted.
func (l *lexer) failUnexpected(want string) {
	l.failf(l.tok.start, "got %s, want %s", l.describe(), want)
}

// describe returns the current token as text for an error, shortened if it is long, or "the end of
// the text".
func (l *lexer) describe() string {
	const most = 40
	text := l.text()
	switch {
	case l.tok.kind == tokEOF:
		return "the end of the text"
	case len(text) > most:
		return text[:most] + "…"
	case l.tok.kind == tokString:
		return text
	default:
		return "`" + text + "`"
	}
}

// text returns the current token's text.
func (l *lexer) text() string { return l.src[l.tok.start:l.tok.end] }

// isAt reports whether the current token is the given text.
func (l *lexer) isAt(text string) bool { return l.text() == text && l.tok.kind != tokEOF }

// accept skips the current token if it is the given text, and reports whether it was.
func (l *lexer) accept(text string) bool {
	if !l.isAt(text) {
		return false
	}
	l.next()
	return true
}

// expect skips the given text. It fails if the current token is another one.
func (l *lexer) expect(text string) {
	if !l.accept(text) {
		l.failUnexpected("`" + text + "`")
	}
}

// take returns the current token's text and moves on. It fails, naming what is wanted, if the token
// is of another kind.
func (l *lexer) take(kind tokenKind, want string) string {
	if l.tok.kind != kind {
		l.failUnexpected(want)
	}
	text := l.text()
	l.next()
	return text
}

// seek makes the token at offset pos the current one.
func (l *lexer) seek(pos int) {
	l.tok.end = pos
	l.next()
}

// next moves to the next token, and sets l.tok. It skips blanks and comments. At the end of the
// text the token is tokEOF.
func (l *lexer) next() {
	src, i := l.src, l.tok.end
	for i < len(src) {
		if c := src[i]; c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			i++
		} else if c == '/' && strings.HasPrefix(src[i:], "//") {
			if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
				i += n + 1
			} else {
				i = len(src)
			}
		} else {
			break
		}
	}
	l.tok = token{tokEOF, i, i}
	if i == len(src) {
		return
	}
	c := src[i]
	switch {
	case isIDStart(c):
		l.tok.kind, l.tok.end = tokID, scanID(src, i)
	case isDigit(c):
		l.tok.kind, l.tok.end = scanNumber(src, i)
	case c == '"':
		l.tok.kind, l.tok.end = tokString, l.scanString(i)
	case c == '%':
		l.tok.kind, l.tok.end = tokValue, scanSuffixID(src, i+1)
		if end := l.tok.end; end+1 < len(src) && src[end] == '#' && isDigit(src[end+1]) {
			l.tok.end = scanDigits(src, end+1)
		}
	case c == '@':
		l.tok.kind = tokSymbol
		if i+1 < len(src) && src[i+1] == '"' {
			l.tok.end = l.scanString(i + 1)
		} else {
			l.tok.end = scanID(src, i+1)
		}
	case c == '#' && i+1 < len(src) && isIDStart(src[i+1]):
		l.tok.kind, l.tok.end = tokHash, scanID(src, i+1)
	case c == '!' && i+1 < len(src) && isIDStart(src[i+1]):
		l.tok.kind, l.tok.end = tokBang, scanID(src, i+1)
	case c == '^':
		l.tok.kind, l.tok.end = tokCaret, scanSuffixID(src, i+1)
	case strings.HasPrefix(src[i:], "->") || strings.HasPrefix(src[i:], "::"):
		l.tok.kind, l.tok.end = tokPunct, i+2
	case strings.IndexByte("()[]{}<>,:=-+*?#!", c) >= 0:
		l.tok.kind, l.tok.end = tokPunct, i+1
	default:
		l.failf(i, "got the character %q, which StableHLO text does not have outside of strings", []rune(src[i:min(i+4, len(src))])[0])
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHexDigit(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func scanDigits(src string, i int) int {
	for i < len(src) && isDigit(src[i]) {
		i++
	}
	return i
}

// scanID returns the offset of the end of the identifier that starts at i in src; i if there is
// none.
func scanID(src string, i int) int {
	for i < len(src) && isIDRest(src[i]) {
		i++
	}
	return i
}

// scanSuffixID returns the end of the name of a value or block, which goes on at offset i of src.
func scanSuffixID(src string, i int) int {
	for i < len(src) && (isIDRest(src[i]) || src[i] == '-') {
		i++
	}
	return i
}

// scanNumber returns the kind, tokInt or tokFloat, and the offset of the end of the number that
// starts at i in src. A number has no sign; one with a point is a float.
func scanNumber(src string, i int) (tokenKind, int) {
	if i+2 < len(src) && src[i] == '0' && src[i+1] == 'x' && isHexDigit(src[i+2]) {
		for i += 2; i < len(src) && isHexDigit(src[i]); i++ {
		}
		return tokInt, i
	}
	i = scanDigits(src, i)
	if i == len(src) || src[i] != '.' {
		return tokInt, i
	}
	i = scanDigits(src, i+1)
	if i+1 < len(src) && src[i]|0x20 == 'e' {
		exp := i + 1
		if src[exp] == '+' || src[exp] == '-' {
			exp++
		}
		if exp < len(src) && isDigit(src[exp]) {
			i = scanDigits(src, exp)
		}
	}
	return tokFloat, i
}

// scanString returns the end of the string that starts at offset i: the offset after its closing
// quote. A string without one on its line ends parsing with an error.
func (l *lexer) scanString(i int) int {
	for k := i + 1; k < len(l.src); k++ {
		switch l.src[k] {
		case '"':
			return k + 1
		case '\\':
			k++
		case '\n':
			l.failf(i, "got a string without an end on its line, want a closing quote")
		}
	}
	l.failf(i, "got a string without an end, want a closing quote")
	return 0
}

// unquote returns the content of a string token, which it gets with its quotes: escapes such as \n
// and \0A are replaced. Any other escape is a syntax error.
func (l *lexer) unquote(quoted string) string {
	s := quoted[1 : len(quoted)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b = append(b, s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c == 'n':
			b = append(b, '\n')
		case c == 't':
			b = append(b, '\t')
		case c == '"' || c == '\\':
			b = append(b, c)
		case i+1 < len(s) && isHexDigit(c) && isHexDigit(s[i+1]):
			b = append(b, hexValue(c)<<4|hexValue(s[i+1]))
			i++
		default:
			l.failf(l.tok.start, `got the escape \%c in a string, want \n, \t, \", \\ or two hexadecimal digits`, c)
		}
	}
	return string(b)
}

func hexValue(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// location reads loc(…) if it comes next, and returns it (see locationBody); otherwise it reads
// nothing and returns the zero Location.
func (p *parser) location() Location {
	if !p.accept("loc") {
		return Location{}
	}
	p.expect("(")
	l := p.locationBody()
	p.expect(")")
	return l
}

// locationBody reads the text in loc(…). Of a name with a location inside, it keeps the name and
// the inner file and line; of several locations, the first known name and the first known place.
func (p *parser) locationBody() Location {
	p.enter()
	defer p.leave()
	switch {
	case p.tok.kind == tokHash:
		return p.locationAlias()
	case p.isAt("loc"): // the content of an alias
		return p.location()
	case p.tok.kind == tokString:
		name := p.unquote(p.take(tokString, ""))
		if p.accept(":") { // file:line:col, or a range of them
			line := p.int()
			for p.accept(":") || p.accept("to") {
				if p.tok.kind == tokInt {
					p.next()
				}
			}
			return Location{File: name, Line: line}
		}
		l := Location{}
		if p.accept("(") {
			l = p.locationBody()
			p.expect(")")
		}
		l.Path = name
		return l
	case p.accept("callsite"):
		p.expect("(")
		callee := p.locationBody()
		p.expect("at")
		caller := p.locationBody()
		p.expect(")")
		return firstKnown(callee, caller)
	case p.accept("fused"):
		if p.isAt("<") { // metadata
			p.seek(p.rawEnd(p.tok.end, ">") + 1)
		}
		var all []Location
		p.expect("[")
		p.commaList("]", func() { all = append(all, p.locationBody()) })
		return firstKnown(all...)
	case p.accept("unknown"):
		return Location{}
	default:
		p.failUnexpected(`a location: "name", "file":1:2, callsite(…), fused[…], unknown or an alias`)
		return Location{}
	}
}

// locationAlias reads an alias such as #loc3. It reads the definition of each alias only once.
func (p *parser) locationAlias() Location {
	name := p.text()
	l, ok := p.locations[name]
	if ok {
		p.next()
		return l
	}
	p.readThroughAlias(func() { l = p.locationBody() })
	p.locations[name] = l
	return l
}

// firstKnown returns the first known path and the first known place of all locations, which may be
// from two of them.
func firstKnown(all ...Location) (l Location) {
	for _, o := range all {
		if l.Path == "" {
			l.Path = o.Path
		}
		if l.File == "" {
			l.File, l.Line = o.File, o.Line
		}
	}
	return l
}

// int reads and returns an integer of 64 bits that may be negative. Another token is an error.
func (p *parser) int() int {
	negative := p.accept("-")
	at, text := p.tok.start, p.take(tokInt, "an integer")
	n, err := parseUint(text)
	if err != nil || n > 1<<63 || n == 1<<63 && !negative {
		p.failf(at, "got %s, want an integer of 64 bits", text)
	}
	if negative {
		return -int(n)
	}
	return int(n)
}

// parseUint returns the number in text: decimal digits or, after 0x, hexadecimal digits. A text of
// another form, and a number of more than 64 bits, are errors.
func parseUint(text string) (uint64, error) {
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		return strconv.ParseUint(digits, 16, 64)
	}
	return strconv.ParseUint(text, 10, 64)
}
