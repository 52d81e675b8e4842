package layerpath

// This file makes the tree of a program's layers, and folds repeats.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Tree is the tree of a program's layers. Repeats are folded: 32 blocks whose names differ only in
// a number are one node.
type Tree struct {
	// Nodes lists each node before its descendants. Nodes[0] is the root, which has no name.
	Nodes []Node

	places map[string]Place
}

// Node is a layer, or several that are repeats of each other.
type Node struct {
	Parent int    // index in Tree.Nodes; -1 for the root
	Name   string // the name, such as block0; for repeats without the number, such as block
	// Repeats are the names of the layers that the node stands for, in the order
	// of their numbers; nil if it is one layer.
	Repeats []string
}

// Label returns the node's name for people, such as block ×32.
func (n Node) Label() string {
	if len(n.Repeats) == 0 {
		return n.Name
	}
	return n.Name + " ×" + strconv.Itoa(len(n.Repeats))
}

// Place is the place of a path in a Tree.
type Place struct {
	Node int
	// Repeat holds for each folded node on the way from the root to Node the index of the path's
	// layer in its Repeats.
	Repeat   []int
	Backward bool
}

// layer is a layer while NewTree makes the tree.
type layer struct {
	name     string
	children []*layer // in the order of their first use
	paths    []string // paths that end at this layer
}

// number matches the number that distinguishes repeats: the last one in the name.
var number = regexp.MustCompile(`^(.*?)[._\[]?(\d+)\]?$`)

// minLeaves is the least number of leaf layers that are folded. Of other layers, two are enough.
const minLeaves = 3

// NewTree returns the tree of the layers in the paths: repeated layers share a node. A path may
// occur several times.
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

// Place returns the place of a path that NewTree was given. Any other path is at the root.
func (t *Tree) Place(path string) Place { return t.places[path] }

// child returns the layer with the given name below l, and adds it if there is none.
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

// member is a layer of a folded node of the tree, with the indices of repeats that lead to it:
// Place.Repeat of its paths.
type member struct {
	*layer
	repeat []int
}

// add appends the node n, for layers that are repeats of each other (members), below the node
// parent. Then it appends the nodes of the layers below, folded where they are repeats.
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

// folds reports whether count layers with the same stem become one node of the tree: two are enough
// if they have layers below them, and otherwise there must be minLeaves.
func folds(stem string, count int) bool {
	if strings.HasSuffix(stem, "*/") {
		return count >= 2
	}
	return strings.HasSuffix(stem, "*") && count >= minLeaves
}

// stem returns what l has in common with its repeats: its name without the number, and whether it
// has layers below it.
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

// compareNumbers compares names by the numbers at their ends, of any length: the result is
// negative, 0 or positive, as for strings.Compare. A name without a number comes first.
func compareNumbers(a, b string) int {
	x, y := digits(a), digits(b)
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	return strings.Compare(x, y)
}

// digits returns the digits that a name ends in, "" if there are none.
func digits(name string) string {
	if m := number.FindStringSubmatch(name); m != nil {
		return m[2]
	}
	return ""
}
