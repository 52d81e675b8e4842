//go:build cgo

package pjrtapi

// This file replaces go-xla's compilation of a program: by a compilation with other options, or by
// loading an executable that was compiled before.

/*
#include <stdlib.h>
#include "pjrt.h"
*/
import "C"

import (
	"bytes"
	"errors"
	"runtime"
	"runtime/cgo"
	"unsafe"

	"github.com/gomlx/go-xla/pjrt"
)

// Compilation is one call of PJRT_Client_Compile by go-xla, on which it waits.
type Compilation struct {
	api      *C.Api
	args     *C.CompileArgs
	options  []byte
	compiled bool
	failure  *C.Error // the error of the plugin's compiler
}

// Compile makes the program of config. It calls how, which should call Compile or Load of its
// argument. If how calls neither, or Load fails, the plugin compiles the program. If the plugin
// cannot compile it, the error has the plugin's message.
func Compile(config *pjrt.CompileConfig, how func(*Compilation)) (*pjrt.LoadedExecutable, error) {
	handle := cgo.NewHandle(how)
	defer handle.Delete()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.setCompiler(C.uintptr_t(handle))
	defer C.setCompiler(0)
	return config.Done()
}

// gospmdCompile replaces PJRT_Client_Compile in the plugin's table. It passes a Compilation to the
// function behind handle. If that function neither compiles nor loads the program, gospmdCompile
// compiles it. It returns PJRT's error, or nil.
//
//export gospmdCompile
func gospmdCompile(handle C.uintptr_t, api *C.Api, args *C.CompileArgs) *C.Error {
	c := &Compilation{api: api, args: args}
	c.options = bytesOf(args.compile_options, args.compile_options_size)
	cgo.Handle(handle).Value().(func(*Compilation))(c)
	if !c.compiled && args.executable == nil {
		c.Compile()
	}
	return c.failure
}

// Program returns the module's text. go-xla owns it: it is valid until the end of the compilation.
func (c *Compilation) Program() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(c.args.program.code)), int(c.args.program.code_size))
}

// Options returns the options of the compilation, an encoded CompileOptionsProto.
func (c *Compilation) Options() []byte { return c.options }

// SetOptions replaces the options of the compilation, an encoded CompileOptionsProto.
func (c *Compilation) SetOptions(options []byte) { c.options = options }

// Compile compiles the program, and reports whether the plugin could. A second call, or one after
// Load, panics.
func (c *Compilation) Compile() bool {
	if c.compiled || c.args.executable != nil {
		panic("BUG: pjrtapi: a program is compiled twice")
	}
	c.compiled = true
	options := C.CBytes(c.options)
	defer C.free(options)
	args := *c.args
	args.compile_options, args.compile_options_size = (*C.char)(options), C.size_t(len(c.options))
	c.failure = C.compileWith(c.api, &args)
	c.args.executable = args.executable
	return c.failure == nil
}

// Load loads the program from bytes that Serialize has returned for it, in this process or in
// another one. If the plugin refuses them, the error has its message, and Compile may still be
// called. It panics if the program is compiled or loaded already.
func (c *Compilation) Load(serialized []byte) error {
	if c.compiled || c.args.executable != nil {
		panic("BUG: pjrtapi: a program is loaded that is compiled already")
	}
	data := C.CBytes(serialized)
	defer C.free(data)
	return takeMessage(C.deserialize(c.api, c.args.client, (*C.char)(data), C.size_t(len(serialized)), &c.args.executable))
}

// Serialize returns the program that Compile has compiled, as bytes, for a client of the same
// plugin with the same devices. It panics if Compile has not compiled it.
func (c *Compilation) Serialize() ([]byte, error) {
	if !c.compiled || c.failure != nil {
		panic("BUG: pjrtapi: a program is serialized that was not compiled")
	}
	var out C.SerializeArgs
	if err := takeMessage(C.serialize(c.api, c.args.executable, &out)); err != nil {
		return nil, err
	}
	defer C.freeSerialized(&out)
	return bytesOf(out.bytes, out.size), nil
}

// bytesOf returns a copy of size bytes in C's memory, which begin at data.
func bytesOf(data *C.char, size C.size_t) []byte {
	return bytes.Clone(unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size)))
}

// takeMessage converts a message from C to an error, and frees it.
func takeMessage(message *C.char) error {
	if message == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(message))
	return errors.New(C.GoString(message))
}
