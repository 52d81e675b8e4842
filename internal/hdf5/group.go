package hdf5

// This file defines Group and reads its names: in old files they are in a B-tree of symbol table
// nodes with a local heap (sections III.A to III.D), in newer ones in link messages (section
// IV.A.2.g).

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/suggest"
)

// Group is a group: it contains named groups and datasets.
type Group struct {
	attributes
	path  string
	links []link // by name
}

// Path returns the full name, which is "/" for the root.
func (g *Group) Path() string { return g.path }

// Names returns the names in the group, sorted.
func (g *Group) Names() []string {
	names := make([]string, len(g.links))
	for i, l := range g.links {
		names[i] = l.name
	}
	return names
}

// Group returns the group with the given path, relative to g. A path that leads to nothing, or to a
// dataset, is an error.
func (g *Group) Group(path string) (*Group, error) {
	o, err := g.find(path)
	if err != nil {
		return nil, err
	}
	if o.group == nil {
		return nil, fmt.Errorf("hdf5: %s in group %s is no group", brief.Text(path), brief.Text(g.path))
	}
	return o.group, nil
}

// Dataset returns the dataset with the given path, relative to g. A path that leads to nothing, or
// to a group, is an error.
func (g *Group) Dataset(path string) (*Dataset, error) {
	o, err := g.find(path)
	if err != nil {
		return nil, err
	}
	if o.dataset == nil {
		return nil, fmt.Errorf("hdf5: %s in group %s is no dataset", brief.Text(path), brief.Text(g.path))
	}
	return o.dataset, nil
}

// Has reports whether there is a group or dataset with the given path.
func (g *Group) Has(path string) bool {
	_, err := g.find(path)
	return err == nil
}

// IsGroup reports whether there is a group with the given path.
func (g *Group) IsGroup(path string) bool {
	o, err := g.find(path)
	return err == nil && o.group != nil
}

func (g *Group) find(path string) (*object, error) {
	name, rest, deeper := strings.Cut(path, "/")
	i, ok := slices.BinarySearchFunc(g.links, name, func(l link, name string) int { return strings.Compare(l.name, name) })
	if !ok {
		return nil, fmt.Errorf("hdf5: group %s holds no %q%s", brief.Text(g.path), brief.Text(name), g.contents(name))
	}
	l := g.links[i]
	switch {
	case l.object == nil:
		return nil, fmt.Errorf("hdf5: %s in group %s is %s, which is not followed: only objects of the file itself are read", brief.Text(name), brief.Text(g.path), l.kind)
	case !deeper:
		return l.object, nil
	case l.object.group == nil:
		return nil, fmt.Errorf("hdf5: %s in group %s is no group, so %q cannot be in it", brief.Text(name), brief.Text(g.path), brief.Text(rest))
	}
	return l.object.group.find(rest)
}

// contents returns a text for errors that lists what a group contains, if it does not contain name.
func (g *Group) contents(name string) string {
	names := g.Names()
	if len(names) == 0 {
		return ": it is empty"
	}
	if len(names) > 8 {
		return suggest.DidYouMean(name, names)
	}
	return ": it holds " + brief.Quote(names)
}

// link is a name in a group, with its object. A link to another file has no object.
type link struct {
	name   string
	kind   string // what a link without an object is: "a soft link"
	object *object
}

// readLinks reads the names of the group g from the messages of its header, and all objects in it,
// into g.links, sorted by name. depth is the number of groups around g. A name that occurs twice,
// names in a dense heap, and groups nested too deeply are errors.
func (f *File) readLinks(g *Group, msgs []*message, depth int) error {
	for _, m := range msgs {
		var err error
		switch c := m.body; m.kind {
		case msgSymbolTable:
			tree, heap := c.u64(), c.u64()
			if err = c.err; err == nil {
				err = f.symbolTable(g, tree, heap, depth)
			}
		case msgLink:
			err = f.linkMessage(g, c, depth)
		case msgLinkInfo:
			c.skip(1)
			if flags := c.u8(); flags&1 != 0 {
				c.skip(8)
			}
			if heap := c.u64(); c.err == nil && heap != undefined {
				return fmt.Errorf("group %q stores its names in a dense heap, which is not read: write the file again without libver=\"latest\"", brief.Text(g.path))
			}
			err = c.err
		}
		if err != nil {
			return err
		}
	}
	slices.SortFunc(g.links, func(a, b link) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(g.links); i++ {
		if g.links[i].name == g.links[i-1].name {
			return fmt.Errorf("group %q is damaged: it holds %q twice", brief.Text(g.path), brief.Text(g.links[i].name))
		}
	}
	return nil
}

// add reads the object at the address and adds it to g under the name. depth is the number of
// groups around g. An empty name, or one with a slash, is damage.
func (f *File) add(g *Group, name string, address uint64, depth int) error {
	if name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("group %q is damaged: it holds the name %q", brief.Text(g.path), brief.Text(name))
	}
	o, err := f.object(address, strings.TrimSuffix(g.path, "/")+"/"+name, depth+1)
	if err != nil {
		return err
	}
	g.links = append(g.links, link{name: name, object: o})
	return nil
}

