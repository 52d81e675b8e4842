package factor

// This file defines the text of a rule, in Shardy's form.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Name returns the name of the factor with number i: i, j, … z, z_1, ….
func Name(i int) string {
	const letters = "ijklmnopqrstuvwxyz"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return "z_" + strconv.Itoa(i-len(letters)+1)
}

// index returns the number of the factor with the given name (see Name), or -1 for a text that is
// no name.
func index(name string) int {
	if len(name) == 1 && name[0] >= 'i' && name[0] <= 'z' {
		return int(name[0] - 'i')
	}
	if rest, ok := strings.CutPrefix(name, "z_"); ok {
		if n, err := strconv.Atoi(rest); err == nil && n > 0 {
			return int('z'-'i') + n
		}
	}
	return -1
}

// factorSets are the names of the sets of factors at the end of a rule's text, with functions that
// report whether a factor is in the set, and put it there.
var factorSets = []struct {
	label string
	has   func(Factor) bool
	set   func(*Factor)
}{
	{"reduction", func(f Factor) bool { return f.Kind == Reduction }, func(f *Factor) { f.Kind = Reduction }},
	{"need_replication", func(f Factor) bool { return f.Kind == NeedReplication }, func(f *Factor) { f.Kind = NeedReplication }},
	{"permutation", func(f Factor) bool { return f.Kind == Permutation }, func(f *Factor) { f.Kind = Permutation }},
	{"blocked_propagation", func(f Factor) bool { return f.Blocked }, func(f *Factor) { f.Blocked = true }},
}

// String returns Shardy's text of the rule, and none for nil:
//
//	([i, k], [k, j])->([i, j]) {i=8, j=16, k=32} reduction={k}
func (r *Rule) String() string {
	if r == nil {
		return "none"
	}
	var b strings.Builder
	writeMappings := func(ms []TensorMapping) {
		b.WriteByte('(')
		for t, m := range ms {
			if t > 0 {
				b.WriteString(", ")
			}
			b.WriteByte('[')
			for d, factors := range m {
				if d > 0 {
					b.WriteString(", ")
				}
				for _, f := range factors {
					b.WriteString(Name(f))
				}
			}
			b.WriteByte(']')
		}
		b.WriteByte(')')
	}
	writeMappings(r.Operands)
	b.WriteString("->")
	writeMappings(r.Results)
	if len(r.Factors) > 0 {
		b.WriteString(" {")
		for i, f := range r.Factors {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(Name(i) + "=" + strconv.Itoa(f.Size))
		}
		b.WriteByte('}')
	}
	for _, s := range factorSets {
		var names []string
		for i, f := range r.Factors {
			if s.has(f) {
				names = append(names, Name(i))
			}
		}
		if len(names) > 0 {
			b.WriteString(" " + s.label + "={" + strings.Join(names, ", ") + "}")
		}
	}
	if r.Custom {
		b.WriteString(", custom")
	}
	return b.String()
}

// ParseRule reads the text that String writes, with or without the enclosing
// #sdy.op_sharding_rule<…>. A text that is not such a rule is an error. It does not check that the
// rule is valid: Validate does.
func ParseRule(text string) (*Rule, error) {
	s := strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(s, "#sdy.op_sharding_rule<"); ok {
		s = strings.TrimSuffix(inner, ">")
	}
	p := &ruleParser{text: s, rest: s}
	r := &Rule{}
	r.Operands = p.mappings()
	p.want("->")
	r.Results = p.mappings()
	r.Factors = p.sizes()
	for p.err == nil {
		if p.take(",") {
			p.want("custom")
			r.Custom = true
			continue
		}
		if p.space(); p.rest == "" {
			break
		}
		p.factorSet(r.Factors)
	}
	if p.err == nil {
		p.checkIndices(r)
	}
	if p.err != nil {
		return nil, fmt.Errorf("sharding: cannot read the sharding rule %q: %w", text, p.err)
	}
	return r, nil
}

// ruleParser reads a rule from left to right. After the first error it reads no more.
type ruleParser struct {
	text, rest string
	err        error
}

