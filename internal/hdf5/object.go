package hdf5

// This file defines Group and Dataset, and makes them of the messages of an
// object header.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
)

// maxDepth bounds how deep groups may be nested.
const maxDepth = 256

// Group is a group: names and what they stand for.
type Group struct {
	attributes
	path  string
	links []link // by name
}

// Dataset is a tensor in a file.
type Dataset struct {
	attributes
	f       *File
	path    string
	elem    elemType
	shape   []int
	bytes   int64 // of all elements
	storage storage
	filters []filter
	fill    []byte // one element, where nothing is stored; nil for zero
	reason  string // why it cannot be read; empty if it can

	index chunkIndex
}

// object is what stands at an address: a group, a dataset or, both nil,
// something else, such as a named type.
type object struct {
	group   *Group
	dataset *Dataset
}

// Path returns the full name, which is "/" for the root.
func (g *Group) Path() string { return g.path }

// Path returns the full name.
func (d *Dataset) Path() string { return d.path }

// Type returns the type of the elements.
func (d *Dataset) Type() Type { return d.elem.Type }

// Shape returns the dimensions, none for a scalar. The caller must not change
// it.
func (d *Dataset) Shape() []int { return d.shape }

// Names returns the names in the group, sorted.
func (g *Group) Names() []string {
	names := make([]string, len(g.links))
	for i, l := range g.links {
		names[i] = l.name
	}
	return names
}

// Group returns the group of that path, relative to g.
func (g *Group) Group(path string) (*Group, error) {
	o, err := g.find(path)
	if err != nil {
		return nil, err
	}
	if o.group == nil {
		return nil, fmt.Errorf("hdf5: %s in group %s is no group", path, g.path)
	}
	return o.group, nil
}

// Dataset returns the dataset of that path, relative to g.
func (g *Group) Dataset(path string) (*Dataset, error) {
	o, err := g.find(path)
	if err != nil {
		return nil, err
	}
	if o.dataset == nil {
		return nil, fmt.Errorf("hdf5: %s in group %s is no dataset", path, g.path)
	}
	return o.dataset, nil
}

// Has reports whether there is a group or dataset of that path.
func (g *Group) Has(path string) bool {
	_, err := g.find(path)
	return err == nil
}

// IsGroup reports whether there is a group of that path.
func (g *Group) IsGroup(path string) bool {
	o, err := g.find(path)
	return err == nil && o.group != nil
}

func (g *Group) find(path string) (*object, error) {
	name, rest, deeper := strings.Cut(path, "/")
	i, ok := slices.BinarySearchFunc(g.links, name, func(l link, name string) int { return strings.Compare(l.name, name) })
	if !ok {
		return nil, fmt.Errorf("hdf5: group %s holds no %q%s", g.path, name, g.contents(name))
	}
	l := g.links[i]
	switch {
	case l.object == nil:
		return nil, fmt.Errorf("hdf5: %s in group %s is %s, which is not followed: only what lies in the file itself is read", name, g.path, l.kind)
	case !deeper:
		return l.object, nil
	case l.object.group == nil:
		return nil, fmt.Errorf("hdf5: %s in group %s is no group, so %q cannot lie in it", name, g.path, rest)
	}
	return l.object.group.find(rest)
}

// contents tells what a group holds instead of name.
func (g *Group) contents(name string) string {
	names := g.Names()
	if len(names) == 0 {
		return ": it is empty"
	}
	if len(names) > 8 {
		return suggest.DidYouMean(name, names)
	}
	return ": it holds " + suggest.Quoted(names)
}

// object reads what stands at address, once.
func (f *File) object(address uint64, path string, depth int) (*object, error) {
	if o, ok := f.objects[address]; ok {
		if o == nil {
			return nil, damaged(int64(address), fmt.Sprintf("group %q", path), "it lies within itself")
		}
		return o, nil
	}
	if depth > maxDepth {
		return nil, damaged(int64(address), fmt.Sprintf("group %q", path), "it is nested deeper than %d groups", maxDepth)
	}
	f.objects[address] = nil
	o, err := f.makeObject(address, path, depth)
	if err != nil {
		return nil, err
	}
	f.objects[address] = o
	return o, nil
}

