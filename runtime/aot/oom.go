package aot

// This file turns a compiler's words on a program that is too large into an error.

import "github.com/gospmd/gospmd/hardware"

// Tensor is a buffer that an OutOfMemoryError names.
type Tensor struct {
	Bytes int
	Shape string // with its element type: "f32[8192,8192]"
	Layer string // the layer and operation that it comes from; may be empty
}

// OutOfMemoryError says that a program does not fit a device of its target.
type OutOfMemoryError struct {
	Target          hardware.Target
	Limit, Required int // bytes per device
	Largest         []Tensor
}

func (e *OutOfMemoryError) Error() string { return "the program does not fit" }

func outOfMemory(a answer, t hardware.Target) error { return a.Failed }
