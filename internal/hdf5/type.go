package hdf5

// This file defines Type and its encoding (section IV.A.2.d, Datatype Message),
// and the encoding of shapes (section IV.A.2.b, Dataspace Message).

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

var le = binary.LittleEndian

// Kind is the kind of a Type.
type Kind uint8

// The kinds of types. Elements of kind Other cannot be read: the error says why.
const (
	Other     Kind = iota
	Float          // IEEE 754, of 2, 4 or 8 bytes
	Int            // two's complement, of 1, 2, 4 or 8 bytes
	Uint           // of 1, 2, 4 or 8 bytes
	Bool           // as h5py writes it: one byte, an enumeration of FALSE and TRUE
	String         // fixed length in bytes, UTF-8, padded with zero bytes
	VarString      // any length, UTF-8
	Opaque         // uninterpreted bytes; Keras' bfloat16 is Opaque of 2 bytes
)

// Type is the type of the elements of a dataset or an attribute.
type Type struct {
	Kind Kind
	Size int // size in bytes; for a VarString, of its reference
}

// The types of numbers.
var (
	Float16 = Type{Float, 2}
	Float32 = Type{Float, 4}
	Float64 = Type{Float, 8}
	Int8    = Type{Int, 1}
	Int16   = Type{Int, 2}
	Int32   = Type{Int, 4}
	Int64   = Type{Int, 8}
	Uint8   = Type{Uint, 1}
	Uint16  = Type{Uint, 2}
	Uint32  = Type{Uint, 4}
	Uint64  = Type{Uint, 8}
	Boolean = Type{Bool, 1}
)

var kindNames = [...]string{"other", "float", "int", "uint", "bool", "string", "variable string", "opaque"}

// String returns the type as text, such as float32, bool, string of 7 bytes.
func (t Type) String() string {
	switch t.Kind {
	case Float, Int, Uint:
		return fmt.Sprintf("%s%d", kindNames[t.Kind], 8*t.Size)
	case String, Opaque:
		return fmt.Sprintf("%s of %d bytes", kindNames[t.Kind], t.Size)
	case Bool, VarString:
		return kindNames[t.Kind]
	}
	return fmt.Sprintf("a type of %d bytes that this package does not read", t.Size)
}

// The classes of datatype messages.
const (
	classInteger  = 0
	classFloat    = 1
	classString   = 3
	classOpaque   = 5
	classCompound = 6
	classEnum     = 8
	classVariable = 9
)

var classNames = map[byte]string{2: "time", 4: "bit field", 6: "compound", 7: "reference", 10: "array", 11: "complex"}

// varStringSize is the size of a reference to a string of variable length: its length, and its
// address in the global heap.
const varStringSize = 16

// floatFormat describes an IEEE format: the place of the exponent, the bits of exponent and
// mantissa, and the exponent's bias.
type floatFormat struct {
	expAt, expBits, mantBits byte
	bias                     uint32
}

var floatFormats = map[int]floatFormat{
	2: {10, 5, 10, 15},
	4: {23, 8, 23, 127},
	8: {52, 11, 52, 1023},
}

// elemType is the content of a datatype message.
type elemType struct {
	Type
	bigEndian bool
	reason    string // the reason why elements of kind Other cannot be read
}

// decodeType reads a datatype message. An unknown type is no error: it has the kind Other. A
// damaged message is an error of c.
func decodeType(c *cursor) elemType {
	head := c.u8()
	class, version := head&15, head>>4
	bits := c.uint(3)
	size := c.u32()
	if c.err != nil {
		return elemType{}
	}
	if version < 1 || version > 5 {
		c.fail("a datatype message has version %d, want 1 to 5", version)
		return elemType{}
	}
	if size == 0 || size > 1<<30 {
		c.fail("a datatype of %d bytes", size)
		return elemType{}
	}
	t := elemType{Type: Type{Size: int(size)}}
	switch class {
	case classInteger:
		return decodeInteger(c, t, bits)
	case classFloat:
		return decodeFloat(c, t, bits)
	case classString:
		t.Kind = String
	case classOpaque:
		t.Kind = Opaque
	case classEnum:
		return decodeEnum(c, t, int(bits&0xffff), version)
	case classVariable:
		if bits&15 != 1 {
			return t.asUnreadable("lists of variable length")
		}
		if t.Size != varStringSize {
			return t.asUnreadable("variable strings of %d bytes", size)
		}
		t.Kind = VarString
	default:
		name := classNames[class]
		if name == "" {
			name = fmt.Sprintf("class %d", class)
		}
		return t.asUnreadable("a %s type", name)
	}
	return t
}

// asUnreadable returns t as a type that cannot be read (Other), for the reason that format and args
// give.
func (t elemType) asUnreadable(format string, args ...any) elemType {
	t.Kind, t.reason = Other, fmt.Sprintf(format, args...)
	return t
}

func decodeInteger(c *cursor, t elemType, bits uint64) elemType {
	offset, precision := c.u16(), c.u16()
	t.bigEndian = bits&1 != 0
	t.Kind = Uint
	if bits&8 != 0 {
		t.Kind = Int
	}
	if offset != 0 || int(precision) != 8*t.Size || !knownSize(t.Size) {
		return t.asUnreadable("integers of %d bits in %d bytes", precision, t.Size)
	}
	return t
}