func (f *File) makeObject(address uint64, path string, depth int) (*object, error) {
	msgs, err := f.messages(address, path)
	if err != nil {
		return nil, err
	}
	as, err := f.readAttributes(msgs, path)
	if err != nil {
		return nil, err
	}
	has := func(kind uint16) bool {
		return slices.ContainsFunc(msgs, func(m message) bool { return m.kind == kind })
	}
	switch {
	case has(msgLayout):
		d := &Dataset{attributes: as, f: f, path: path}
		return &object{dataset: d}, d.parse(msgs)
	case has(msgSymbolTable) || has(msgLinkInfo) || has(msgGroupInfo) || has(msgLink):
		g := &Group{attributes: as, path: path}
		return &object{group: g}, f.readLinks(g, msgs, depth)
	}
	return &object{}, nil
}

// parse makes a dataset of its messages.
func (d *Dataset) parse(msgs []message) error {
	cannot := func(format string, args ...any) {
		if d.reason == "" {
			d.reason = fmt.Sprintf(format, args...)
		}
	}
	var fill *cursor
	hasType, hasSpace := false, false
	for _, m := range msgs {
		c := m.body
		if m.shared && m.kind != msgAttribute {
			if m.kind == msgDatatype {
				hasType = true
				cannot("its type is a named type elsewhere in the file")
			} else if m.kind == msgDataspace || m.kind == msgLayout || m.kind == msgFilters {
				hasSpace = hasSpace || m.kind == msgDataspace
				cannot("a part of its description is shared with other objects")
			}
			continue
		}
		switch m.kind {
		case msgDataspace:
			d.shape, hasSpace = decodeShape(c), true
		case msgDatatype:
			d.elem, hasType = decodeType(c), true
			if d.elem.Kind == Other {
				cannot("its elements are %s", d.elem.reason)
			}
		case msgLayout:
			var reason string
			if d.storage, reason = decodeStorage(c); reason != "" {
				cannot("%s", reason)
			}
		case msgFilters:
			d.filters = decodeFilters(c)
		case msgFill, msgFillOld:
			fill = c
			if m.kind == msgFill {
				d.fill = decodeFill(c)
			}
		case msgExternal:
			cannot("its elements lie in another file")
		}
		if c.err != nil {
			return c.err
		}
	}
	what := fmt.Sprintf("dataset %q", d.path)
	if !hasType || !hasSpace {
		return damaged(0, what, "its header says nothing of its type or its shape")
	}
	var err error
	if d.bytes, err = byteSize(d.shape, max(d.elem.Size, 1)); err != nil {
		return damaged(0, what, "%v", err)
	}
	if d.fill != nil && len(d.fill) != d.elem.Size {
		if d.reason == "" && len(d.fill) != 0 {
			return damaged(fill.off, what, "its fill value has %d bytes, want %d", len(d.fill), d.elem.Size)
		}
		d.fill = nil
	}
	return d.checkStorage(what)
}

// decodeFill reads a fill value message (section IV.A.2.f), nil for none.
func decodeFill(c *cursor) []byte {
	version := c.u8()
	switch version {
	case 1, 2:
		c.skip(2)
		defined := c.u8()
		if version == 2 && defined == 0 {
			return nil
		}
	case 3:
		if flags := c.u8(); flags&0x20 == 0 {
			return nil
		}
	default:
		c.fail("a fill value message has version %d, want 1 to 3", version)
		return nil
	}
	n := c.u32()
	if n > 1<<16 {
		c.fail("a fill value of %d bytes", n)
		return nil
	}
	return c.bytes(int(n))
}
