// Package xlaflag writes flags of XLA into the options of one compilation, as CompileOptionsProto
// has them. XLA_FLAGS in the environment would change every compilation of the process, and a flag
// there that a plugin does not know ends the process.
//
// It does not know the meaning of flags.
//
// Order of use: Parse, or a list of Flags; Append.
//
//	file        holds
//	xlaflag.go  Flag, Parse, Append, AppendMemory
package xlaflag
