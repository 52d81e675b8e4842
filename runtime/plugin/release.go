package plugin

// This file lists the releases that can be installed, and checks files by their
// SHA-256. A stamp beside an installed plugin holds the size and the times that it had
// when it was checked, so that its 150 MB are read again only when they have changed.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/gospmd/gospmd/internal/atomicfile"
)

// Release is one wheel and the plugin in it, both known by their SHA-256.
type Release struct {
	Package string // the Python package
	Version string
	Wheel   string // its file name
	SHA256  string
	Member  string // the plugin's path in the wheel
	File    string // its SHA-256
}

// releases are OpenXLA's builds of the CPU plugin, by GOOS/GOARCH. Their PJRT
// API is 0.81, their StableHLO 1.13.3.
var releases = map[string]Release{
	"linux/amd64": {
		Package: "xla-cpu-pjrt", Version: "0.0.1",
		Wheel:  "xla_cpu_pjrt-0.0.1-py3-none-manylinux_2_27_x86_64.whl",
		SHA256: "55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc",
		Member: "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
		File:   "88c3f28c5900f48ad4a82cab9e79bba9537809743395e341485f8794268820dc",
	},
	"linux/arm64": {
		Package: "xla-cpu-pjrt", Version: "0.0.1",
		Wheel:  "xla_cpu_pjrt-0.0.1-py3-none-manylinux_2_27_aarch64.whl",
		SHA256: "8f613be6e891858f40d64f9799319502fff42689661944fc18a6ffd8210b30c9",
		Member: "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
		File:   "fcf411f3e8ff635c2b2cf87215aa7016f460e66d236c3db08309e7486583532d",
	},
}

func releaseFor(goos, goarch string) (Release, error) {
	r, ok := releases[goos+"/"+goarch]
	if !ok {
		return Release{}, fmt.Errorf("there is no CPU plugin to download for %s/%s (only linux/amd64 and linux/arm64): build one from OpenXLA and set $%s to it",
			goos, goarch, PathVar)
	}
	return r, nil
}

// ThisRelease returns the release for the machine that the program runs on.
func ThisRelease() (Release, error) { return releaseFor(runtime.GOOS, runtime.GOARCH) }

// checkFile compares a file with its SHA-256.
func checkFile(path, want string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return &HashError{File: path, Got: got, Want: want}
	}
	return nil
}

// HashError says that a file is not the one it should be.
type HashError struct{ File, Got, Want string }

func (e *HashError) Error() string {
	return fmt.Sprintf("%s has the SHA-256 %s, want %s: it was damaged or replaced", e.File, e.Got, e.Want)
}

// stamp says that a file was checked, and what it looked like then.
type stamp struct {
	SHA256  string `json:"sha256"`
	Size    int64  `json:"size"`
	Changed int64  `json:"changed"` // the time of the last change of its contents, in nanoseconds
	Status  int64  `json:"status"`  // that of the last change of the file, where the system tells it
}

// stampName returns the name of the stamp of a file.
func stampName(path string) string { return path + ".checked" }

func stampOf(info os.FileInfo, sum string) stamp {
	return stamp{SHA256: sum, Size: info.Size(), Changed: info.ModTime().UnixNano(), Status: statusTime(info)}
}

// checkStamped compares a file with its SHA-256, unless its stamp says that it was
// compared and has not changed.
func checkStamped(path, want string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	now := stampOf(info, want)
	var then stamp
	if text, err := os.ReadFile(stampName(path)); err == nil && json.Unmarshal(text, &then) == nil && then == now {
		return nil
	}
	if err := checkFile(path, want); err != nil {
		return err
	}
	// Without a stamp, as in a cache that cannot be written, the next process reads
	// the file again.
	_ = atomicfile.Write(stampName(path), func(f *os.File) error { return json.NewEncoder(f).Encode(now) })
	return nil
}
