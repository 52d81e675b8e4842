package hdf5

// This file reads object headers (section IV.A.1) into messages, and converts them to groups and
// datasets.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/brief"
)

// object is what an object header describes: a group, a dataset or, when both
// are nil, something else, such as a named type.
type object struct {
	group   *Group
	dataset *Dataset
}

// maxDepth is the greatest depth of nested groups.
const maxDepth = 256

// The types of messages that this package reads (section IV.A.2).
const (
	msgDataspace    = 0x01
	msgLinkInfo     = 0x02
	msgDatatype     = 0x03
	msgFillOld      = 0x04
	msgFill         = 0x05
	msgLink         = 0x06
	msgExternal     = 0x07
	msgLayout       = 0x08
	msgGroupInfo    = 0x0a
	msgFilters      = 0x0b
	msgAttribute    = 0x0c
	msgContinuation = 0x10
	msgSymbolTable  = 0x11
	msgAttrInfo     = 0x15
)

// message is one message of an object header.
type message struct {
	kind   uint16
	shared bool // the content of the message is stored at another place of the file
	body   *cursor
}

// used lists the types of messages that are kept. A header may have millions of others, such as
// empty ones that fill gaps.
var used = []uint16{
	msgDataspace, msgLinkInfo, msgDatatype, msgFillOld, msgFill, msgLink, msgExternal, msgLayout, msgGroupInfo, msgFilters,
	msgAttribute, msgContinuation, msgSymbolTable, msgAttrInfo,
}

// The memory of a message, and of an object without its name.
const (
	messageCost = 160
	objectCost  = 768
)

// message reads a message with n bytes of content. It returns nil for a type that is not used. kind
// is the type of the message. shared says that the content is at another place, and what names the
// object in errors. An error is set in b, and the result is nil.
func (f *File) message(b *cursor, kind uint16, n int, shared bool, what string) *message {
	if !slices.Contains(used, kind) {
		b.skip(n)
		return nil
	}
	if err := f.budget.Take(messageCost, what); err != nil {
		b.fail("%w", err)
	}
	m := &message{kind, shared, b.sub(n, what)}
	if b.err != nil {
		return nil
	}
	return m
}

// block is a contiguous block of an object header.
type block struct{ address, size uint64 }

// messages returns all messages of the object header at address, version 1 or 2, including those of
// its continuation blocks. path is for errors.
func (f *File) messages(address uint64, path string) ([]*message, error) {
	what := fmt.Sprintf("object header of %q", brief.Text(path))
	c := f.cursorAt(address, 16, what)
	if c.err != nil {
		return nil, c.err
	}
	if string(c.data[:4]) == "OHDR" {
		return f.messagesV2(address, what)
	}
	if version := c.u8(); version != 1 {
		c.fail("version %d, want 1 or 2", version)
	}
	c.skip(1)
	count := int(c.u16())
	c.skip(4)
	size := uint64(c.u32())
	if c.err != nil {
		return nil, c.err
	}
	var out []*message
	seen := 0
	err := f.eachBlock(block{address + 16, size}, what, func(b *cursor) (more []block) {
		for b.bytesLeft() >= 8 && seen < count {
			seen++
			kind, n, flags := b.u16(), int(b.u16()), b.u8()
			b.skip(3)
			m := f.message(b, kind, n, flags&2 != 0, what)
			switch {
			case m == nil:
			case m.kind == msgContinuation:
				more = append(more, block{m.body.u64(), m.body.u64()})
				b.err = m.body.err
			default:
				out = append(out, m)
			}
		}
		return more
	})
	return out, err
}

// messagesV2 reads the object header of version 2 at the address, and returns its messages. what
// names the object in errors.
func (f *File) messagesV2(address uint64, what string) ([]*message, error) {
	c := f.cursorAt(address, uint64(min(64, f.size-int64(address))), what)
	c.magic("OHDR")
	if version := c.u8(); c.err == nil && version != 2 {
		c.fail("version %d, want 2", version)
	}
	flags := c.u8()
	if flags&0x20 != 0 { // the times of the object
		c.skip(16)
	}
	if flags&0x10 != 0 { // the limits for dense attributes
		c.skip(4)
	}
	size := c.uint(1 << (flags & 3))
	if c.err != nil {
		return nil, c.err
	}
	const checksum = 4
	head := 4
	if flags&4 != 0 { // the creation order of the message
		head = 6
	}
	var out []*message
	err := f.eachBlock(block{address + uint64(c.pos), size}, what, func(b *cursor) (more []block) {
		for b.bytesLeft() >= head {
			kind, n, flags := uint16(b.u8()), int(b.u16()), b.u8()
			b.skip(head - 4)
			m := f.message(b, kind, n, flags&2 != 0, what)
			if m == nil {
				continue
			}
			if m.kind != msgContinuation {
				out = append(out, m)
				continue
			}
			at, n64 := m.body.u64(), m.body.u64()
			if m.body.err == nil && n64 < 4+checksum {
				m.body.fail("a continuation of %d bytes", n64)
			}
			b.err = m.body.err
			more = append(more, block{at + 4, n64 - 4 - checksum})
		}
		return more
	})
	return out, err
}

// eachBlock calls parse for a header's first block and for its continuation blocks, which parse
// returns. A block that comes twice, or that parse fails on, is an error. what names the object in
// errors.
func (f *File) eachBlock(first block, what string, parse func(*cursor) []block) error {
	todo := []block{first}
	seen := make(map[uint64]bool)
	for len(todo) > 0 {
		b := todo[0]
		todo = todo[1:]
		if seen[b.address] {
			return damagedError(int64(b.address), what, "a block is its own continuation")
		}
		seen[b.address] = true
		c := f.cursorAt(b.address, b.size, what)
		more := parse(c)
		if c.err != nil {
			return c.err
		}
		todo = append(todo, more...)
	}
	return nil
}

// object returns the object whose header is at address: a group with all that is in it, or a
// dataset. It reads each object once, and charges the budget; path becomes the Path of an object
// that is read. depth is the number of groups around it. A group that contains itself, or is nested
// deeper than maxDepth, is damaged.
func (f *File) object(address uint64, path string, depth int) (*object, error) {
	if o, ok := f.objects[address]; ok {
		if o == nil {
			return nil, damagedError(int64(address), fmt.Sprintf("group %q", brief.Text(path)), "it contains itself")
		}
		return o, nil
	}
	if depth > maxDepth {
		return nil, damagedError(int64(address), fmt.Sprintf("group %q", brief.Text(path)), "it is nested deeper than %d groups", maxDepth)
	}
	if err := f.budget.Take(objectCost+2*int64(len(path)), "object "+brief.Text(path)); err != nil {
		return nil, err
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
		return slices.ContainsFunc(msgs, func(m *message) bool { return m.kind == kind })
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
