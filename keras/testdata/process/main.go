// Command process trains a model and prints, as JSON, what the process has before it calls
// anything of ours and after the client is closed.
package main

/*
extern char** environ;
static const char* variable(int i) { return environ == 0 ? 0 : environ[i]; }
*/
import "C"

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/runtime"
)

// Snapshot is the state of the process that the program prints.
type Snapshot struct {
	Go, C, Children, Sockets, Files, Temporary []string
	Threads                                    []string // their names
	Signals                                    map[string]string
	Directory                                  string
	Kilobytes                                  string
}

func take() (s Snapshot) {
	debug.FreeOSMemory() // it collects garbage
	time.Sleep(100 * time.Millisecond)
	s.Go = os.Environ()
	for i := 0; C.variable(C.int(i)) != nil; i++ {
		s.C = append(s.C, C.GoString(C.variable(C.int(i))))
	}
	slices.Sort(s.Go)
	slices.Sort(s.C)
	children, _ := filepath.Glob("/proc/self/task/*/children")
	for _, file := range children {
		text, _ := os.ReadFile(file)
		s.Children = append(s.Children, strings.Fields(string(text))...)
	}
	threads, _ := filepath.Glob("/proc/self/task/*/comm")
	for _, file := range threads {
		text, _ := os.ReadFile(file)
		s.Threads = append(s.Threads, strings.TrimSpace(string(text)))
	}
	slices.Sort(s.Threads)
	files, _ := filepath.Glob("/proc/self/fd/*")
	for _, file := range files {
		switch name, err := os.Readlink(file); {
		case err != nil: // the directory itself
		case strings.HasPrefix(name, "socket:"):
			s.Sockets = append(s.Sockets, name)
		default:
			s.Files = append(s.Files, name)
		}
	}
	slices.Sort(s.Files)
	s.Temporary, _ = filepath.Glob(filepath.Join(os.TempDir(), "*"))
	s.Directory, _ = os.Getwd()
	s.Signals = map[string]string{}
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "SigBlk", "SigIgn", "SigCgt":
			s.Signals[name] = strings.TrimSpace(value)
		case "VmRSS":
			s.Kilobytes = strings.Fields(value)[0]
		}
	}
	return s
}

func main() {
	before := take()
	if err := train(); err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode([]Snapshot{before, take()}); err != nil {
		log.Fatal(err)
	}
}

func train() error {
	ctx := context.Background()
	c, err := runtime.Open(ctx, runtime.Options{Platform: hardware.CPU, Engine: runtime.EnginePJRT, Devices: 2})
	if err != nil {
		return err
	}
	m, err := keras.NewSequential(layers.Dense(8, layers.Activation("relu")), layers.Dense(1))
	if err != nil {
		return err
	}
	if err := m.Compile(keras.Loss("mse"), keras.Optimizer("adam"), keras.Client(c)); err != nil {
		return err
	}
	x, y := make([][]float32, 64), make([][]float32, 64)
	for i := range x {
		x[i], y[i] = []float32{float32(i), 1, 2, 3}, []float32{float32(i)}
	}
	if _, err := m.Fit(ctx, x, y, keras.BatchSize(16), keras.Epochs(2), keras.Verbose(0)); err != nil {
		return err
	}
	return c.Close()
}
