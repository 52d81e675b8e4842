package steps

// This file implements the frame of the benchmarks' main functions, and prints their tables.

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/gospmd/gospmd/keras/distribution"
)

// Main runs a benchmark with the arguments of the command line, and ends the process with status 1
// if it fails. An interrupt (Ctrl-C) or a request to end cancels the context; a second one ends the
// process at once.
func Main(name string, run func(ctx context.Context, args []string, out io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// MeshText returns a mesh's shape as text, such as 2x4, or single for one device.
func MeshText(shape []int) string {
	if len(shape) == 0 {
		return distribution.Single
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", "x")
}

// Table writes a table to out, with a head and rows, whose columns are aligned.
func Table(out io.Writer, head []string, rows [][]any) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, cell)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
