package layerpath

// This file folds the layers of a program.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Tree is the layers of a program, with repeats folded: 32 blocks whose names differ in a number
// are one node.
type Tree struct {
	// Nodes lists a node before those below it; Nodes[0] is the root, which has no
	// name.
	Nodes []Node

	places map[string]Place
}

// Node is a layer, or several that are repeats of each other.
type Node struct {
	Parent int    // index in Tree.Nodes; -1 of the root
	Name   string // block0, or of repeats block
	// Repeats are the names of the layers that the node stands for, in the order
	// of their numbers; nil if it is one layer.
	Repeats []string
}

// Label returns the name for people: block ×32.
func (n Node) Label() string {
	if len(n.Repeats) == 0 {
		return n.Name
	}
	return n.Name + " ×" + strconv.Itoa(len(n.Repeats))
}

// Place says where a path stands in a Tree.
type Place struct {
	Node int
	// Repeat holds for each folded node on the way from the root to Node which of
	// its Repeats it is.
	Repeat   []int
	Backward bool
}

// layer is a layer while the tree is made.
type layer struct {
	name     string
	children []*layer // in the order of their first use
	paths    []string // that end here
}

// number finds the number that tells repeats apart: the last of the name.
var number = regexp.MustCompile(`^(.*?)[._\[]?(\d+)\]?$`)

// minLeaves is how many layers without layers below them are folded; of others
// two are enough.
const minLeaves = 3

// NewTree makes the tree of the paths, in which a path may occur often.
func NewTree(paths []string) *Tree {
	t := &Tree{places: map[string]Place{}}
	root := &layer{}
	for _, text := range paths {
		if _, known := t.places[text]; known {
			continue
		}
		p := Parse(text)
		t.places[text] = Place{Backward: p.Backward}
		l := root
		for _, name := range p.Layers {
			l = l.child(name)
		}
		l.paths = append(l.paths, text)
	}
	t.add(-1, Node{}, []member{{root, nil}})
	return t
}

// Place returns where a path stands that NewTree was given; any other stands at
// the root.
func (t *Tree) Place(path string) Place { return t.places[path] }

// child returns the layer of that name below l.
func (l *layer) child(name string) *layer {
	for _, c := range l.children {
		if c.name == name {
			return c
		}
	}
	c := &layer{name: name}
	l.children = append(l.children, c)
	return c
}

// member is one of the layers that a node stands for, and the Place.Repeat of
// its paths.
type member struct {
	*layer
	repeat []int
}

// add adds a node for layers that are repeats of each other, and what is below
// them.
func (t *Tree) add(parent int, n Node, members []member) {
	n.Parent = parent
	at := len(t.Nodes)
	t.Nodes = append(t.Nodes, n)
	names := map[string][]string{} // by stem
	for _, m := range members {
		for _, path := range m.paths {
			t.places[path] = Place{Node: at, Repeat: m.repeat, Backward: t.places[path].Backward}
		}
		for _, c := range m.children {
			if !slices.Contains(names[c.stem()], c.name) {
				names[c.stem()] = append(names[c.stem()], c.name)
			}
		}
	}
	for _, all := range names {
		slices.SortFunc(all, compareNumbers)
	}
	var keys []string // in the order of their first use
	nodes, below := map[string]Node{}, map[string][]member{}
	for _, m := range members {
		for _, c := range m.children {
			key, n, repeat := c.name, Node{Name: c.name}, m.repeat
			if all := names[c.stem()]; folds(c.stem(), len(all)) {
				key, n = c.stem(), Node{Name: number.FindStringSubmatch(all[0])[1], Repeats: all}
				repeat = append(slices.Clone(repeat), slices.Index(all, c.name))
			}
			if below[key] == nil {
				keys = append(keys, key)
			}
			nodes[key], below[key] = n, append(below[key], member{c, repeat})
		}
	}
	for _, key := range keys {
		t.add(at, nodes[key], below[key])
	}
}

// folds reports whether count layers of a stem are one node.
func folds(stem string, count int) bool {
	if strings.HasSuffix(stem, "*/") {
		return count >= 2
	}
	return strings.HasSuffix(stem, "*") && count >= minLeaves
}

// stem returns what l has in common with its repeats: the name without its
// number, and whether there are layers below it.
func (l *layer) stem() string {
	m := number.FindStringSubmatch(l.name)
	switch {
	case m == nil:
		return l.name
	case len(l.children) > 0:
		return m[1] + "*/"
	}
	return m[1] + "*"
}

// compareNumbers orders names by the numbers that they end in.
func compareNumbers(a, b string) int {
	x, y := digits(a), digits(b)
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	return strings.Compare(x, y)
}

// digits returns the number that a name ends in, or nothing.
func digits(name string) string {
	if m := number.FindStringSubmatch(name); m != nil {
		return m[2]
	}
	return ""
}
