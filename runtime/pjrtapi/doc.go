// Package pjrtapi loads PJRT plugins for go-xla and replaces some functions of the plugins.
//
// The replacements change the arguments of new clients, the compilation of programs and the end of
// copies. They start executions without waiting for their end.
//
// It knows no programs, no files of executables and no jobs: its callers (packages runtime, pjrtkv)
// say what to change.
//
// Order of use: Load a plugin; make a client with its NewClient or NewPreparedClient; compile with
// Compile, which passes a Compilation to a function: it has the program's text and its options, and
// the function calls its Load, or its Compile and then Serialize. Copy data to devices by PutNow.
// Execute with Start.
//
//	file         holds
//	load.go      Load, Plugin and its clients
//	describe.go  the properties of a plugin and of its devices
//	preload.go   Preload: libraries that plugins open by name
//	compile.go   Compile, Compilation
//	environment.go  WithEnvironment: environment variables for a plugin
//	put.go       PutNow
//	move.go      ToHostMemory
//	execute.go   Start, Execution
//	wrap.c       the plugin's table with replacements of PJRT_Client_Create, PJRT_Client_Compile,
//	             PJRT_Client_BufferFromHostBuffer, PJRT_Buffer_CopyToDevice and
//	             PJRT_LoadedExecutable_Execute
//	pjrt.h       the part of PJRT's interface that is used here, as C declarations
//
// go-xla v0.4.1 binds neither PJRT_Executable_Serialize nor PJRT_Executable_DeserializeAndLoad, and
// does not export the pointer of a loaded executable. So we pass a deserialized executable to it as
// the result of the compiler. go-xla gets the plugin's table from us, with some of our functions in
// it. The layout of pjrt.h is compared with go-xla's header in a test.
package pjrtapi
