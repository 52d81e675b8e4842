package runtime

// This file collects what a compiled program depends on beside its text and its options:
// the plugin, the processor, the environment.

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// plainText returns a module's text without locations and names of results. Locations change when
// lines of the source move. Names of results change when another model was made before. Both change
// nothing that is computed.
func plainText(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		switch {
		case text[0] == '"':
			n := quotedLength(text)
			out, text = append(out, text[:n]...), text[n:]
		case bytes.HasPrefix(text, resultMark):
			text = text[len(resultMark)-1:]
			text = text[quotedLength(text):]
		case bytes.HasPrefix(text, locationMark):
			text = text[location(text):]
		default:
			out, text = append(out, text[0]), text[1:]
		}
	}
	return out
}

var (
	locationMark = []byte(" loc(")
	resultMark   = []byte(`jax.result_info = "`)
)

// quotedLength returns the number of bytes of the string, quotes included, that text begins with;
// all of text if the string does not end.
func quotedLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// location returns the number of bytes of the location, loc(…), that text begins with; all of text
// if it does not end.
func location(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += quotedLength(text[i:]) - 1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// samples is how many pieces of a plugin's file, of sampleSize bytes each, are part of its
// identity: XLA is too large to be read as a whole at each start.
const (
	samples    = 64
	sampleSize = 4096
)

// fileIdentity returns a text that differs between plugin files, and between versions of a plugin
// under one path: the size of the file, when it was changed, and a hash of samples of it.
func fileIdentity(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	h, piece := sha256.New(), make([]byte, sampleSize)
	for i := range int64(samples) {
		n, err := f.ReadAt(piece, info.Size()/samples*i)
		if err != nil && err != io.EOF {
			return "", err
		}
		h.Write(piece[:n])
	}
	return fmt.Sprintf("%d bytes, changed %d, %x", info.Size(), info.ModTime().UnixNano(), h.Sum(nil)), nil
}

// cpuInfo is where Linux describes the processors.
const cpuInfo = "/proc/cpuinfo"

// processor describes the processor of this machine, since XLA makes machine code for it. Where
// the system does not tell, it is the name of the machine.
var processor = sync.OnceValue(func() string {
	text, err := os.ReadFile(cpuInfo)
	features := describeCPU(string(text))
	if err != nil || features == "" {
		name, _ := os.Hostname()
		features = "host " + name
	}
	return fmt.Sprintf("%s/%s, %d CPUs, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), features)
})

// describeCPU returns a text with the models and the features of the processors that /proc/cpuinfo,
// in text, describes: sorted lines, each once.
func describeCPU(text string) string {
	var found []string
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(name) {
		case "model name", "vendor_id", "cpu family", "model", "stepping", "flags", // x86
			// ARM
			"Features", "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision":
			words := strings.Fields(value)
			slices.Sort(words)
			found = append(found, strings.TrimSpace(name)+"="+strings.Join(words, " "))
		}
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), "\n")
}

// compilerVars are the environment variables that change XLA's compilations.
var compilerVars = []string{xlaFlagsVar, "XLA_DEBUG_OPTIONS", "LIBTPU_INIT_ARGS", "NPROC", "OMP_NUM_THREADS"}

// compilerEnvironment returns compilerVars, each as "NAME=value", with the values at the time of
// its first call, when the first client is made: XLA does not read them again. The value of a
// variable that is not set is empty.
var compilerEnvironment = sync.OnceValue(func() []string {
	values := make([]string, len(compilerVars))
	for i, v := range compilerVars {
		values[i] = v + "=" + os.Getenv(v)
	}
	return values
})

// dumps reports whether environment, as compilerEnvironment returns it, makes XLA write down what
// it compiles, or read its flags from a file. Then XLA must compile each time.
func dumps(environment []string) bool {
	return slices.ContainsFunc(environment, func(v string) bool {
		name, value, _ := strings.Cut(v, "=")
		return strings.Contains(value, "xla_dump") || name == xlaFlagsVar && value != "" && !strings.HasPrefix(strings.TrimSpace(value), "-")
	})
}
