package plugin

// This file defines Release and Bundle, and lists all bundles that can be installed, except
// NVIDIA's.

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/gospmd/gospmd/hardware"
)

// Release is one wheel and the files in it that are installed. All are identified by their SHA-256.
type Release struct {
	What    string // "XLA's plugin for CPUs"
	Package string // the Python package
	Version string
	Wheel   string // file name of the wheel
	SHA256  string
	Bytes   int64    // the size of the wheel
	Dir     string   // the directory of its files; if empty, it is PACKAGE-VERSION
	Members []Member // messages name the first one
}

// Member is a file of a wheel.
type Member struct {
	Path   string // its path in the wheel
	To     string // the file's path in the release's directory; if empty, it is Path
	SHA256 string
}

// place returns the file's path in the release's directory.
func (m Member) place() string {
	if m.To != "" {
		return m.To
	}
	return m.Path
}

// dir returns the directory of the release's files, in the installer's directory.
func (r Release) dir() string {
	if r.Dir != "" {
		return r.Dir
	}
	return r.Package + "-" + r.Version
}

// pipFlags returns flags that make pip choose the wheel in any Python. It reads them from the
// wheel's name, which ends in the tags of Python, ABI and platforms.
func (r Release) pipFlags() []string {
	tags := strings.Split(strings.TrimSuffix(r.Wheel, ".whl"), "-")
	flags := []string{"--no-deps", "--only-binary", ":all:"}
	if python, ok := strings.CutPrefix(tags[len(tags)-3], "cp3"); ok {
		flags = append(flags, "--implementation", "cp", "--python-version", "3."+python, "--abi", tags[len(tags)-2])
	}
	for _, platform := range strings.Split(tags[len(tags)-1], ".") {
		if platform != "any" {
			flags = append(flags, "--platform", platform)
		}
	}
	return flags
}

// Bundle is a named set of wheels that are installed together. If it has a plugin, that is the
// first member of the first wheel.
type Bundle struct {
	Name     string // what Install takes: "cpu", "tpu", "cuda", "cuda-libraries"
	What     string // the purpose of the bundle, as text
	Releases []Release
}

// Bytes returns the size of all wheels of the bundle, in bytes: what Install downloads at most.
func (b Bundle) Bytes() (n int64) {
	for _, r := range b.Releases {
		n += r.Bytes
	}
	return n
}

// CUDALibraries is the bundle with NVIDIA's libraries for running on GPUs. Other bundles have the
// name of a platform.
const CUDALibraries = "cuda-libraries"

// bundles lists what can be installed, by GOOS/GOARCH. The PJRT API of the CPU's plugin is 0.81,
// its StableHLO 1.13.3. libtpu has a wheel for each version of Python; all contain the same
// libtpu.so.
var bundles = map[string][]Bundle{
	"linux/amd64": {
		{Name: hardware.CPU, What: "compile for CPUs and run there", Releases: []Release{{
			What: "XLA's CPU plugin", Package: "xla-cpu-pjrt", Version: "0.0.1",
			Wheel:  "xla_cpu_pjrt-0.0.1-py3-none-manylinux_2_27_x86_64.whl",
			SHA256: "55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc", Bytes: 63461052,
			Members: cpuMember("88c3f28c5900f48ad4a82cab9e79bba9537809743395e341485f8794268820dc"),
		}}},
		{Name: hardware.CUDA, What: "compile for NVIDIA GPUs", Releases: cudaCompiler},
		{Name: CUDALibraries, What: "run on NVIDIA GPUs", Releases: cudaLibraries},
		{Name: hardware.TPU, What: "compile for TPUs and run there", Releases: []Release{{
			What: "XLA's plugin for TPUs", Package: "libtpu", Version: "0.0.51",
			Wheel:  "libtpu-0.0.51-cp311-cp311-manylinux_2_31_x86_64.whl",
			SHA256: "ba67ddbfdbac61c8da1fafc26cd51b93e9fe4d298016e2882eb986b1718cba34", Bytes: 204805508,
			Members: []Member{{Path: "libtpu/libtpu.so", To: "libtpu.so", SHA256: "ad0b2a3bc5d4de96f653b3701aaed8769a691776ca0e14c791dcdca785d43e42"}},
		}}},
	},
	"linux/arm64": {
		{Name: hardware.CPU, What: "compile for CPUs and run there", Releases: []Release{{
			What: "XLA's CPU plugin", Package: "xla-cpu-pjrt", Version: "0.0.1",
			Wheel:  "xla_cpu_pjrt-0.0.1-py3-none-manylinux_2_27_aarch64.whl",
			SHA256: "8f613be6e891858f40d64f9799319502fff42689661944fc18a6ffd8210b30c9", Bytes: 49514947,
			Members: cpuMember("fcf411f3e8ff635c2b2cf87215aa7016f460e66d236c3db08309e7486583532d"),
		}}},
	},
}

func cpuMember(sum string) []Member {
	const in = "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so"
	return []Member{{Path: in, To: path.Base(in), SHA256: sum}}
}

// Bundles returns the bundles that can be installed on this machine.
func Bundles() []Bundle { return bundles[system()] }

func system() string { return runtime.GOOS + "/" + runtime.GOARCH }

// BundleNamed returns the bundle with the given name for this machine. If there is none, the error
// wraps errors.ErrUnsupported.
func BundleNamed(name string) (Bundle, error) { return bundleFor(system(), name) }

func bundleFor(system, name string) (Bundle, error) {
	var names []string
	for _, b := range bundles[system] {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	if names == nil {
		return Bundle{}, fmt.Errorf("%w: there is no plugin to download for %s (only for linux/amd64 and linux/arm64): build one from OpenXLA and set $%s to it",
			errors.ErrUnsupported, system, PathVar)
	}
	return Bundle{}, fmt.Errorf("%w: there is no %q to download for %s: want one of %s", errors.ErrUnsupported, name, system, strings.Join(names, ", "))
}
