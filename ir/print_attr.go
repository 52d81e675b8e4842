package ir

// This file prints attributes, in their long form as in {a = 1 : i64} and in
// the short form that pretty ops use, where the kind is understood.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/layout"
)

// dict prints {a = 1 : i64, b}. info is the row of the op that the attributes
// are inherent to, or nil: it states the mnemonics.
func (p *printer) dict(attrs Attrs, info *OpInfo) {
	p.put("{")
	p.list(len(attrs), func(i int) {
		na := attrs[i]
		if isBareID(na.Name) {
			p.put(na.Name)
		} else {
			p.put(quote(na.Name))
		}
		if _, unit := na.Value.(Unit); unit {
			return
		}
		p.put(" = ")
		p.attr(na.Value, mnemonicOf(info, na.Name))
	})
	p.put("}")
}

// spacedDict prints a space and the dictionary, or nothing when it is empty.
func (p *printer) spacedDict(attrs Attrs, info *OpInfo) {
	if len(attrs) > 0 {
		p.put(" ")
		p.dict(attrs, info)
	}
}

// mnemonic is what the long form of an attribute carries beside its content:
// the dialect and the name of an enumeration, or of a kind of axis list.
type mnemonic struct{ dialect, name string }

// intEnums holds the enumerations that MLIR prints as i32, with their cases
// in numeric order.
var intEnums = map[string][]string{
	"propagation_direction": {"NONE", "FORWARD", "BACKWARD", "BOTH"},
}

// mnemonicOf returns the mnemonic that the op table states for an attribute.
func mnemonicOf(info *OpInfo, name string) mnemonic {
	if info == nil {
		return mnemonic{}
	}
	spec := info.Attr(name)
	if spec == nil || spec.Enum == "" {
		return mnemonic{}
	}
	dialect, _, _ := strings.Cut(info.Name, ".")
	return mnemonic{dialect, spec.Enum}
}

// caseText returns the long form of an enumeration's case.
func (m mnemonic) caseText(c string) string {
	if i := slices.Index(intEnums[m.name], c); i >= 0 {
		return strconv.Itoa(i) + " : i32"
	}
	if m.name == "" {
		return quote(c)
	}
	return "#" + m.dialect + "<" + m.name + " " + c + ">"
}

// attr prints the long form of a.
func (p *printer) attr(a Attr, m mnemonic) {
	switch a := a.(type) {
	case Unit:
		p.put("unit")
	case Bool:
		p.put(strconv.FormatBool(bool(a)))
	case Int:
		p.putInt(int(a))
		p.put(" : i64")
	case Int32:
		p.putInt(int(a))
		p.put(" : i32")
	case Float:
		p.put(float32Format.text(uint64(math.Float32bits(float32(a)))), " : f32")
	case String:
		p.put(quote(string(a)))
	case Symbol:
		p.symbol(string(a))
	case Ints:
		p.put("array<i64")
		if len(a) > 0 {
			p.put(": ")
			p.list(len(a), func(i int) { p.putInt(a[i]) })
		}
		p.put(">")
	case Bools:
		p.put("array<i1")
		if len(a) > 0 {
			p.put(": ")
			p.list(len(a), func(i int) { p.put(strconv.FormatBool(a[i])) })
		}
		p.put(">")
	case Enum:
		p.put(m.caseText(string(a)))
	case Array:
		p.put("[")
		p.list(len(a), func(i int) { p.attr(a[i], m) })
		p.put("]")
	case Dict:
		p.dict(Attrs(a), nil)
	case TypeAttr:
		p.put(Type(a).String())
	case Raw:
		p.put(string(a))
	case *Dense:
		p.dense(a)
	case *DotDims, *GatherDims, *ScatterDims:
		p.put(dimsText(a))
	case *ConvDims:
		p.put("#stablehlo.conv<", a.text(), ">")
	case ChannelHandle:
		p.put(fmt.Sprintf("#stablehlo.channel_handle<handle = %d, type = %d>", a.Handle, a.Type))
	case ShardingAttr:
		p.put("#sdy.sharding")
		p.sharding(a.Sharding)
	case ShardingsAttr:
		p.put("#sdy.sharding_per_value<")
		p.short(a)
		p.put(">")
	case AxesAttr:
		name := cmp.Or(m.name, "axis_ref_list")
		p.put("#sdy<", name, "{", layout.AxesText(a), "}>")
	case AxesPerDimAttr:
		p.put("#sdy<list_of_axis_ref_lists")
		p.short(a)
		p.put(">")
	default:
		panic(fmt.Sprintf("BUG: no text for attribute type %T", a))
	}
}

// short prints the form without type and mnemonic that pretty ops use.
func (p *printer) short(a Attr) {
	switch a := a.(type) {
	case Raw:
		p.put(shortRaw(string(a)))
	case Int:
		p.putInt(int(a))
	case Int32:
		p.putInt(int(a))
	case Ints:
		p.put(intsText(a))
	case Bools:
		p.put("[")
		p.list(len(a), func(i int) { p.put(strconv.FormatBool(a[i])) })
		p.put("]")
	case Enum:
		p.put(string(a))
	case Array:
		p.put("[")
		p.list(len(a), func(i int) { p.short(a[i]) })
		p.put("]")
	case *ConvDims:
		p.put(a.text())
	case ShardingAttr:
		p.sharding(a.Sharding)
	case ShardingsAttr:
		p.put("[")
		p.list(len(a), func(i int) { p.sharding(a[i]) })
		p.put("]")
	case AxesAttr:
		p.put("{", layout.AxesText(a), "}")
	case AxesPerDimAttr:
		p.put("[")
		p.list(len(a), func(i int) { p.put("{", layout.AxesText(a[i]), "}") })
		p.put("]")
	default:
		p.attr(a, mnemonic{})
	}
}

// shortRaw strips the dialect and the mnemonic: <…> of #stablehlo.name<…>, and
// […] of #sdy<name[…]>.
func shortRaw(text string) string {
	name, content, ok := strings.Cut(text, "<")
	if !ok || strings.Contains(name, ".") {
		return text[len(name):]
	}
	open := strings.IndexByte(content, '[')
	return strings.TrimSuffix(content[max(open, 0):], ">")
}

// symbol prints @name, in quotes where the name needs them.
func (p *printer) symbol(name string) {
	if isBareID(name) {
		p.put("@", name)
	} else {
		p.put("@", quote(name))
	}
}

// intsText returns [1, 2].
func intsText(a []int) string {
	b := []byte{'['}
	for i, n := range a {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, ']'))
}

// isBareID reports whether MLIR reads s as an identifier without quotes.
func isBareID(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isIDStart(c) && (i == 0 || !isIDRest(c)) {
			return false
		}
	}
	return s != ""
}

func isIDStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isIDRest(c byte) bool {
	return isIDStart(c) || c >= '0' && c <= '9' || c == '.' || c == '$'
}

// quote returns s as an MLIR string: bytes that are not printable ASCII as
// two hexadecimal digits after a backslash.
func quote(s string) string {
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c < 0x20 || c > 0x7e:
			b = append(b, '\\', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		case c == '\\':
			b = append(b, `\\`...)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

// shows reports whether the short form of a, as an attribute of this spec,
// can be read back.
func (s *AttrSpec) shows(a Attr) bool {
	if list, ok := a.(Array); ok && s.Enum != "" {
		return !slices.ContainsFunc(list, func(e Attr) bool { _, ok := e.(Enum); return !ok })
	}
	return attrKinds[s.Kind].is(a)
}
