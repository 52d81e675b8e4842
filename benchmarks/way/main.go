// Way prints the way of a batch through the files of package keras, from Fit to the logs of its
// step: the functions that handle the batch, in the order of their calls.
//
//	go run ./benchmarks/way
//
// It builds a copy of the package in which each of these functions writes its name down, and trains
// a small model with it. A function handles the batch if a type in its signature does: see
// carriers. A return is a call in a file that the way has left before.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// carriers are the types that carry a batch, its data before and its results after the step.
var carriers = regexp.MustCompile(`\b(x, y|x) \*?any|\b(data\.(Batch|Dataset)|tensors\.Tensor|runtime\.Array|` +
	`source|dataIterator|stepLoop|stepProgram|feed|BatchLogs)\b|flat any`)

// pen is the source of a file that the copy of package keras has in addition: it writes down the
// functions that are called.
const pen = `package keras

type Call struct{ File, Function string }

var Way []Call

func pass(file, function string) { Way = append(Way, Call{file, function}) }
`

// training is the program that is run with the copy. It prints the way as JSON.
//
//go:embed training.go.txt
var training string

func main() {
	way, err := follow(context.Background(), ".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "way:", err)
		os.Exit(1)
	}
	show(os.Stdout, way)
}

// call is a call of a function of package keras that handles a batch: the file and the function's
// name.
type call struct{ File, Function string }

// follow trains with an instrumented copy of package keras, and returns the calls of its functions
// that handle a batch, in order. root is the root folder of the module; another folder is an error.
// The training's stderr is that of this process.
func follow(ctx context.Context, root string) (way []call, err error) {
	dir, err := os.MkdirTemp("", "way")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	overlay, err := copyPackage(root, dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "-overlay", overlay, "./benchmarks/way/training")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: run it in the root of the module", cmd, err)
	}
	if err := json.Unmarshal(text, &way); err != nil {
		return nil, fmt.Errorf("the training printed %q: %w", text, err)
	}
	return way, nil
}

// copyPackage writes to dir instrumented copies of the source files of package keras in the
// repository root, without its tests, a file way.go for them, and the command that trains. It
// returns the path of the file for go build -overlay that puts all of these into the repository.
func copyPackage(root, dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(root, "keras", "*.go"))
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	put := func(file, name, text string) error {
		replace[file] = filepath.Join(dir, name)
		return os.WriteFile(replace[file], []byte(text), 0o600)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		text, err := instrument(filepath.Base(file), src)
		if err != nil {
			return "", err
		}
		name := filepath.Base(file)
		if err := put("keras/"+name, name, text); err != nil {
			return "", err
		}
	}
	if err := put("keras/way.go", "way.go", pen); err != nil {
		return "", err
	}
	if err := put("benchmarks/way/training/main.go", "main.go", training); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// instrument returns the source src of a Go file with a statement added to each function that
// handles a batch: the function then records its own name when it is called.
func instrument(file string, src []byte) (string, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, src, 0)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	done := 0
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		var signature bytes.Buffer
		if err := printer.Fprint(&signature, set, &ast.FuncDecl{Recv: f.Recv, Name: ast.NewIdent("_"), Type: f.Type}); err != nil {
			return "", err
		}
		if !carriers.Match(signature.Bytes()) {
			continue
		}
		at := set.Position(f.Body.Lbrace).Offset + 1
		fmt.Fprintf(&out, "%s pass(%q, %q);", src[done:at], file, f.Name.Name)
		done = at
	}
	return out.String() + string(src[done:]), nil
}

// show prints the way, a line for each stay in a file, and its counts.
func show(w io.Writer, way []call) {
	last := ""
	for _, c := range way {
		if c.File != last {
			fmt.Fprintf(w, "\n%-12s", c.File)
			last = c.File
		}
		fmt.Fprintf(w, " %s", c.Function)
	}
	files, returns := count(way)
	fmt.Fprintf(w, "\n\n%d functions in %d files, %d returns\n", len(way), files, returns)
}

// count returns the number of files in which functions of the way are, and how many times the way
// returns to a file that it has left.
func count(way []call) (files, returns int) {
	seen, last := map[string]bool{}, ""
	for _, c := range way {
		if c.File != last && seen[c.File] {
			returns++
		}
		seen[c.File], last = true, c.File
	}
	return len(seen), returns
}
