package hdf5

// This file reads attributes (section IV.A.2.m) as Go values, and strings. Strings of variable
// length are in the global heap (section III.E).

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/suggest"
)

// Attr is an attribute: a small value with a name.
type Attr struct {
	Name  string
	Type  Type
	Shape []int // empty for a scalar

	data   []byte // the elements, little-endian
	texts  []string
	reason string // the reason why its value cannot be read
}

// attributes are the attributes of a group or dataset.
type attributes struct {
	attrs  []Attr
	reason string // the reason why some cannot be read
}

// Attrs returns the attributes, sorted by name.
func (a *attributes) Attrs() []Attr { return a.attrs }

// Attr returns the value of an attribute, as Attr.Value does. It returns nil without an error if
// there is no attribute with the given name. If attributes of the object are kept in a form that is
// not read, such a name is an error.
func (a *attributes) Attr(name string) (any, error) {
	i, ok := slices.BinarySearchFunc(a.attrs, name, func(x Attr, name string) int { return strings.Compare(x.Name, name) })
	if ok {
		return a.attrs[i].Value()
	}
	if a.reason != "" {
		return nil, fmt.Errorf("hdf5: attribute %q: %s", brief.Text(name), a.reason)
	}
	return nil, nil
}

// Text returns the value of the attribute with that name, which must be one string. A missing
// attribute, and one of another type, are errors.
func (a *attributes) Text(name string) (string, error) {
	v, err := a.Attr(name)
	if err != nil {
		return "", err
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	return "", a.mismatch(name, v, "a string")
}

// Texts returns an attribute that is a list of strings; also if the list was split into name0,
// name1, …, as Keras does with lists that are too large for one attribute. It returns nil for an
// empty list. An attribute that is missing, cannot be read or has another type is an error.
func (a *attributes) Texts(name string) ([]string, error) {
	v, err := a.Attr(name)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case []string:
		return v, nil
	case []float64: // h5py writes an empty list so
		if len(v) == 0 {
			return nil, nil
		}
	case nil:
		var all []string
		for i := 0; ; i++ {
			segment, err := a.Attr(fmt.Sprint(name, i))
			if err != nil {
				return nil, err
			}
			texts, ok := segment.([]string)
			if !ok {
				break
			}
			all = append(all, texts...)
		}
		if all != nil {
			return all, nil
		}
	}
	return nil, a.mismatch(name, v, "a list of strings")
}

func (a *attributes) mismatch(name string, got any, want string) error {
	if got != nil {
		return fmt.Errorf("hdf5: attribute %q is a %T, want %s", name, got, want)
	}
	names := make([]string, len(a.attrs))
	for i, x := range a.attrs {
		names[i] = x.Name
	}
	return fmt.Errorf("hdf5: there is no attribute %q%s: want %s", name, suggest.DidYouMean(name, names), want)
}

// Value returns a string, bool, int64, uint64 or float64. For an array it returns a flat slice of
// them. Opaque bytes are a []byte. A value of a type that this package does not read is an error
// with the reason.
func (a Attr) Value() (any, error) {
	if a.reason != "" {
		return nil, fmt.Errorf("hdf5: attribute %q cannot be read: %s", brief.Text(a.Name), a.reason)
	}
	scalar := len(a.Shape) == 0
	switch a.Type.Kind {
	case String, VarString:
		return one(a.texts, scalar), nil
	case Opaque:
		return a.data, nil
	case Bool:
		return one(elements(a, func(b []byte) bool { return b[0] != 0 }), scalar), nil
	case Float:
		return one(elements(a, toFloat), scalar), nil
	case Uint:
		return one(elements(a, toUint), scalar), nil
	default: // Int
		shift := 64 - 8*a.Type.Size
		return one(elements(a, func(b []byte) int64 { return int64(toUint(b)<<shift) >> shift }), scalar), nil
	}
}

func one[T any](list []T, scalar bool) any {
	if scalar {
		return list[0]
	}
	return list
}

func elements[T any](a Attr, convert func([]byte) T) []T {
	out := make([]T, 0, len(a.data)/a.Type.Size)
	for b := range slices.Chunk(a.data, a.Type.Size) {
		out = append(out, convert(b))
	}
	return out
}

func toUint(b []byte) uint64 {
	c := cursor{data: b}
	return c.uint(len(b))
}

func toFloat(b []byte) float64 {
	switch len(b) {
	case 2:
		return halfToFloat(le.Uint16(b))
	case 4:
		return float64(math.Float32frombits(le.Uint32(b)))
	}
	return math.Float64frombits(le.Uint64(b))
}

// halfToFloat returns the value of an IEEE number of 16 bits, given by its bits. Infinities and NaN
// stay such.
func halfToFloat(h uint16) float64 {
	sign, exp, mant := 1-2*float64(h>>15), int(h>>10&31), float64(h&1023)
	switch {
	case exp == 0:
		return sign * math.Ldexp(mant, -24)
	case exp < 31:
		return sign * math.Ldexp(1024+mant, exp-25)
	case mant == 0:
		return math.Inf(int(sign))
	}
	return math.NaN()
}

// readAttributes returns the attributes of the object at path, which are in the messages of its
// header, sorted by name. If some are kept in a form that is not read, they are missing, and reason
// tells why.
func (f *File) readAttributes(msgs []*message, path string) (attributes, error) {
	var as attributes
	for _, m := range msgs {
		switch {
		case m.kind == msgAttribute && m.shared:
			as.reason = "an attribute is shared with other objects, which is not read"
		case m.kind == msgAttribute:
			a, err := f.readAttribute(m.body)
			if err != nil {
				return as, err
			}
			as.attrs = append(as.attrs, a)
		case m.kind == msgAttrInfo:
			c := m.body
			c.skip(1)
			if flags := c.u8(); flags&1 != 0 {
				c.skip(2)
			}
			if heap := c.u64(); c.err == nil && heap != undefined {
				as.reason = fmt.Sprintf("the attributes of %q are in a dense heap, which is not read: write the file again without libver=\"latest\"", brief.Text(path))
			}
			if c.err != nil {
				return as, c.err
			}
		}
	}
	slices.SortFunc(as.attrs, func(a, b Attr) int { return strings.Compare(a.Name, b.Name) })
	return as, nil
}

