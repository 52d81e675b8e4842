package mesh

// This file defines DeviceMesh: its construction and its text, the coordinates of devices, and
// replica groups. The devices of a replica group differ only in their coordinates along some axes.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Axis is one named dimension of a DeviceMesh.
type Axis struct {
	Name string
	Size int
}

// DeviceMesh is an immutable, named, n-dimensional grid of devices.
//
// It holds device ids only, never runtime handles, so a mesh also describes a program that runs on
// another machine. A mesh may have no axes: it then holds one device. Maximal makes such a mesh for
// a certain device. The methods also work on a nil mesh: it has no axes, and its device is 0.
//
// See keras.distribution.DeviceMesh and jax.sharding.Mesh.
type DeviceMesh struct {
	axes    []Axis
	devices []int // row major over axes: the last axis varies fastest
	maximal bool
}

// maxDevices is the largest number of devices in a mesh. It is far above any machine, and keeps a
// mistyped size from filling the memory.
const maxDevices = 1 << 20

// isReserved reports whether r has a meaning in a text that holds axis names: that of Parse, of
// TensorLayout or of Shardy.
func isReserved(r rune) bool { return strings.ContainsRune("\",=:+{}", r) || unicode.IsSpace(r) }

// New returns a mesh of the given shape. devices lists the device id at each coordinate in
// row-major order; nil means 0, 1, … in order.
//
// The error reports all that is wrong with the axes: shape and axisNames of different length, or
// sizes below one or with a product above maxDevices, and names that are empty, repeated or hold a
// reserved character. If the axes are right, it reports all that is wrong with devices: another
// number than the product of shape, or negative or repeated ids.
func New(shape []int, axisNames []string, devices []int) (*DeviceMesh, error) {
	if len(shape) != len(axisNames) {
		return nil, fmt.Errorf("mesh: shape %v has %d dimensions but axis_names %q has %d names: give one name for each dimension",
			shape, len(shape), axisNames, len(axisNames))
	}
	var errs []error
	m := &DeviceMesh{axes: make([]Axis, len(shape))}
	n := 1
	for i, size := range shape {
		name := axisNames[i]
		if size < 1 {
			errs = append(errs, fmt.Errorf("mesh: axis %q has size %d: a size must be at least 1", name, size))
		}
		if name == "" {
			errs = append(errs, fmt.Errorf("mesh: axis %d has no name: every axis needs one, such as \"data\" or \"model\"", i))
		}
		if c := strings.IndexFunc(name, isReserved); c >= 0 {
			errs = append(errs, fmt.Errorf("mesh: axis name %q holds %q: use letters, digits and underscores", name, []rune(name[c:])[0]))
		}
		if slices.Contains(axisNames[:i], name) {
			errs = append(errs, fmt.Errorf("mesh: axis name %q is used twice in %q: names must be unique", name, axisNames))
		}
		m.axes[i] = Axis{Name: name, Size: size}
		if size > 0 && n <= maxDevices {
			n *= min(size, maxDevices+1)
		}
	}
	if n > maxDevices {
		errs = append(errs, fmt.Errorf("mesh: shape %v has more than %d devices: make it smaller", shape, maxDevices))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if devices == nil {
		m.devices = sequentialIDs(n)
		return m, nil
	}
	if len(devices) != n {
		return nil, fmt.Errorf("mesh: shape %v needs %d devices (the product of its sizes), got %d: change the shape or the device list",
			shape, n, len(devices))
	}
	seen := make(map[int]bool, n)
	for i, id := range devices {
		if id < 0 {
			errs = append(errs, fmt.Errorf("mesh: device id %d at position %d is negative", id, i))
		} else if seen[id] {
			errs = append(errs, fmt.Errorf("mesh: device id %d is listed twice: every device may appear once", id))
		}
		seen[id] = true
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	m.devices = slices.Clone(devices)
	m.maximal = len(shape) == 0
	return m, nil
}

// Maximal returns a mesh without axes that stands for one certain device. Shardy writes it as <[],
// device_ids=[3]>. A value with a sharding on this mesh is only on that device. The other mesh
// without axes, <[]>, only says that nothing is sharded. New also returns a maximal mesh if it gets
// no axes and a list of one device. A negative device is an error.
func Maximal(device int) (*DeviceMesh, error) { return New(nil, nil, []int{device}) }

// IsMaximal reports whether m is a maximal mesh, as Maximal returns it.
func (m *DeviceMesh) IsMaximal() bool { return m != nil && m.maximal }

// ordered holds 0, 1, …. All meshes with their devices in order share it, because a module may name
// many large meshes in a few bytes. It must not be changed.
var ordered struct {
	sync.Mutex
	ids []int
}

// sequentialIDs returns the ids from 0 to n-1. The slice is shared, and must not be changed.
func sequentialIDs(n int) []int {
	ordered.Lock()
	defer ordered.Unlock()
	if len(ordered.ids) < n {
		ids := make([]int, max(n, 2*len(ordered.ids)))
		for i := range ids {
			ids[i] = i
		}
		ordered.ids = ids
	}
	return ordered.ids[:n:n]
}

// Parse reads a mesh such as "data=2,model=4" with devices 0, 1, … in order. A text of another
// form, and axes that New refuses, are errors.
func Parse(s string) (*DeviceMesh, error) {
	var shape []int
	var names []string
	for part := range strings.SplitSeq(s, ",") {
		name, size, ok := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(strings.TrimSpace(size))
		if !ok || err != nil {
			return nil, fmt.Errorf("mesh: cannot read %q in %q: want axes as name=size, such as \"data=2,model=4\"", part, s)
		}
		shape, names = append(shape, n), append(names, strings.TrimSpace(name))
	}
	return New(shape, names, nil)
}

// ParseShape reads the sizes of the given number of axes, joined by x, such as 2x4. Each size must
// be positive and written without a sign or leading zeros. Anything else is an error.
func ParseShape(text string, axes int) ([]int, error) {
	var shape []int
	for size := range strings.SplitSeq(text, "x") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 || strconv.Itoa(n) != size {
			return nil, fmt.Errorf("mesh: shape %q: got the size %q, want a positive number for each axis, such as 2x4", text, size)
		}
		shape = append(shape, n)
	}
	if len(shape) != axes {
		return nil, fmt.Errorf("mesh: shape %q: got %d sizes, want %d, one for each axis", text, len(shape), axes)
	}
	return shape, nil
}

// MustParse is Parse for meshes in source code: it panics where Parse returns an error.
func MustParse(s string) *DeviceMesh {
	m, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return m
}

// Axes returns the axes, major first; nil for a nil mesh. The caller must not change the slice.
func (m *DeviceMesh) Axes() []Axis {
	if m == nil {
		return nil
	}
	return m.axes
}

// Shape returns the axis sizes, major first, as a new slice; an empty one without axes.
func (m *DeviceMesh) Shape() []int {
	out := make([]int, len(m.Axes()))
	for i, a := range m.Axes() {
		out[i] = a.Size
	}
	return out
}

// AxisNames returns the axis names, major first.
func (m *DeviceMesh) AxisNames() []string {
	out := make([]string, len(m.Axes()))
	for i, a := range m.Axes() {
		out[i] = a.Name
	}
	return out
}

// Devices returns the device ids in row-major order; 0 alone for a nil mesh. The caller must not
// change the slice.
func (m *DeviceMesh) Devices() []int {
	if m == nil {
		return []int{0}
	}
	return m.devices
}

// Size returns the number of devices.
func (m *DeviceMesh) Size() int { return len(m.Devices()) }

// AxisIndex returns the position of the named axis, or -1.
func (m *DeviceMesh) AxisIndex(name string) int {
	return slices.IndexFunc(m.Axes(), func(a Axis) bool { return a.Name == name })
}

// AxisSize returns the size of the named axis, or 0 if there is none with this name.
func (m *DeviceMesh) AxisSize(name string) int {
	if i := m.AxisIndex(name); i >= 0 {
		return m.axes[i].Size
	}
	return 0
}

// Equal reports whether both meshes have the same axes and the same device ids in the same order.
// The maximal mesh of device 0 is not equal to the other mesh without axes. nil is equal to nil
// only.
func (m *DeviceMesh) Equal(o *DeviceMesh) bool {
	if m == o {
		return true
	}
	return m != nil && o != nil && m.maximal == o.maximal && slices.Equal(m.axes, o.axes) && slices.Equal(m.devices, o.devices)
}

// String returns the axes in the form that Parse reads, followed by the device order unless it is
// 0, 1, …. A mesh without axes is "one device", or "device 3" if it is the maximal mesh of device
// 3.
func (m *DeviceMesh) String() string {
	var b strings.Builder
	if m.IsMaximal() {
		return fmt.Sprintf("device %d", m.devices[0])
	}
	if len(m.Axes()) == 0 {
		b.WriteString("one device")
	}
	for i, a := range m.Axes() {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s=%d", a.Name, a.Size)
	}
	if !m.isInOrder() {
		fmt.Fprintf(&b, " devices=%v", m.devices)
	}
	return b.String()
}

func (m *DeviceMesh) isInOrder() bool {
	for i, d := range m.Devices() {
		if i != d {
			return false
		}
	}
	return true
}

// RefSize returns the size of axis a: the number of shards that it makes of a dimension. For a full
// axis that the mesh does not have, it is 0. A sub-axis is not checked: its own size is returned.
func (m *DeviceMesh) RefSize(a AxisRef) int {
	if a.Sub {
		return a.Size
	}
	return m.AxisSize(a.Name)
}

// RefsSize returns the product of the sizes of the axes, as RefSize gives them; 1 if there are
// none.
func (m *DeviceMesh) RefsSize(axes []AxisRef) int {
	n := 1
	for _, a := range axes {
		n *= m.RefSize(a)
	}
	return n
}

// RefStride returns the distance between the positions of two neighbours along a. The mesh must
// have the axis.
func (m *DeviceMesh) RefStride(a AxisRef) int { return m.stride(m.SubAxis(a)) }

// stride returns the distance between the positions of two neighbours along a, an axis by number,
// as RefStride does for one by name.
func (m *DeviceMesh) stride(a SubAxis) int {
	stride := m.axes[a.Axis].Size / a.End()
	for _, minor := range m.axes[a.Axis+1:] {
		stride *= minor.Size
	}
	return stride
}

// Coordinates returns the coordinates of the device at position pos, one for
// each axis.
func (m *DeviceMesh) Coordinates(pos int) []int {
	out := make([]int, len(m.Axes()))
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = pos % m.axes[i].Size
		pos /= m.axes[i].Size
	}
	return out
}

