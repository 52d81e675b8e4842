// Package pjrtapi loads PJRT plugins for go-xla and replaces some of go-xla's calls of them: it
// changes the arguments of new clients, the compilation of programs and the end of copies, and it
// starts executions without waiting for their end.
//
// It knows no programs, no files of executables and no job: what is to differ its callers
// say (packages runtime, pjrtkv).
//
// Order of use: Load a plugin; make a client with its NewClient or NewPreparedClient;
// compile with Compile, whose function gets the Compilation: the program's text and its
// options, and calls Load, or Compile and then Serialize; bring data by PutNow; execute with
// Start.
//
//	file         holds
//	load.go      Load, Plugin and its clients
//	describe.go  what a plugin tells of itself and of its devices
//	preload.go   Preload: what plugins open by names
//	compile.go   Compile, Compilation
//	environment.go  WithEnvironment: variables for a plugin that has no option
//	put.go       PutNow
//	execute.go   Start, Execution
//	wrap.c       the plugin's table with another PJRT_Client_Create, PJRT_Client_Compile,
//	             PJRT_Client_BufferFromHostBuffer and PJRT_LoadedExecutable_Execute
//	pjrt.h       the part of PJRT's interface that is used here, as C declarations
//
// go-xla v0.4.1 binds neither PJRT_Executable_Serialize nor
// PJRT_Executable_DeserializeAndLoad, and keeps the pointer of a loaded executable to
// itself: so an executable that was loaded is handed to it as what the compiler returned.
// It takes the plugin's table from us, with four functions of ours in it. The layout of
// pjrt.h is compared with go-xla's header in a test.
package pjrtapi
