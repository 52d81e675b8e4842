// Compiletime prints how many CPU seconds the compiler takes as programs grow to 100,000 ops and
// meshes to 65536 devices. It measures compile.Compile and the report, on a program of equal layers
// and on one of random ops.
//
//	go run ./benchmarks/compiletime
//	go run ./benchmarks/compiletime -ops 1000,10000 -devices 8,4096
//
// In CPU seconds, on two cores that were also busy with other work:
//
//	program       1000 ops  10,000  100,000  1000 ops on 64 to 65536 devices
//	equal layers      0.05    0.59     7.2   0.03 to 0.06
//	random ops        0.06    0.90    14.2   0.04 to 0.12
//
//	file         what it holds
//	main.go      the command and its table
//	programs.go  the programs
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
)

func main() { steps.Main("compiletime", run) }

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("compiletime", flag.ContinueOnError)
	ops := flags.String("ops", "1000,10000,100000", "sizes of the programs on 8 devices")
	devices := flags.String("devices", "8,64,512,4096,65536", "sizes of the mesh of programs of 1000 ops; powers of 2")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var rows [][]any
	measure := func(list string, sizes func(n int) (ops, devices int)) error {
		for text := range strings.SplitSeq(list, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < 8 {
				return fmt.Errorf("got the size %q: want whole numbers of at least 8, separated by commas", text)
			}
			o, d := sizes(n)
			for _, p := range programs {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				seconds, err := compileSeconds(p.text(o, d))
				if err != nil {
					return fmt.Errorf("%s of %d ops on %d devices: %w", p.name, o, d, err)
				}
				rows = append(rows, []any{p.name, o, d, fmt.Sprintf("%.2f", seconds), fmt.Sprintf("%.0f", seconds/float64(o)*1e6)})
			}
		}
		return nil
	}
	if err := measure(*ops, func(n int) (int, int) { return n, 8 }); err != nil {
		return err
	}
	if err := measure(*devices, func(n int) (int, int) { return 1000, n }); err != nil {
		return err
	}
	return steps.Table(out, []string{"program", "ops", "devices", "CPU seconds", "µs an op"}, rows)
}

// compileSeconds returns the CPU time of parsing, compiling and reporting a module.
func compileSeconds(text string) (float64, error) {
	start := cpuTime()
	m, err := ir.Parse(text)
	if err != nil {
		return 0, err
	}
	p, err := compile.Compile(context.Background(), m, compile.Options{})
	if err != nil {
		return 0, err
	}
	_ = report.New(p).String()
	return (cpuTime() - start).Seconds(), nil
}

// cpuTime returns the CPU time of the process so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("BUG: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
