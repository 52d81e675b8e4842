package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/internal/texttable"
)

func main() { steps.Main("gomlxtests", run) }

// own is GoMLX's own backend for XLA on CPUs.
const own = "xla:cpu"

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("gomlxtests", flag.ContinueOnError)
	backends := flags.String("backends", own+" gospmd:mesh=single gospmd:mesh=2x4 gospmd:devices=8", "the backends, separated by spaces, as GOMLX_BACKEND names them")
	packages := flags.String("packages", "./core/... ./ml/...", "GoMLX's packages, separated by spaces")
	root := flags.String("C", ".", "the directory of gospmd")
	verbose := flags.Bool("v", false, "print what failed tests print")
	if err := flags.Parse(args); err != nil {
		return err
	}
	w, err := newWorkspace(ctx, *root)
	if err != nil {
		return err
	}
	defer w.remove()
	results := map[string]results{}
	names := strings.Fields(*backends)
	for _, name := range names {
		if results[name], err = w.test(ctx, name, strings.Fields(*packages)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := write(out, names, results); err != nil {
		return err
	}
	return compare(out, names, results, *verbose)
}

// write prints to out, for each backend in names, the counts of tests of each package, sorted by
// name, and at the end of all packages. all has the results, by backend.
func write(out io.Writer, names []string, all map[string]results) error {
	w := texttable.New(out)
	fmt.Fprintln(w, "package\tbackend\tpassed\tfailed\tskipped")
	packages := map[string]bool{}
	for _, r := range all {
		for test := range r {
			packages[test.pkg] = true
		}
	}
	for _, pkg := range append(slices.Sorted(maps.Keys(packages)), "") {
		for _, name := range names {
			counts := map[string]int{}
			for test, result := range all[name] {
				if pkg == "" || test.pkg == pkg {
					counts[result.action]++
				}
			}
			label := pkg
			if pkg == "" {
				label = "all"
			}
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\n", label, name, counts["pass"], counts["fail"], counts["skip"])
		}
	}
	return w.Flush()
}

// compare prints the tests that fail or skip on a backend, and pass on GoMLX's own. It returns an
// error if one of them has no known reason. verbose also prints their output.
func compare(out io.Writer, names []string, all map[string]results, verbose bool) error {
	var unknown []string
	for _, name := range names {
		for _, test := range slices.SortedFunc(maps.Keys(all[name]), testName.compare) {
			result := all[name][test]
			if result.action == "pass" || name == own || all[own] != nil && all[own][test].action != "pass" {
				continue
			}
			why := known[test.String()]
			if why == "" {
				why = "not known why"
				unknown = append(unknown, name+" "+test.String())
			}
			fmt.Fprintf(out, "%s: %s: %s: %s\n", name, test, result.action, why)
			if verbose {
				fmt.Fprintln(out, result.output)
			}
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("%d tests do not pass on gospmd only, for no reason that is known", len(unknown))
	}
	return nil
}
