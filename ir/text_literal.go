package ir

// This file prints and parses tensor literals: dense<…> : tensor<…>, in all spellings.
//
// In Dense.Data an element of less than a byte (i2, i4) takes one byte, as in MLIR.

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"
)

// hexAbove is the largest number of elements that is printed one by one. Larger literals are
// printed as one string of hexadecimal bytes, as MLIR does, unless their elements have fewer than 8
// bits.
const hexAbove = 100

// elemKind is the kind of an element: how it is written.
type elemKind int

const (
	elemBool elemKind = iota
	elemInt
	elemUint
	elemFloat
)

// elemCodec describes how Dense.Data holds the elements of a dtype. A complex number is two floats.
type elemCodec struct {
	kind    elemKind
	bits    int // bits of one number; a complex element has two numbers
	size    int // bytes of a number
	complex bool
	float   floatFormat
}

// codecOf returns the codec of a dtype; ok is false for that of a token, and for one that ir does
// not know.
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

// elemSize returns the number of bytes of an element.
func (c elemCodec) elemSize() int {
	if c.complex {
		return 2 * c.size
	}
	return c.size
}

// load returns the bits of the number at the start of data, which are little endian.
func (c elemCodec) load(data []byte) uint64 {
	var bits uint64
	for i := range c.size {
		bits |= uint64(data[i]) << (8 * i)
	}
	return bits
}

// store returns data with the bytes of a number, whose bits are given, appended.
func (c elemCodec) store(data []byte, bits uint64) []byte {
	for i := range c.size {
		data = append(data, byte(bits>>(8*i)))
	}
	return data
}

// number returns b with the text of the number at the start of data appended.
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

// dense prints a literal with its type. If the data has the wrong length, which the verifier
// reports, the text says so.
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
		p.put(`"0x`)
		p.hex(d.Data)
		p.put(`"`)
	case count == 0:
	case d.Splat || len(d.Type.Dims) == 0:
		p.element(c, d.Data)
	default:
		p.printNested(c, d.Type.Dims, d.Data)
	}
	p.put("> : ", d.Type.String())
}

// hex prints each byte as two hexadecimal digits.
func (p *printer) hex(data []byte) {
	const digits = "0123456789ABCDEF"
	p.buf = slices.Grow(p.buf, 2*len(data))
	for _, b := range data {
		p.buf = append(p.buf, digits[b>>4], digits[b&15])
	}
}