func decodeFloat(c *cursor, t elemType, bits uint64) elemType {
	offset, precision := c.u16(), c.u16()
	expAt, expBits, mantAt, mantBits, bias := c.u8(), c.u8(), c.u8(), c.u8(), c.u32()
	t.bigEndian = bits&1 != 0
	f, ok := floatFormats[t.Size]
	if !ok || bits&0x40 != 0 || offset != 0 || int(precision) != 8*t.Size || mantAt != 0 ||
		f != (floatFormat{expAt, expBits, mantBits, bias}) {
		return t.asUnreadable("floating-point numbers of %d bits with %d bits of exponent", precision, expBits)
	}
	t.Kind = Float
	return t
}

// decodeEnum reads the base type and the members of an enumeration, and returns t as Bool for
// h5py's bool, and else as numbers of the base type.
func decodeEnum(c *cursor, t elemType, members int, version byte) elemType {
	base := decodeType(c)
	if c.err != nil {
		return t
	}
	names := make([]string, 0, 2)
	for range min(members, 2) {
		at := c.pos
		name := c.text()
		if version < 3 { // padded to a multiple of 8 bytes, including the final zero byte
			c.skip((8 - (c.pos-at)%8) % 8)
		}
		names = append(names, name)
	}
	if members == 2 && base.Type == Int8 && names[0] == "FALSE" && names[1] == "TRUE" {
		if v := c.bytes(2); v != nil && v[0] == 0 && v[1] == 1 {
			return elemType{Type: Boolean}
		}
	}
	return base
}

func knownSize(n int) bool { return n == 1 || n == 2 || n == 4 || n == 8 }

// check returns an error if elements of the type cannot be written: an unknown kind, or a size that
// the kind does not have.
func (t Type) check() error {
	switch t.Kind {
	case Float:
		if _, ok := floatFormats[t.Size]; ok {
			return nil
		}
	case Int, Uint:
		if knownSize(t.Size) {
			return nil
		}
	case Bool:
		if t.Size == 1 {
			return nil
		}
	case String, Opaque:
		if t.Size > 0 {
			return nil
		}
	case VarString:
		if t.Size == varStringSize {
			return nil
		}
	}
	return fmt.Errorf("cannot write elements of type %s: want one of the types of package hdf5", t)
}

// encodeType returns the datatype message, version 1, of a type that check
// accepts.
func encodeType(t Type) []byte {
	head := func(class byte, bits uint32) []byte {
		return le.AppendUint32([]byte{0x10 | class, byte(bits), byte(bits >> 8), byte(bits >> 16)}, uint32(t.Size))
	}
	precision := func(b []byte) []byte { return le.AppendUint16(le.AppendUint16(b, 0), uint16(8*t.Size)) }
	const (
		signed       = 1 << 3
		impliedOne   = 2 << 4 // the highest bit of the mantissa is implied
		nullPadded   = 1
		utf8         = 1 << 4
		variableText = 1 | 1<<8 // text, UTF-8
	)
	switch t.Kind {
	case Int:
		return precision(head(classInteger, signed))
	case Uint:
		return precision(head(classInteger, 0))
	case Float:
		f := floatFormats[t.Size]
		b := precision(head(classFloat, impliedOne|uint32(8*t.Size-1)<<8))
		return le.AppendUint32(append(b, f.expAt, f.expBits, 0, f.mantBits), f.bias)
	case Bool:
		b := append(head(classEnum, 2), encodeType(Int8)...)
		return append(b, "FALSE\x00\x00\x00TRUE\x00\x00\x00\x00\x00\x01"...)
	case String:
		return head(classString, nullPadded|utf8)
	case VarString:
		return append(head(classVariable, variableText), encodeType(Type{String, 1})...)
	default: // Opaque, with an empty tag
		return head(classOpaque, 0)
	}
}

const maxRank = 32

// decodeShape reads a dataspace message. A scalar has no dimensions. A null dataspace, which has no
// elements, is returned as one dimension of size 0. For a damaged message c has the error.
func decodeShape(c *cursor) []int {
	version, rank, flags := c.u8(), int(c.u8()), c.u8()
	switch version {
	case 1:
		c.skip(5)
	case 2:
		if kind := c.u8(); kind == 2 {
			return []int{0}
		}
	default:
		c.fail("a dataspace message has version %d, want 1 or 2", version)
	}
	if rank > maxRank {
		c.fail("a dataspace of %d dimensions, want at most %d", rank, maxRank)
	}
	if c.err != nil {
		return nil
	}
	shape := make([]int, rank)
	for i := range shape {
		d := c.u64()
		if d > math.MaxInt64 {
			c.fail("dimension %d of %d elements", i, d)
		}
		shape[i] = int(d)
	}
	if flags&1 != 0 { // the maximal size of each dimension
		c.skip(8 * rank)
	}
	return shape
}

// encodeShape returns the dataspace message, version 1.
func encodeShape(shape []int) []byte {
	b := []byte{1, byte(len(shape)), 0, 0, 0, 0, 0, 0}
	for _, d := range shape {
		b = le.AppendUint64(b, uint64(d))
	}
	return b
}

// byteSize returns the size in bytes of a tensor of that shape whose elements have elem bytes. A
// negative dimension, and a size larger than any file, are errors.
func byteSize(shape []int, elem int) (int64, error) {
	for _, d := range shape {
		if d < 0 {
			return 0, fmt.Errorf("the shape %v has a negative dimension", shape)
		}
	}
	if slices.Contains(shape, 0) {
		return 0, nil
	}
	n := int64(elem)
	for _, d := range shape {
		if n > (1<<60)/int64(d) {
			return 0, fmt.Errorf("the shape %v of elements of %d bytes is larger than any file", shape, elem)
		}
		n *= int64(d)
	}
	return n, nil
}