// Coordinate returns the coordinate along axis a of the device at position pos.
func (m *DeviceMesh) Coordinate(pos int, a SubAxis) int { return pos / m.stride(a) % a.Size }

// RefCoordinate returns the coordinate, along axis a, of the device at position pos. It is
// Coordinate for an axis that is given by name.
func (m *DeviceMesh) RefCoordinate(pos int, a AxisRef) int { return m.Coordinate(pos, m.SubAxis(a)) }

// RefsCoordinate returns the coordinate of position pos along the axes, taken together as one axis.
// The first one is the major one.
func (m *DeviceMesh) RefsCoordinate(pos int, axes []AxisRef) int {
	c := 0
	for _, a := range axes {
		c = c*m.RefSize(a) + m.RefCoordinate(pos, a)
	}
	return c
}

// ReplicaGroups partitions the positions of m (not the device ids) into groups. The members of a
// group differ only in their coordinates along the axes. They are in the order of their linear
// coordinate along the axes, and the groups are in the order of their first members. The axes must
// not overlap.
func (m *DeviceMesh) ReplicaGroups(axes []AxisRef) [][]int {
	// offsets[c] is the position of the member with linear coordinate c, relative to the first
	// member.
	offsets := []int{0}
	for _, a := range axes {
		stride, size := m.RefStride(a), m.RefSize(a)
		next := make([]int, 0, len(offsets)*size)
		for _, o := range offsets {
			for c := range size {
				next = append(next, o+c*stride)
			}
		}
		offsets = next
	}
	members := make([]int, 0, m.Size())
	groups := make([][]int, 0, m.Size()/len(offsets))
	for pos := range m.Size() {
		if m.RefsCoordinate(pos, axes) != 0 {
			continue
		}
		start := len(members)
		for _, o := range offsets {
			members = append(members, pos+o)
		}
		groups = append(groups, members[start:len(members):len(members)])
	}
	return groups
}
