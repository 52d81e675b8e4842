package plugin

// This file finds the accelerators that the system shows, without any driver.

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/hardware"
)

// google is the vendor id of TPUs on the PCI bus, and tpus has the kinds of its devices, by their
// ids.
const google = "0x1ae0"

var tpus = map[string]string{
	"0x0027": "v3", "0x0056": "TPU", "0x005e": "v4", "0x0062": "v5p", "0x0063": "v5e", "0x006f": "v6e", "0x0076": "tpu7x",
}

// WithoutTPU are the environment variables of a process that loads libtpu where there is no TPU:
// without them it asks a server of Google's cloud, for minutes, and writes logs.
var WithoutTPU = []string{"TPU_SKIP_MDS_QUERY=1", "TPU_LOG_DIR=disabled"}

// Devices returns the kinds of the platform's devices that the system shows: the TPUs on the
// PCI bus, and the GPUs that NVIDIA's driver lists. It is empty for "cpu". A program
// may see fewer, by CUDA_VISIBLE_DEVICES and the like.
func Devices(platform string) []string { return devicesOf(os.DirFS("/"), platform) }

func devicesOf(root fs.FS, platform string) (kinds []string) {
	switch platform {
	case hardware.TPU:
		for _, vendor := range glob(root, "sys/bus/pci/devices/*/vendor") {
			device := read(root, path.Join(path.Dir(vendor), "device"))
			if kind, ok := tpus[device]; ok && read(root, vendor) == google {
				kinds = append(kinds, kind)
			}
		}
	case hardware.CUDA:
		for _, gpu := range glob(root, "proc/driver/nvidia/gpus/*/information") {
			kinds = append(kinds, model(read(root, gpu)))
		}
		if kinds == nil { // containers only show the device files; /dev/dxg is WSL's
			for range glob(root, "dev/nvidia[0-9]*") {
				kinds = append(kinds, "NVIDIA GPU")
			}
			if kinds == nil && glob(root, "dev/dxg") != nil {
				kinds = []string{"NVIDIA GPU"}
			}
		}
	}
	return kinds
}

// model returns the text after "Model:" in information, which NVIDIA's driver gives about a GPU;
// NVIDIA GPU if there is no such line.
func model(information string) string {
	for line := range strings.Lines(information) {
		if name, ok := strings.CutPrefix(line, "Model:"); ok {
			return strings.TrimSpace(name)
		}
	}
	return "NVIDIA GPU"
}

func glob(root fs.FS, pattern string) []string {
	found, err := fs.Glob(root, pattern)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	slices.Sort(found)
	return found
}

func read(root fs.FS, file string) string {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
