package main

// This file reads the layouts of a command line.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding"
)

// annotate annotates inputs and outputs of main by rules "pattern=axes".
func annotate(m *ir.Module, rules []string) error {
	if len(rules) == 0 {
		return nil
	}
	if len(m.Meshes) == 0 {
		return errors.New("the file lists no mesh: give one with -mesh")
	}
	layouts := layout.NewLayoutMap(m.Meshes[0].Mesh)
	for _, rule := range rules {
		cut := strings.LastIndexByte(rule, '=')
		if cut < 0 {
			return fmt.Errorf("%q: want 'pattern=axes', such as 'd1/kernel=-,model'", rule)
		}
		var axes []string
		for axis := range strings.SplitSeq(rule[cut+1:], ",") {
			if axis = strings.TrimSpace(axis); axis == "-" {
				axis = ""
			}
			axes = append(axes, axis)
		}
		if err := layouts.Set(rule[:cut], axes...); err != nil {
			return err
		}
	}
	return sharding.Annotate(m, layouts)
}
