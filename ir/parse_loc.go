package ir

// This file parses locations: loc(…), which follows ops, arguments, functions
// and the module.

import (
	"strconv"
	"strings"
)

// location reads loc(…) if it is there.
func (p *parser) location() Location {
	if !p.accept("loc") {
		return Location{}
	}
	p.expect("(")
	l := p.locationBody()
	p.expect(")")
	return l
}

// locationBody reads what stands in loc(…). Of a location with parts it keeps
// the outermost name and the innermost place that is known.
func (p *parser) locationBody() Location {
	p.enter()
	defer p.leave()
	switch {
	case p.tok.kind == tokHash:
		return p.locationAlias()
	case p.at("loc"): // the content of an alias
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
		if p.at("<") { // metadata
			p.seek(p.rawEnd(p.tok.end, ">") + 1)
		}
		var all []Location
		p.expect("[")
		p.commaList("]", func() { all = append(all, p.locationBody()) })
		return firstKnown(all...)
	case p.accept("unknown"):
		return Location{}
	default:
		p.unexpected(`a location: "name", "file":1:2, callsite(…), fused[…], unknown or an alias`)
		return Location{}
	}
}

// locationAlias reads #loc3; each alias is read only once.
func (p *parser) locationAlias() Location {
	name := p.text()
	l, ok := p.locations[name]
	if ok {
		p.next()
		return l
	}
	p.viaAlias(func() { l = p.locationBody() })
	p.locations[name] = l
	return l
}

// firstKnown takes the path and the place each from the first that has it.
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

// int reads a number that may be negative.
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

// parseUint reads decimal or, after 0x, hexadecimal digits.
func parseUint(text string) (uint64, error) {
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		return strconv.ParseUint(digits, 16, 64)
	}
	return strconv.ParseUint(text, 10, 64)
}
