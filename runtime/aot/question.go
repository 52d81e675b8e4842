package aot

// This file defines what the parent process asks its child, and what that answers.

// question is a module to compile, the plugin that compiles it, and the devices.
type question struct {
	Plugin         string // its file
	Topology       string
	Options        []option // of the topology
	Code           []byte   // StableHLO as text
	CompileOptions []byte   // a CompileOptionsProto
}

// option is one that a plugin takes when it describes devices: a text or a list.
type option struct {
	Name string
	Text string
	List []int64
}

// answer is what the plugin says.
type answer struct {
	Failed     *failure
	API        string // the version of PJRT's interface, "0.116"
	Version    string // of the plugin
	Devices    int
	Kind       string             // of the devices
	Attributes map[string]float64 // the numbers among those of a device
	Seconds    float64
	Memory     Memory
	Cost       map[string]float64
	HLO        []byte // an HloModuleProtoWithConfig or an HloModuleProto, by Format
	Format     string
	Serialized []byte
}

// failure is an error of a plugin.
type failure struct {
	Function string // of PJRT's interface
	Code     int    // one of absl's
	Message  string
}

func (f *failure) Error() string { return f.Function + ": " + f.Message }
