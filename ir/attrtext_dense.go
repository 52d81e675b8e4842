package ir

// This file holds the text of tensor literals, dense<…> : tensor<…>.
//
// In Dense.Data the types of less than a byte (i2, i4) take one byte for each
// element, as in MLIR.

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"
)

// hexAbove is the number of elements beyond which a literal prints as one
// string of hexadecimal bytes; it is MLIR's choice as well.
const hexAbove = 100

// elemKind is the way an element is written.
type elemKind int

const (
	elemBool elemKind = iota
	elemInt
	elemUint
	elemFloat
)

// elemCodec describes how the elements of a dtype lie in Dense.Data. A complex
// number is two floats.
type elemCodec struct {
	kind    elemKind
	bits    int // of a number
	size    int // bytes of a number
	complex bool
	float   floatFormat
}

// codecOf returns the codec of a dtype; ok is false for a token's.
func codecOf(d dtypes.DType) (c elemCodec, ok bool) {
	if f, ok := floatFormats[d]; ok {
		return elemCodec{kind: elemFloat, bits: f.bits, size: (f.bits + 7) / 8, float: f}, true
	}
	if d == dtypes.Complex64 || d == dtypes.Complex128 {
		c, _ = codecOf(map[dtypes.DType]dtypes.DType{dtypes.Complex64: dtypes.Float32, dtypes.Complex128: dtypes.Float64}[d])
		c.complex = true
		return c, true
	}
	text := DTypeText(d)
	digits, unsigned := strings.CutPrefix(text, "u")
	bits, err := strconv.Atoi(strings.TrimPrefix(digits, "i"))
	switch {
	case err != nil:
		return c, false
	case bits == 1:
		return elemCodec{kind: elemBool, bits: 1, size: 1}, true
	case unsigned:
		return elemCodec{kind: elemUint, bits: bits, size: (bits + 7) / 8}, true
	default:
		return elemCodec{kind: elemInt, bits: bits, size: (bits + 7) / 8}, true
	}
}

// elemSize returns the bytes of an element.
func (c elemCodec) elemSize() int {
	if c.complex {
		return 2 * c.size
	}
	return c.size
}

// load returns the bits of the number at the start of data.
func (c elemCodec) load(data []byte) uint64 {
	var bits uint64
	for i := range c.size {
		bits |= uint64(data[i]) << (8 * i)
	}
	return bits
}

// store appends a number.
func (c elemCodec) store(data []byte, bits uint64) []byte {
	for i := range c.size {
		data = append(data, byte(bits>>(8*i)))
	}
	return data
}

// number appends the text of a number.
func (c elemCodec) number(b []byte, data []byte) []byte {
	bits := c.load(data)
	switch c.kind {
	case elemBool:
		return strconv.AppendBool(b, bits != 0)
	case elemInt:
		unused := 64 - c.bits
		return strconv.AppendInt(b, int64(bits<<unused)>>unused, 10)
	case elemUint:
		unused := 64 - c.bits
		return strconv.AppendUint(b, bits<<unused>>unused, 10)
	default:
		return append(b, c.float.text(bits)...)
	}
}

// dense prints a literal with its type. Data of the wrong length, a fault that
// the verifier reports, shows as such.
func (p *printer) dense(d *Dense) {
	c, ok := codecOf(d.Type.DType)
	count := d.Type.Size()
	if d.Splat {
		count = 1
	}
	size := c.elemSize()
	p.put("dense<")
	switch {
	case !ok || len(d.Data) != count*size:
		p.put(quote("invalid: " + strconv.Itoa(len(d.Data)) + " bytes"))
	case count > hexAbove && c.bits >= 8:
		p.put(`"0x`, strings.ToUpper(hex.EncodeToString(d.Data)), `"`)
	case count == 0:
	case d.Splat || len(d.Type.Dims) == 0:
		p.element(c, d.Data)
	default:
		p.nested(c, d.Type.Dims, d.Data)
	}
	p.put("> : ", d.Type.String())
}

// nested prints the elements of a tensor of the given dimensions in brackets.
func (p *printer) nested(c elemCodec, dims []int, data []byte) {
	step := len(data) / dims[0]
	p.put("[")
	p.list(dims[0], func(i int) {
		if part := data[i*step : (i+1)*step]; len(dims) > 1 {
			p.nested(c, dims[1:], part)
		} else {
			p.element(c, part)
		}
	})
	p.put("]")
}

func (p *printer) element(c elemCodec, data []byte) {
	if !c.complex {
		p.buf = c.number(p.buf, data)
		return
	}
	p.put("(")
	p.buf = c.number(p.buf, data)
	p.put(",")
	p.buf = c.number(p.buf, data[c.size:])
	p.put(")")
}
