// Package xlaflag writes flags of XLA into the options of one compilation, as CompileOptionsProto
// has them. XLA_FLAGS in the environment would change every compilation of the process, and a flag
// there that a plugin does not know ends the process.
//
// It knows the meaning of no flag other than InOrder.
//
// Order of use: Parse, or a list of Flags; Append. Within compiles programs for GPUs.
//
//	file        holds
//	xlaflag.go  Flag, Parse, Append, AppendMemory
//	within.go   Within, InOrder: programs for GPUs within memory
package xlaflag
