package compile

// This file opens Programs that were written into files.

import "github.com/gospmd/gospmd/program"

// Open reads a Program that Program.Save wrote. It is what Compile has returned: engines
// take it.
func Open(path string) (*program.Program, error) {
	p, err := program.Open(path)
	if err != nil {
		return nil, err
	}
	if p.Form == program.PerDevice {
		p.Emit = emit
	}
	return p, nil
}