func (f *File) readAttribute(c *cursor) (Attr, error) {
	version := c.u8()
	if version < 1 || version > 3 {
		c.fail("an attribute message has version %d, want 1 to 3", version)
	}
	flags := c.u8()
	if version == 1 {
		flags = 0
	}
	nameSize, typeSize, shapeSize := int(c.u16()), int(c.u16()), int(c.u16())
	if version == 3 { // the character set of the name
		c.skip(1)
	}
	field := func(n int, what string) *cursor {
		p := c.sub(n, what)
		if version == 1 {
			c.skip((8 - n%8) % 8)
		}
		return p
	}
	nameBytes := field(nameSize, "name of an attribute")
	name, _, _ := strings.Cut(string(nameBytes.data), "\x00")
	what := fmt.Sprintf("attribute %q", brief.Text(name))
	typeField, shapeField := field(typeSize, what), field(shapeSize, what)
	a := Attr{Name: name}
	if flags != 0 {
		a.reason = "its type or shape is shared with other objects"
		return a, c.err
	}
	t := decodeType(typeField)
	a.Type, a.Shape = t.Type, decodeShape(shapeField)
	for _, err := range []error{c.err, typeField.err, shapeField.err} {
		if err != nil {
			return a, err
		}
	}
	if t.Kind == Other {
		a.reason = "it is " + t.reason
		return a, nil
	}
	n, err := byteSize(a.Shape, t.Size)
	if err != nil || n > int64(c.bytesLeft()) {
		c.fail("%s of shape %v and type %s does not fit into %d bytes", what, a.Shape, t.Type, c.bytesLeft())
		return a, c.err
	}
	if err := f.budget.Take(attributeCost+int64(len(name))+n, what); err != nil {
		return a, err
	}
	a.data = slices.Clone(c.bytes(int(n)))
	if t.bigEndian {
		swapBytes(a.data, t.Size)
	}
	if t.Kind == String || t.Kind == VarString {
		if a.texts, err = f.texts(a.data, t.Type, what, f.budget.Take); err != nil {
			return a, err
		}
	}
	return a, nil
}

// The memory of an attribute without its name and value, and of a string without
// its text.
const (
	attributeCost = 256
	stringCost    = 32
)

// texts returns the strings that data, of type t, holds or points to. A string ends at its first
// zero byte. texts calls charge for each string, because many may refer to one object of the heap.
// what names the attribute or dataset in errors.
func (f *File) texts(data []byte, t Type, what string, charge func(int64, string) error) ([]string, error) {
	if err := charge(int64(len(data)/t.Size*stringCost), what); err != nil {
		return nil, err
	}
	out := make([]string, 0, len(data)/t.Size)
	for b := range slices.Chunk(data, t.Size) {
		if t.Kind == String {
			text := cutAtZero(b)
			if err := charge(int64(len(text)), what); err != nil {
				return nil, err
			}
			out = append(out, string(text))
			continue
		}
		size, address, index := le.Uint32(b), le.Uint64(b[4:]), le.Uint32(b[12:])
		if size == 0 {
			out = append(out, "")
			continue
		}
		object, err := f.heapObject(address, index, what)
		if err != nil {
			return nil, err
		}
		if int64(size) > int64(len(object)) {
			return nil, damagedError(int64(address), what, "a string of %d bytes is in %d", size, len(object))
		}
		text := cutAtZero(object[:size])
		if err := charge(int64(len(text)), what); err != nil {
			return nil, err
		}
		out = append(out, string(text))
	}
	return out, nil
}

func cutAtZero(b []byte) []byte {
	if n := bytes.IndexByte(b, 0); n >= 0 {
		return b[:n]
	}
	return b
}

// heapObject returns the object with the index in the global heap at the address, and keeps that
// heap for later calls. what names the object in errors. An index that the heap lacks is an error.
func (f *File) heapObject(address uint64, index uint32, what string) ([]byte, error) {
	f.heapMu.Lock()
	defer f.heapMu.Unlock()
	heap, ok := f.heaps[address]
	if !ok {
		var err error
		if heap, err = f.readHeap(address); err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		f.heaps[address] = heap
	}
	object, ok := heap[uint16(index)]
	if !ok || index > 1<<16-1 {
		return nil, damagedError(int64(address), what, "the heap holds no object %d", index)
	}
	return object, nil
}

func (f *File) readHeap(address uint64) (map[uint16][]byte, error) {
	const what, head, heapEntryCost = "heap of strings", 16, 96
	c := f.cursorAt(address, head, what)
	c.magic("GCOL")
	c.skip(4)
	size := c.u64()
	if c.err == nil && size < head {
		c.fail("it has %d bytes, want at least %d", size, head)
	}
	if c.err != nil {
		return nil, c.err
	}
	heap := make(map[uint16][]byte)
	c = f.cursorAt(address+head, size-head, what)
	for c.bytesLeft() >= head {
		index := c.u16()
		c.skip(6)
		n := c.u64()
		if index == 0 { // the object of free space
			break
		}
		if err := f.budget.Take(heapEntryCost, what); err != nil {
			return nil, err
		}
		heap[index] = c.bytes(int(min(n, 1<<40))) // no block is that large
		c.skip(min(int(-n&7), c.bytesLeft()))
	}
	return heap, c.err
}