// linkMessage reads a link of the compact group g from c and adds it to g.links, with the object
// that it names. Soft and external links are added without an object. depth counts the enclosing
// groups.
func (f *File) linkMessage(g *Group, c *cursor, depth int) error {
	if version := c.u8(); version != 1 {
		c.fail("a link message has version %d, want 1", version)
	}
	flags := c.u8()
	kind := byte(0)
	if flags&8 != 0 {
		kind = c.u8()
	}
	if flags&4 != 0 { // the creation order
		c.skip(8)
	}
	if flags&16 != 0 { // character set
		c.skip(1)
	}
	n := c.uint(1 << (flags & 3))
	text := c.bytes(int(min(n, 1<<16)))
	if c.err != nil {
		return c.err
	}
	name, err := f.linkName(text)
	if err != nil {
		return err
	}
	if kind != 0 {
		g.links = append(g.links, link{name: name, kind: linkKind(kind)})
		return nil
	}
	address := c.u64()
	if c.err != nil {
		return c.err
	}
	return f.add(g, name, address, depth)
}

// linkCost is the memory of a link without its name, in bytes.
const linkCost = 96

// linkName returns the name of a link. It takes the memory of every name from the budget, also of
// names that overlap in a heap, because each becomes part of a path.
func (f *File) linkName(text []byte) (string, error) {
	if err := f.budget.Take(linkCost+3*int64(len(text)), "the name of an object"); err != nil {
		return "", err
	}
	return string(text), nil
}

func linkKind(kind byte) string {
	switch kind {
	case 1:
		return "a soft link"
	case 64:
		return "a link to another file"
	}
	return "a link of an unknown kind"
}

// maxName is the largest length of a name in a heap.
const maxName = 1 << 16

// symbolTable reads the names, and the objects, of the group g in the old format, with a tree and a
// heap at these addresses, into g.links. depth counts the enclosing groups.
func (f *File) symbolTable(g *Group, tree, heap uint64, depth int) error {
	names, err := f.localHeap(g, heap)
	if err != nil {
		return err
	}
	return f.eachLeaf(tree, 0, fmt.Sprintf("names of group %q", brief.Text(g.path)), 8, func(_ *cursor, child uint64) error {
		what := fmt.Sprintf("symbol table node of group %q", brief.Text(g.path))
		c := f.cursorAt(child, 8, what)
		c.magic("SNOD")
		c.skip(2)
		n := uint64(c.u16())
		const entry = 40
		if c.err == nil {
			c = f.cursorAt(child+8, n*entry, what)
		}
		for c.bytesLeft() >= entry {
			nameAt, address, kind := c.u64(), c.u64(), c.u32()
			c.skip(4 + 16)
			end := -1
			if nameAt < uint64(len(names)) {
				end = bytes.IndexByte(names[nameAt:min(nameAt+maxName, uint64(len(names)))], 0)
			}
			if end < 0 {
				c.fail("a name is at %d of a heap of %d bytes", nameAt, len(names))
				break
			}
			name, err := f.linkName(names[nameAt:][:end])
			if err != nil {
				return err
			}
			if kind == 2 {
				g.links = append(g.links, link{name: name, kind: linkKind(1)})
				continue
			}
			if err := f.add(g, name, address, depth); err != nil {
				return err
			}
		}
		return c.err
	})
}

// localHeap returns the bytes of the local heap at the address, which hold the names in g.
func (f *File) localHeap(g *Group, address uint64) ([]byte, error) {
	what := fmt.Sprintf("heap of the names of group %q", brief.Text(g.path))
	c := f.cursorAt(address, 32, what)
	c.magic("HEAP")
	c.skip(4)
	size := c.u64()
	c.skip(8)
	at := c.u64()
	if c.err != nil {
		return nil, c.err
	}
	data := f.cursorAt(at, size, what)
	return data.data, data.err
}

// eachLeaf calls visit with each leaf's key and address of the B-tree of version 1 (section
// III.A.1) at an address. Its nodes have the given type, and keys of keySize bytes. what names the
// tree in errors. It returns the first error of visit or of the tree, such as a node that appears
// twice.
func (f *File) eachLeaf(address uint64, nodeType byte, what string, keySize int, visit func(key *cursor, child uint64) error) error {
	seen := make(map[uint64]bool)
	var walk func(address uint64, level int) error
	walk = func(address uint64, level int) error {
		c := f.cursorAt(address, 24, what)
		if seen[address] {
			c.fail("a node of its tree appears twice")
		}
		seen[address] = true
		c.magic("TREE")
		kind, at, n := c.u8(), int(c.u8()), int(c.u16())
		if c.err == nil && (kind != nodeType || level >= 0 && at != level) {
			c.fail("a tree node of type %d, level %d, want type %d, level %d", kind, at, nodeType, level)
		}
		if c.err != nil {
			return c.err
		}
		c = f.cursorAt(address+24, uint64(n*(keySize+8)), what)
		for range n {
			key := c.sub(keySize, what)
			child := c.u64()
			if c.err != nil {
				return c.err
			}
			var err error
			if at > 0 {
				err = walk(child, at-1)
			} else {
				err = visit(key, child)
			}
			if err != nil {
				return err
			}
		}
		return c.err
	}
	return walk(address, -1)
}
