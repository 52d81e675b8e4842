package aot

// This file defines the question of the parent process to its child, and the answer.

// question describes a compilation: the module, the plugin that compiles it, and the devices.
type question struct {
	Plugin         string // its file
	Topology       string
	Options        []option // options of the topology
	Code           []byte   // StableHLO as text
	CompileOptions []byte   // a CompileOptionsProto
}

// option is an option of a topology: a text or a list.
type option struct {
	Name string
	Text string
	List []int64
}

// answer is the result of a compilation, which the process that compiled sends.
type answer struct {
	Failed     *failure
	API        string // the version of PJRT's interface, "0.116"
	Version    string // of the plugin
	Devices    int
	Kind       string             // kind of the devices
	Attributes map[string]float64 // the numeric attributes of a device
	Seconds    float64
	Memory     Memory
	Cost       map[string]float64
	HLO        []byte // an HloModuleProtoWithConfig or an HloModuleProto, by Format
	Format     string
	Serialized []byte
}

// memoryLimit is the attribute of a device with the memory that programs may use, in bytes.
const memoryLimit = "device_memory_bytes_limit"

// failure is an error that a plugin has returned.
type failure struct {
	Function string // the function of PJRT's interface
	Code     int    // absl's status code
	Message  string
}

func (f *failure) Error() string { return f.Function + ": " + f.Message }
