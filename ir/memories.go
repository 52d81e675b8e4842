package ir

// This file says in which memory of its device an argument, a result or a value is.

// MemoryKind is a memory that a device can read, with JAX's name for it (jax.memory.Space, and the
// memory_kind of jax.sharding.Sharding).
type MemoryKind string

// The memories.
const (
	// DeviceMemory is a device's own memory. JAX's name is "device"; in attributes both mean the same.
	DeviceMemory MemoryKind = ""
	// PinnedHost is memory of the host that the system does not move, so that devices copy from it
	// and to it while they compute.
	PinnedHost MemoryKind = "pinned_host"
	// UnpinnedHost is any other memory of the host.
	UnpinnedHost MemoryKind = "unpinned_host"
)

// memoryKinds are the memories by the text of an attribute.
var memoryKinds = map[String]MemoryKind{"device": DeviceMemory, String(PinnedHost): PinnedHost, String(UnpinnedHost): UnpinnedHost}

// OnHost reports whether the memory is the host's.
func (k MemoryKind) OnHost() bool { return k == PinnedHost || k == UnpinnedHost }

// String returns JAX's name.
func (k MemoryKind) String() string {
	if k == DeviceMemory {
		return "device"
	}
	return string(k)
}

// MemoryKindAttr is the attribute, a String, of an argument or a result of the entry function that
// states its memory. XLA reads it.
const MemoryKindAttr = "mhlo.memory_kind"

// placementCall is the target of the custom call that moves a value into another memory, and
// placementAttr the frontend attribute, a String, that names that memory. XLA reads both.
const (
	placementCall      = "annotate_device_placement"
	placementAttr      = "_xla_buffer_placement"
	frontendAttributes = "mhlo.frontend_attributes"
)

// MemoryKindIn returns the memory that the attributes of an argument or a result state:
// DeviceMemory if they state none. ok is false if they state one that is not known.
func MemoryKindIn(attrs Attrs) (kind MemoryKind, ok bool) {
	a := attrs.Get(MemoryKindAttr)
	if a == nil {
		return DeviceMemory, true
	}
	text, _ := a.(String)
	kind, ok = memoryKinds[text]
	return kind, ok
}

// ParamMemory returns the memory of parameter i of f: DeviceMemory if its attributes state none, or
// one that is not known.
func (f *Func) ParamMemory(i int) MemoryKind {
	if i >= len(f.ArgAttrs) {
		return DeviceMemory
	}
	kind, _ := MemoryKindIn(f.ArgAttrs[i])
	return kind
}

// Placement returns the memory that op moves its operand into. ok is false if op is no such custom
// call, or the memory that it names is not known.
func (op *Op) Placement() (kind MemoryKind, ok bool) {
	if op.Kind != OpCustomCall || op.CustomCall().CallTargetName() != placementCall {
		return DeviceMemory, false
	}
	frontend, _ := op.Attrs.Get(frontendAttributes).(Dict)
	text, _ := Attrs(frontend).Get(placementAttr).(String)
	kind, ok = memoryKinds[text]
	return kind, ok
}

// Place inserts the custom call that moves v into the memory kind, and returns its result. The call
// has a side effect, so that it stays even without uses.
func (b *Builder) Place(v *Value, kind MemoryKind) *Value {
	op := b.CustomCall([]*Value{v}, placementCall, []Type{v.Type})
	op.Attrs = op.Attrs.With("has_side_effect", Bool(true)).With(frontendAttributes, Dict{{placementAttr, String(kind.String())}})
	return op.Result()
}
