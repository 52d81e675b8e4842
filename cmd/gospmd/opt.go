package main

// This file implements gospmd opt.

import (
	"fmt"
	"io"
	"strings"

	"github.com/gospmd/gospmd/sharding/shardypasses"
)

// runOpt runs a list of passes on the module of a file or of standard input.
func runOpt(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("opt", "Runs sharding passes on a module and prints it. The passes are Shardy's, without sdy-;\noptions stand in braces after a pass. The passes:\n  "+strings.Join(shardypasses.Names(), "\n  ")+"\n", diag,
		"-passes=propagation-pipeline step.mlir",
		"-passes='add-data-flow-edges,basic-propagate{conservative-propagation=true},sink-data-flow-edges' < step.mlir")
	list := fs.String("passes", "", "the passes to run, in order: NAME,NAME{OPTION=VALUE OPTION=VALUE},…")
	debug := fs.debug()
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	passes, err := shardypasses.Parse(*list)
	if err != nil {
		return fmt.Errorf("opt: %w: gospmd opt -h lists all", err)
	}
	m, err := parseModule(file, in)
	if err != nil {
		return err
	}
	if err := shardypasses.Run(m, passes, *debug); err != nil {
		return err
	}
	_, err = io.WriteString(out, m.String())
	return err
}
