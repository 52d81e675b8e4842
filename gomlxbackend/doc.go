// Package gomlxbackend runs GoMLX programs on a mesh of devices. It registers the backend "gospmd".
// So a GoMLX program needs two changes only, an import and an environment variable:
//
//	import _ "github.com/gospmd/gospmd/gomlxbackend"
//
//	GOMLX_BACKEND="gospmd:mesh=2x4,layouts=layouts.txt" go run .
//
// GoMLX sees one device. Each of its graphs becomes one program on the whole mesh. The variables of
// a model are sharded by rules on their paths, the inputs of a graph along their first dimension.
// The results of a graph stay on the devices, sharded, until the program asks for their elements. A
// variable that one step returns and the next one takes is not moved.
//
// With devices=8 instead of a mesh GoMLX sees each device, and distributes graphs itself: by
// Exec.SPMD, Exec.AutoSharding, distributed tensors and datasets (README.md lists the limits of its
// interface). Dynamic shapes are refused: a graph has one program for each shape.
//
// Order of use: the import, and compute.New or compute.NewWithConfig; OnCompile, to see the
// programs.
//
//	file           what it holds
//	config.go      the configuration in GOMLX_BACKEND
//	layouts.go     the shardings of variables and inputs
//	backend.go     Backend: the devices, and putting buffers on them
//	builder.go     Builder: a graph that is recorded and compiled
//	executable.go  Executable: one program for each set of donated inputs
//	distributed.go graphs that GoMLX distributes itself: their inputs and results, device by device
//	donate.go      which result reuses the memory of a donated input
//	buffer.go      Buffer: a tensor on the host or on the devices
//	move.go        moves arrays from one sharding to another, on the devices
//	watch.go       OnCompile, and the files of $GOSPMD_PROGRAMS
//
// # Several processes
//
// Under gospmd launch the mesh spans all processes, with equally many devices in each. Each process
// must run the same program with the same numbers: set model.ParamInitialSeed and the seeds of
// datasets. Each process needs its own directory for checkpoints. All processes must call
// ToFlatData: a program hangs if only one process reads a result.
//
// # Configuration
//
// Keys and values are separated by commas or semicolons:
//
//	mesh=2x4           the sizes of the mesh's axes; single, the default: one device
//	devices=8          no mesh: GoMLX sees so many devices and distributes graphs itself
//	axes=data,model    their names; data, or data and model, if there are one or two
//	layouts=FILE       rules, a line each: .*/dense/weights=-,model
//	layouts=auto       no rules: the compiler chooses the layouts of variables
//	batch=data         the axes along which the first dimension of inputs is sharded; none
//	platform=cpu       or cuda, tpu
//	engine=pjrt        or go
//	partitioner=spmd   or xla
//
// A rule has the syntax of layout.ParseRule: a regular expression for the path of a variable, which
// consists of its scope and its name, with or without the first slash; then an axis or - for each
// dimension. Inputs are called arg0, arg1, …. Lines that begin with # are comments. A variable of
// an optimizer, such as /AdamOptimizer/model/dense/weights_1st_moment, has the layout of the
// model's variable, whose path its own path contains. All other variables are replicated.
//
// If a rule matches no variable when a graph trains, the error lists similar paths. A graph trains
// if it changes a floating-point variable that is not a scalar.
package gomlxbackend
