package suggest

// This file mends mistakes that need many rules: in rounds, each with new evidence.

import "slices"

// rounds is the largest number of rounds in which a suggestion grows.
const rounds = 5

// mends returns changes that mend mistakes, the best first, as mendsOfOneRound does. What is left
// after the best one is mended in further rounds, and all their changes are one suggestion: when
// the largest mistake is mended, there is evidence for others. It returns the first error of
// estimating or compiling.
func (s *searcher) mends() ([]*Suggestion, error) {
	found, err := s.mendsOfOneRound()
	if err != nil || len(found) == 0 {
		return nil, err
	}
	best, err := s.grown(found[0])
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(found[1:], func(x *Suggestion) bool { return best.candidate.overlaps(x.candidate) })
	return append([]*Suggestion{best}, others...), nil
}

// grown returns x together with the mends of further rounds, or x itself if there are none. It
// returns the first error of estimating or compiling.
func (s *searcher) grown(x *Suggestion) (*Suggestion, error) {
	for range rounds - 1 {
		next, err := s.continued(x)
		if err != nil {
			return nil, err
		}
		if next == nil {
			break
		}
		x = next
	}
	return x, nil
}

// continued returns x together with the best change that mends a mistake in the program with x. It
// returns nil if there is none, or if both together do not gain more, and the first error of
// estimating or compiling.
func (s *searcher) continued(x *Suggestion) (*Suggestion, error) {
	m, err := s.moduleWith(x.candidate)
	if err != nil {
		return nil, err
	}
	o := s.o
	o.Compiled = x.program
	next, err := newSearcher(m, o)
	if err == nil {
		err = next.measure()
	}
	if err != nil {
		return nil, err
	}
	found, err := next.mendsOfOneRound()
	if err != nil || len(found) == 0 {
		return nil, err
	}
	both := s.together(x.candidate, found[0].candidate)
	if both == nil {
		return nil, nil
	}
	list, err := s.refine([]*candidate{both})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	y, err := s.compile(both)
	if err != nil || !isMistake(found[0].candidate, x.After, y.After) {
		return nil, err
	}
	if !found[0].candidate.spreads() && y.After.time() > x.After.time() {
		return nil, nil // it gains memory alone, and takes time that the mend before it has gained
	}
	y.rank = s.rank(both, s.before, y.After)
	return y, nil
}

// together returns the changes of a, and then those of b, a candidate of a later round. It returns
// nil if b changes a tensor that rules could not change in the first round.
func (s *searcher) together(a, b *candidate) *candidate {
	own := map[id]*tensor{}
	for _, c := range s.groups.classes {
		for _, t := range c.members {
			own[t.id()] = t
		}
	}
	out := &candidate{edits: slices.Clone(a.edits)}
	for _, e := range b.edits {
		c := *e.class
		c.members = nil
		for _, t := range e.members {
			if own[t.id()] == nil {
				return nil
			}
			c.members = append(c.members, own[t.id()])
		}
		same := func(f edit) bool { return f.pattern == c.pattern }
		if i := slices.IndexFunc(out.edits, same); i >= 0 {
			out.edits[i].to = e.to
			continue
		}
		out.edits = append(out.edits, edit{&c, e.to})
	}
	return out
}
