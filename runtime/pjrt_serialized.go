//go:build cgo

package runtime

// This file loads what a PJRT plugin has compiled elsewhere.

import (
	"fmt"

	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
)

func (d *pjrtDriver) loadSerialized(p *program.Program, executable []byte) (DriverProgram, error) {
	var refused error
	config, shared := d.compileConfig(p)
	l, err := d.loadBy(p, config, func(call *pjrtapi.Compilation) bool {
		refused = call.Load(executable)
		return false
	})
	if refused != nil {
		if err == nil {
			l.Free() // the plugin has compiled the module instead
		}
		return nil, fmt.Errorf("the plugin does not load the executable: %w; compile it with the plugin's version, or use Load", refused)
	}
	if err != nil {
		return nil, err
	}
	return l.sharing(shared), nil
}
