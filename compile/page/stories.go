package page

// This file adds the stories of values: the layout that was asked for, the layout that runs, and
// the reasons.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// stories has the columns of the values' stories. A value of the module that was compiled has one,
// if some part of it is in the final program.
type stories struct {
	Type    column `json:"type"`    // before partitioning
	Dims    lists  `json:"dims"`    // before partitioning
	Asked   column `json:"asked"`   // index in Page.Shardings, or -1
	Broken  column `json:"broken"`  // 1 if the program does not keep an annotation of the value
	Chains  lists  `json:"chains"`  // the first link of each chain
	Because lists  `json:"because"` // texts

	// Links are the steps of all chains: a text, and the index of the next link or -1. Chains with
	// the same end share links.
	Link linkData `json:"link"`
}

type linkData struct {
	Text column `json:"text"`
	Next column `json:"next"`
}

// shardingData is a layout: for each dimension, the axes that shard it.
type shardingData struct {
	Text      string  `json:"text"`
	Dims      [][]cut `json:"dims"`
	Unreduced column  `json:"unreduced,omitempty"` // indices of axes in the mesh
}

// cut is an axis, or a sub-axis, that shards a dimension, and into how many parts.
type cut struct {
	Axis  int    `json:"axis"` // index in the mesh
	Parts int    `json:"parts"`
	Text  string `json:"text"` // the full text of a sub-axis
}

// storyteller adds stories, links and layouts to the page.
type storyteller struct {
	*rows
	explanation *explain.Explanation
	stories     map[*explain.Value]int
	links       map[[2]int]int // by text and next link
	shardings   map[string]int // by text
}

// addStories adds for each of values, which have rows, the story that explains its layout, and its
// per-device sharding; -1 where there is none.
func (r *rows) addStories(e *explain.Explanation, values []*ir.Value) {
	s := &storyteller{rows: r, explanation: e, stories: map[*explain.Value]int{}, links: map[[2]int]int{}, shardings: map[string]int{}}
	for _, v := range values {
		story, runs := -1, -1
		if len(v.Origins) > 0 {
			origin := v.Origins[0]
			if i := slices.IndexFunc(v.Origins, func(o ir.Origin) bool { return o.Of == v.Origins.Best() }); i >= 0 {
				origin = v.Origins[i]
			}
			if value, err := e.Value(origin.Of.String()); err == nil {
				story, runs = s.story(value), s.sharding(origin.Sharding)
			}
		}
		r.Values.Story = append(r.Values.Story, story)
		r.Values.Runs = append(r.Values.Runs, runs)
	}
}

// story adds the story of v, unless the page has it, and returns its index.
func (s *storyteller) story(v *explain.Value) int {
	if at, ok := s.stories[v]; ok {
		return at
	}
	t := &s.Stories
	at := len(t.Type)
	s.stories[v] = at
	broken := 0
	if v.Overridden() {
		broken = 1
	}
	var chains, because []int
	for _, o := range v.Chains() {
		next := -1
		for _, line := range slices.Backward(o.Chain) {
			next = s.link(line, next)
		}
		chains = append(chains, o.Dim, s.strings.add(o.Axis.String()), next)
	}
	for _, reason := range v.Because() {
		because = append(because, s.strings.add(reason.Text))
	}
	t.Type = append(t.Type, s.strings.add(v.Type.Short()))
	t.Dims.add(v.Type.Dims)
	t.Asked = append(t.Asked, s.sharding(v.Asked))
	t.Broken = append(t.Broken, broken)
	t.Chains.add(chains)
	t.Because.add(because)
	return at
}

// link adds a step of a chain, with its text and the index of the next step, unless the page has
// it, and returns its index.
func (s *storyteller) link(line string, next int) int {
	key := [2]int{s.strings.add(line), next}
	at, ok := s.links[key]
	if !ok {
		at = len(s.Stories.Link.Text)
		s.links[key] = at
		s.Stories.Link.Text = append(s.Stories.Link.Text, key[0])
		s.Stories.Link.Next = append(s.Stories.Link.Next, next)
	}
	return at
}

// sharding adds a layout, unless the page has it, and returns its index; -1 for nil, and for a
// layout without a mesh.
func (s *storyteller) sharding(l *layout.Sharding) int {
	if l == nil || l.Mesh == nil {
		return -1
	}
	text := l.String()
	if at, ok := s.shardings[text]; ok {
		return at
	}
	d := shardingData{Text: text, Dims: [][]cut{}}
	for _, dim := range l.Dims {
		cuts := []cut{}
		for _, a := range dim.Axes {
			cuts = append(cuts, cut{s.axis(a.Name), l.Mesh.RefSize(a), a.String()})
		}
		d.Dims = append(d.Dims, cuts)
	}
	for _, a := range l.Unreduced {
		d.Unreduced = append(d.Unreduced, s.axis(a.Name))
	}
	at := len(s.Shardings)
	s.shardings[text] = at
	s.Shardings = append(s.Shardings, d)
	return at
}
