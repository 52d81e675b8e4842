package runtime

// This file chooses the engine.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// The engines that Options.Engine and the environment variable GOSPMD_ENGINE
// may name.
const (
	EnginePJRT = "pjrt" // XLA, through a plugin
	EngineGo   = "go"   // written in Go; slower, and always there
)

const engineVar = "GOSPMD_ENGINE"

// openEngine opens the engine that is asked for, or else PJRT and, where there
// is none for the CPU, the one written in Go, with a notice.
func openEngine(ctx context.Context, o Options) (Engine, error) {
	name, from := o.Engine, "Options.Engine"
	if name == "" {
		name, from = os.Getenv(engineVar), engineVar
	}
	switch name {
	case EnginePJRT:
		return openPJRT(ctx, o)
	case EngineGo:
		return openGo(o)
	case "":
	default:
		return nil, fmt.Errorf("%s is %q: want %q, %q, or nothing for whichever there is", from, name, EnginePJRT, EngineGo)
	}
	e, err := openPJRT(ctx, o)
	if err == nil || o.Platform != "cpu" || o.Plugin != "" || ctx.Err() != nil {
		return e, err
	}
	why := err.Error()
	if errors.Is(err, ErrNoEngine) {
		why = "this binary was built without cgo"
	}
	notify(o.Notices, fmt.Sprintf("gospmd: programs run on the engine written in Go, which is slower than XLA, for %s (%s=%s says so without this line)", why, engineVar, EngineGo))
	return openGo(o)
}

// noticed holds the notices that the process has shown.
var noticed sync.Map

// notify writes a line, once in a process.
func notify(w io.Writer, line string) {
	if w == nil {
		w = os.Stderr
	}
	if _, known := noticed.LoadOrStore(line, true); !known || w != os.Stderr {
		fmt.Fprintln(w, line)
	}
}
