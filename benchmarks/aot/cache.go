package main

// This file keeps compilers' results in files. It is for work on predictions: a compilation takes a
// minute, and a prediction little time.

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
	"github.com/gospmd/gospmd/target"
)

// compiler compiles programs for the devices of a target, which need not exist here, with the given
// options. Results are kept as files in dir, unless that is "".
type compiler struct {
	dir     string
	options aot.Options
}

// compile returns the target's compiler's result for p: from a file of c.dir if it is there,
// otherwise from a compilation, whose result it then stores there. If c.dir is empty, it always
// compiles and stores nothing. A file that is no result is an error.
func (c compiler) compile(ctx context.Context, p *program.Program, t hardware.Target) (*aot.Executable, error) {
	if c.dir == "" {
		return aot.Compile(ctx, p, t, c.options)
	}
	file := filepath.Join(c.dir, c.key(p, t))
	b, err := os.ReadFile(file)
	if err == nil {
		e := new(aot.Executable)
		return e, json.Unmarshal(b, e)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	e, err := aot.Compile(ctx, p, t, c.options)
	if err != nil {
		return nil, err
	}
	if b, err = json.Marshal(e); err != nil {
		return nil, err
	}
	return e, errors.Join(os.MkdirAll(c.dir, 0o777), os.WriteFile(file, b, 0o666))
}

// key returns the name of the file in dir that holds the compiler's result for p on t: the SHA-256
// of target, mesh, bound of the memory and program text, and .json.
func (c compiler) key(p *program.Program, t hardware.Target) string {
	bound := ""
	to := target.Of(t.Chip.Platform)
	if n := cmp.Or(c.options.MemoryBound, to.MemoryBound(p)); n > 0 {
		bound = fmt.Sprintf("within %d bytes\n", n)
	}
	sum := sha256.Sum256(append([]byte(fmt.Sprintf("%s\n%s\n%s", t, p.Mesh, bound)), to.Text(p)...))
	return fmt.Sprintf("%x.json", sum)
}
