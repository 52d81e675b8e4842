package gomlxbackend

// This file lets users see the programs that graphs become.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// ProgramsVar is the environment variable that names a directory. The backend makes it if it does
// not exist. For each program it writes two files there: NNN-NAME.mlir, the graph with its layouts,
// which the commands gospmd explain, lint, partition and fit take; and NNN-NAME.txt, the program
// and its report.
const ProgramsVar = "GOSPMD_PROGRAMS"

var watchers struct {
	sync.Mutex
	calls  []func(*program.Program)
	number int // number of programs written so far
}

// OnCompile makes the backends of this process call f with each program that they compile, after
// the functions of earlier calls. f may be called from several goroutines.
func OnCompile(f func(*program.Program)) {
	watchers.Lock()
	defer watchers.Unlock()
	watchers.calls = append(watchers.calls, f)
}

// tell passes p, a program that a backend has compiled from m, to the functions of OnCompile. If
// $ProgramsVar is set, it also writes p and m to files of that directory, and returns the error of
// writing.
func tell(m *ir.Module, p *program.Program) error {
	watchers.Lock()
	calls := watchers.calls
	number := watchers.number
	dir := os.Getenv(ProgramsVar)
	if dir != "" {
		watchers.number++
	}
	watchers.Unlock()
	for _, f := range calls {
		f(p)
	}
	if dir == "" {
		return nil
	}
	base := filepath.Join(dir, fmt.Sprintf("%03d-%s", number, unsafe.ReplaceAllString(m.Name, "_")))
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = os.WriteFile(base+".mlir", m.Text(ir.PrintOptions{Locations: true}), 0o644)
	}
	if err == nil {
		err = os.WriteFile(base+".txt", []byte(p.String()+"\n"+report.New(p).String()), 0o644)
	}
	if err != nil {
		return fmt.Errorf("$%s: %w", ProgramsVar, err)
	}
	return nil
}

// unsafe matches characters that must not be in a file's name.
var unsafe = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)