// printNested prints data, the elements of a tensor of the given dimensions in row-major order, in
// nested brackets. There must be at least one dimension and one element.
func (p *printer) printNested(c elemCodec, dims []int, data []byte) {
	step := len(data) / dims[0]
	p.put("[")
	p.list(dims[0], func(i int) {
		if part := data[i*step : (i+1)*step]; len(dims) > 1 {
			p.printNested(c, dims[1:], part)
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

// denseAttr reads dense<…> : type. If the type is a tensor of index, such as tensor<2xindex>, which
// ir does not have, it keeps the literal as text.
func (p *parser) denseAttr() Attr {
	start := p.tok.start
	p.next()
	if !p.isAt("<") {
		p.failUnexpected("`<`")
	}
	content := p.tok.end
	end := p.rawEnd(content, ">")
	p.seek(end + 1)
	p.expect(":")
	if !p.isAt("tensor") && p.tok.kind != tokBang {
		p.failUnexpected("tensor<…>")
	}
	if n := strings.IndexByte(p.src[p.tok.end:], '>'); n >= 0 && strings.HasSuffix(p.src[p.tok.end:p.tok.end+n], "index") {
		p.seek(p.tok.end + n + 1)
		return Raw(p.src[start:p.tok.start][:len(strings.TrimRight(p.src[start:p.tok.start], " \t\n"))])
	}
	t := p.typ()
	after := p.tok
	codec, ok := codecOf(t.DType)
	if !ok {
		p.failf(start, "got a literal of type %s, want a tensor", t)
	}
	r := &literalReader{p: p, codec: codec, typ: t, pos: content, end: end}
	d := r.read()
	p.tok = after
	return d
}

// literalReader reads the text between < and > of a literal.
type literalReader struct {
	p        *parser
	codec    elemCodec
	typ      Type
	pos, end int
	data     []byte
}

// skip skips white space and returns the next character, which it does not skip, or 0 at the end of
// the literal.
func (r *literalReader) skip() byte {
	for r.pos < r.end {
		switch c := r.p.src[r.pos]; c {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return c
		}
	}
	return 0
}

func (r *literalReader) accept(c byte) bool {
	if r.skip() != c {
		return false
	}
	r.pos++
	return true
}

func (r *literalReader) failUnexpected(want string) {
	got := "the end of the literal"
	if c := r.skip(); c != 0 {
		got = "`" + string(rune(c)) + "`"
	}
	r.p.failf(r.pos, "got %s in a literal of %s, want %s", got, r.typ, want)
}

func (r *literalReader) read() *Dense {
	switch r.skip() {
	case 0:
		if r.typ.Size() != 0 {
			r.failUnexpected("elements")
		}
		return &Dense{Type: r.typ}
	case '"':
		return r.hexBytes()
	case '[':
		r.readNested(0)
	default:
		r.element()
		if r.skip() != 0 {
			r.failUnexpected("`>`")
		}
		return &Dense{Type: r.typ, Splat: true, Data: r.data}
	}
	if r.skip() != 0 {
		r.failUnexpected("`>`")
	}
	return &Dense{Type: r.typ, Data: r.data}
}

// readNested reads the brackets of dimension dim, and those inside, with the elements. Another
// number of elements than the type has is a syntax error.
func (r *literalReader) readNested(dim int) {
	if dim == len(r.typ.Dims) {
		r.element() // reports what is wrong
	}
	if !r.accept('[') {
		r.failUnexpected("`[`")
	}
	n := 0
	for !r.accept(']') {
		if n > 0 && !r.accept(',') {
			r.failUnexpected("`,` or `]`")
		}
		if dim+1 < len(r.typ.Dims) {
			r.readNested(dim + 1)
		} else {
			r.element()
		}
		n++
	}
	if n != r.typ.Dims[dim] {
		r.p.failf(r.pos, "got a list of %d elements in dimension %d of a literal of %s, want %d", n, dim, r.typ, r.typ.Dims[dim])
	}
}

func (r *literalReader) element() {
	if r.skip() == '[' {
		r.failUnexpected("a number: there are more brackets than dimensions")
	}
	if !r.codec.complex {
		r.number()
		return
	}
	if !r.accept('(') {
		r.failUnexpected("a complex number (re, im)")
	}
	r.number()
	if !r.accept(',') {
		r.failUnexpected("`,`")
	}
	r.number()
	if !r.accept(')') {
		r.failUnexpected("`)`")
	}
}

// number reads one number or boolean and appends its bits. One that the element type does not have
// is an error.
func (r *literalReader) number() {
	r.skip()
	at := r.pos
	negative := r.accept('-')
	r.skip()
	start := r.pos
	kind, end := tokID, scanID(r.p.src, start)
	if start < r.end && isDigit(r.p.src[start]) {
		kind, end = scanNumber(r.p.src, start)
	}
	end = min(end, r.end)
	text := r.p.src[start:end]
	r.pos = end
	var bits uint64
	var ok bool
	switch {
	case text == "":
		r.failUnexpected("a number or `true` or `false`")
	case r.codec.kind == elemBool:
		bits, ok = boolBits(text)
		ok = ok && !negative
	case r.codec.kind == elemFloat:
		bits, ok = r.codec.float.parse(text, negative)
	case kind == tokInt:
		bits, ok = r.codec.intBits(text, negative)
	}
	if !ok {
		r.p.failf(at, "got %s in a literal of %s, want %s", r.p.src[at:end], r.typ, r.codec.describe())
	}
	r.data = r.codec.store(r.data, bits)
}

func boolBits(text string) (bits uint64, ok bool) {
	switch text {
	case "true", "1":
		return 1, true
	case "false", "0":
		return 0, true
	}
	return 0, false
}

// intBits returns the bits of the integer with this text, which is negated if negative is true; ok
// is false if it is out of range. Hexadecimal digits may also be the bits of a negative number.
func (c elemCodec) intBits(text string, negative bool) (bits uint64, ok bool) {
	n, err := parseUint(text)
	if err != nil {
		return 0, false
	}
	most := uint64(1)<<(c.bits-1)<<1 - 1 // all ones
	if c.kind == elemInt {
		limit := uint64(1) << (c.bits - 1)
		// Hexadecimal digits may be the bits of a negative number.
		if n > limit || n == limit && !negative {
			return n, strings.HasPrefix(text, "0x") && !negative && n <= most
		}
	}
	if negative {
		return -n & most, c.kind == elemInt || n == 0
	}
	return n, n <= most
}

// parse returns the bits of the number in text: decimal digits, or the bits themselves in
// hexadecimal. Too large a number has the bits of overflow. ok is false if text is no number (inf
// and nan are none), or has more bits than the format, or if bits in hexadecimal are negative.
func (f floatFormat) parse(text string, negative bool) (bits uint64, ok bool) {
	if digits, isHex := strings.CutPrefix(text, "0x"); isHex {
		bits, err := strconv.ParseUint(digits, 16, 64)
		return bits, err == nil && !negative && bits>>(f.bits-1)>>1 == 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if !isDigit(text[0]) || err != nil && !math.IsInf(v, 0) { // too large a number is an infinity
		return 0, false
	}
	if negative {
		v = -v
	}
	return f.encode(v), true
}

// float32 returns the number that the text of an attribute stands for, negated if negative is true.
// at is the offset for errors.
func (p *parser) float32(at int, text string, negative bool) float32 {
	bits, ok := float32Format.parse(text, negative)
	if !ok {
		p.failf(at, "got %s, want a number of type f32", text)
	}
	return math.Float32frombits(uint32(bits))
}

// describe says, for a message, what an element must look like.
func (c elemCodec) describe() string {
	switch c.kind {
	case elemBool:
		return "true or false"
	case elemInt:
		return "an integer of " + strconv.Itoa(c.bits) + " bits"
	case elemUint:
		return "an unsigned integer of " + strconv.Itoa(c.bits) + " bits"
	default:
		return "a number, or " + strconv.Itoa(c.bits/4) + " hexadecimal digits after 0x"
	}
}

// hexBytes reads "0x…": the bytes of all elements, or of one element for a splat, in memory order.
// An element of i1 takes a byte or, as older printers wrote it, a bit. Another number of bytes is a
// syntax error.
func (r *literalReader) hexBytes() *Dense {
	at := r.pos
	quoted := r.p.src[r.pos:r.p.scanString(r.pos)]
	r.pos += len(quoted)
	digits, ok := strings.CutPrefix(quoted[1:len(quoted)-1], "0x")
	data, err := hex.DecodeString(digits)
	if !ok || err != nil || r.skip() != 0 {
		r.p.failf(at, "got a string in a literal that is not hexadecimal, want \"0x…\" with two digits for each byte")
	}
	count, size := r.typ.Size(), r.codec.elemSize()
	d := &Dense{Type: r.typ, Data: data}
	switch {
	case len(data) == count*size:
	case len(data) == size:
		d.Splat = true
	case r.codec.kind == elemBool && len(data) == (count+7)/8:
		d.Data = make([]byte, count)
		for i := range d.Data {
			d.Data[i] = data[i/8] >> (i % 8)
		}
	default:
		r.p.failf(at, "got %d bytes in a literal of %s, want %d, or %d for all elements alike", len(data), r.typ, count*size, size)
	}
	switch {
	case r.codec.kind == elemBool:
		for i, b := range d.Data {
			d.Data[i] = b & 1
		}
	case r.codec.bits < 8: // clears the bits above the type's, as number does
		for i, b := range d.Data {
			d.Data[i] = b & (1<<r.codec.bits - 1)
		}
	}
	return d
}

// denseInts returns the elements of d if it is a vector of i64, and otherwise nil. For a splat of
// more than maxDepth elements it returns nil, too.
func denseInts(d *Dense) Ints {
	if DTypeText(d.Type.DType) != "i64" || len(d.Type.Dims) != 1 || d.Splat && d.Type.Dims[0] > maxDepth {
		return nil
	}
	list := make(Ints, d.Type.Dims[0])
	for i := range list {
		data := d.Data
		if !d.Splat {
			data = d.Data[8*i:]
		}
		list[i] = int(binary.LittleEndian.Uint64(data))
	}
	return list
}

// denseBools returns the elements of d if it is a vector of i1, and otherwise nil. For a splat of
// more than maxDepth elements it returns nil, too.
func denseBools(d *Dense) Bools {
	if DTypeText(d.Type.DType) != "i1" || len(d.Type.Dims) != 1 || d.Splat && d.Type.Dims[0] > maxDepth {
		return nil
	}
	list := make(Bools, d.Type.Dims[0])
	for i := range list {
		data := d.Data
		if !d.Splat {
			data = d.Data[i:]
		}
		list[i] = data[0] != 0
	}
	return list
}