func (p *ruleParser) space() { p.rest = strings.TrimLeft(p.rest, " \t\n") }

func (p *ruleParser) take(token string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok && p.err == nil {
		p.rest = rest
		return true
	}
	return false
}

func (p *ruleParser) want(token string) {
	if p.err == nil && !p.take(token) {
		p.err = fmt.Errorf("want %q at %q", token, p.rest)
	}
}

// list reads a list that begins with open and ends with closing: it calls item for each element,
// between commas.
func (p *ruleParser) list(open, closing string, item func()) {
	p.want(open)
	for first := true; p.err == nil && !p.take(closing); first = false {
		if !first {
			p.want(",")
		}
		item()
	}
}

func (p *ruleParser) mappings() []TensorMapping {
	out := []TensorMapping{}
	p.list("(", ")", func() {
		m := TensorMapping{}
		p.list("[", "]", func() {
			var factors []int
			for f := p.factor(); f >= 0; f = p.factor() {
				factors = append(factors, f)
			}
			if len(factors) == 0 && p.err == nil {
				p.err = fmt.Errorf("want a factor such as i at %q", p.rest)
			}
			m = append(m, factors)
		})
		out = append(out, m)
	})
	return out
}

// factor reads the name of one factor and returns its number. If there is none, it returns -1.
func (p *ruleParser) factor() int {
	p.space()
	if p.err != nil || p.rest == "" {
		return -1
	}
	n := 1
	if strings.HasPrefix(p.rest, "z_") {
		for n = 2; n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9'; n++ {
		}
	}
	f := index(p.rest[:n])
	if f >= 0 {
		p.rest = p.rest[n:]
	}
	return f
}

// sizes reads a list such as {i=8, j=16}, the sizes of the factors i, j and so on, and returns the
// factors with these sizes; nil if there is no {. A factor that is left out or not in this order,
// and a text that is no size, are the parser's error.
func (p *ruleParser) sizes() []Factor {
	p.space()
	if !strings.HasPrefix(p.rest, "{") {
		return nil
	}
	var out []Factor
	p.list("{", "}", func() {
		if f := p.factor(); f != len(out) && p.err == nil {
			p.err = fmt.Errorf("want the size of factor %s before %q", Name(len(out)), p.rest)
		}
		p.want("=")
		n := 0
		for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
			n++
		}
		size, err := strconv.Atoi(p.rest[:n])
		if err != nil && p.err == nil {
			p.err = fmt.Errorf("want a size at %q", p.rest)
		}
		p.rest = p.rest[n:]
		out = append(out, Factor{Size: size})
	})
	return out
}

// factorSet reads a set such as reduction={k}, and sets the kind of its factors in the list
// factors, or their field Blocked for blocked_propagation. A text that begins with no known set,
// and factors that do not exist, are out of order or would get two kinds, are the parser's error.
func (p *ruleParser) factorSet(factors []Factor) {
	for _, s := range factorSets {
		if !p.take(s.label) {
			continue
		}
		p.want("=")
		last := -1
		p.list("{", "}", func() {
			f := p.factor()
			switch {
			case f < 0 || f >= len(factors):
				p.err = fmt.Errorf("%s names a factor without a size at %q", s.label, p.rest)
				return
			case f <= last:
				p.err = fmt.Errorf("%s names factor %s behind %s: want each once, in order", s.label, Name(f), Name(last))
				return
			}
			kind := factors[f].Kind
			if s.set(&factors[f]); kind != PassThrough && factors[f].Kind != kind {
				p.err = fmt.Errorf("%s names factor %s, which is in another set: want one of reduction, need_replication and permutation", s.label, Name(f))
			}
			last = f
		})
		return
	}
	p.err = fmt.Errorf("want reduction, need_replication, permutation, blocked_propagation or custom at %q", p.rest)
}

func (p *ruleParser) checkIndices(r *Rule) {
	for _, m := range slices.Concat(r.Operands, r.Results) {
		for _, dim := range m {
			for _, f := range dim {
				if f >= len(r.Factors) {
					p.err = fmt.Errorf("factor %s has no size", Name(f))
				}
			}
		}
	}
}
