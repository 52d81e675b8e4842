package suggest

// This file finds the paths that the author of a key of a layout map may have meant. A key is a
// regular expression over segments that slashes or dots separate. Paths are compared by segments in
// their order first, then by the words of segments, then by letters: transformer/.*/mha/kernel means
// a path of an attention, not dense_1/kernel.

import (
	"cmp"
	"slices"
)

// Paths returns the at most n paths that are nearest to the key, nearest first; equally near ones
// keep the given order. Repeated paths count once, and the key itself is not among them.
func Paths(key string, paths []string, n int) []string {
	type ranked struct {
		path    string
		cost    float64
		letters int
	}
	c := comparison{map[[2]string]float64{}, map[string]*segment{}}
	texts := variants(key)
	var keys [][]string
	for _, text := range texts {
		keys = append(keys, keySegments(text))
	}
	var all []ranked
	seen := map[string]bool{key: true}
	for _, p := range paths {
		if seen[p] {
			continue
		}
		seen[p] = true
		r := ranked{path: p}
		segments := segmentsOf(p)
		for i, k := range keys {
			cost, letters := c.align(k, segments), Distance(texts[i], p)
			if i == 0 || cmp.Or(cmp.Compare(cost, r.cost), cmp.Compare(letters, r.letters)) < 0 {
				r.cost, r.letters = cost, letters
			}
		}
		all = append(all, r)
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

// The costs of turning a key into a path.
const (
	missing = 1.0  // a segment of the key that the path does not have
	extra   = 0.2  // a segment of the path that the key does not have
	joined  = 0.05 // two segments that are one in the other: block0/attention for block0_attention

	// mostJoined is the largest dissimilarity of two joined segments to the one in the other.
	mostJoined = 0.3
)

// comparison keeps what was computed for one key: many paths have the same segments.
type comparison struct {
	known map[[2]string]float64 // the dissimilarity of a key's segment and a path's
	read  map[string]*segment
}

func (c comparison) dissimilarity(key, of string) float64 {
	pair := [2]string{key, of}
	d, ok := c.known[pair]
	if !ok {
		d = dissimilarity(c.segment(key), c.segment(of))
		c.known[pair] = d
	}
	return d
}

func (c comparison) segment(text string) *segment {
	s, ok := c.read[text]
	if !ok {
		s = readSegment(text)
		c.read[text] = s
	}
	return s
}

// joined returns the cost of taking one segment for two, and whether they are similar enough.
func (c comparison) joined(key, of string) (float64, bool) {
	d := c.dissimilarity(key, of)
	return d + joined, d <= mostJoined
}

// align returns the least cost of turning the segments of a key into those of a path. A segment of
// the key may be anything, which stands for any number of segments.
func (c comparison) align(key, path []string) float64 {
	// costs[i][j] is the cost for the first i segments of the key and the first j of the path
	costs := make([][]float64, len(key)+1)
	for i := range costs {
		costs[i] = make([]float64, len(path)+1)
		for j := range costs[i] {
			costs[i][j] = c.step(key, path, costs, i, j)
		}
	}
	return costs[len(key)][len(path)]
}

// step returns costs[i][j] for align, which has computed the elements before.
func (c comparison) step(key, path []string, costs [][]float64, i, j int) float64 {
	if i == 0 {
		return extra * float64(j)
	}
	k := key[i-1]
	if k == anything {
		least := costs[i-1][j]
		if j > 0 {
			least = min(least, costs[i][j-1])
		}
		return least
	}
	least := costs[i-1][j] + missing
	if j == 0 {
		return least
	}
	p := path[j-1]
	least = min(least, costs[i][j-1]+extra, costs[i-1][j-1]+c.dissimilarity(k, p))
	if i > 1 && key[i-2] != anything {
		if d, ok := c.joined(key[i-2]+"_"+k, p); ok {
			least = min(least, costs[i-2][j-1]+d)
		}
	}
	if j > 1 {
		if d, ok := c.joined(k, path[j-2]+"_"+p); ok {
			least = min(least, costs[i-1][j-2]+d)
		}
	}
	return least
}
