package main

// This file tests commands by their whole output. Each file of testdata/golden has a command line,
// the module on standard input, and the output.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/internal/golden"
)

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/golden/*.txtar", 2, func(t *testing.T, a *txtar.Archive) map[string]string {
		args := strings.Fields(string(a.Files[0].Data))
		for i, arg := range args {
			args[i] = strings.Trim(arg, "'")
		}
		var out, diag bytes.Buffer
		err := run(args, bytes.NewReader(a.Files[1].Data), &out, &diag)
		code := 0
		if err != nil {
			code = exitCode(err)
			fmt.Fprintln(&diag, "gospmd:", err)
		}
		return map[string]string{"stdout": out.String(), "stderr": diag.String(), "exit": fmt.Sprintln(code)}
	})
}
