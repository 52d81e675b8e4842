package hdf5

// This file reads the names in groups: those of old in a B-tree of symbol
// table nodes with a local heap (sections III.A to III.D), newer ones in link
// messages (section IV.A.2.g).

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// link is a name in a group. A link out of the file has no object.
type link struct {
	name   string
	kind   string // of a link without an object: "a soft link"
	object *object
}

// readLinks reads a group's names and all objects below it.
func (f *File) readLinks(g *Group, msgs []message, depth int) error {
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
				return fmt.Errorf("group %q stores its names in a dense heap, which is not read: write the file anew without libver=\"latest\"", g.path)
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
			return fmt.Errorf("group %q is damaged: it holds %q twice", g.path, g.links[i].name)
		}
	}
	return nil
}

// add reads the object that a name stands for.
func (f *File) add(g *Group, name string, address uint64, depth int) error {
	if name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("group %q is damaged: it holds the name %q", g.path, name)
	}
	o, err := f.object(address, strings.TrimSuffix(g.path, "/")+"/"+name, depth+1)
	if err != nil {
		return err
	}
	g.links = append(g.links, link{name: name, object: o})
	return nil
}

// linkMessage reads a link of a compact group.
func (f *File) linkMessage(g *Group, c *cursor, depth int) error {
	if version := c.u8(); version != 1 {
		c.fail("a link message has version %d, want 1", version)
	}
	flags := c.u8()
	kind := byte(0)
	if flags&8 != 0 {
		kind = c.u8()
	}
	if flags&4 != 0 { // creation order
		c.skip(8)
	}
	if flags&16 != 0 { // character set
		c.skip(1)
	}
	n := c.uint(1 << (flags & 3))
	name := string(c.bytes(int(min(n, 1<<16))))
	if c.err != nil {
		return c.err
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

func linkKind(kind byte) string {
	switch kind {
	case 1:
		return "a soft link"
	case 64:
		return "a link to another file"
	}
	return "a link of an unknown kind"
}

// symbolTable reads the names of an old group.
func (f *File) symbolTable(g *Group, tree, heap uint64, depth int) error {
	names, err := f.localHeap(g, heap)
	if err != nil {
		return err
	}
	return f.eachLeaf(tree, 0, fmt.Sprintf("names of group %q", g.path), 8, func(_ *cursor, child uint64) error {
		what := fmt.Sprintf("symbol table node of group %q", g.path)
		c := f.at(child, 8, what)
		c.magic("SNOD")
		c.skip(2)
		n := uint64(c.u16())
		const entry = 40
		if c.err == nil {
			c = f.at(child+8, n*entry, what)
		}
		for c.left() >= entry {
			nameAt, address, kind := c.u64(), c.u64(), c.u32()
			c.skip(4 + 16)
			if nameAt >= uint64(len(names)) || bytes.IndexByte(names[nameAt:], 0) < 0 {
				c.fail("a name lies at %d of a heap of %d bytes", nameAt, len(names))
				break
			}
			name, _, _ := strings.Cut(string(names[nameAt:min(nameAt+1<<16, uint64(len(names)))]), "\x00")
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

// localHeap returns the bytes that hold a group's names.
func (f *File) localHeap(g *Group, address uint64) ([]byte, error) {
	what := fmt.Sprintf("heap of the names of group %q", g.path)
	c := f.at(address, 32, what)
	c.magic("HEAP")
	c.skip(4)
	size := c.u64()
	c.skip(8)
	at := c.u64()
	if c.err != nil {
		return nil, c.err
	}
	data := f.at(at, size, what)
	return data.data, data.err
}

// eachLeaf walks a B-tree of version 1 (section III.A.1), whose nodes are of
// the given type and have keys of keySize bytes, and calls visit with each
// leaf's key and address.
func (f *File) eachLeaf(address uint64, nodeType byte, what string, keySize int, visit func(key *cursor, child uint64) error) error {
	seen := make(map[uint64]bool)
	var walk func(address uint64, level int) error
	walk = func(address uint64, level int) error {
		c := f.at(address, 24, what)
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
		c = f.at(address+24, uint64(n*(keySize+8)), what)
		for range n {
			key := c.part(keySize, what)
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
