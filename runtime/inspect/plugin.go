//go:build cgo

package inspect

// This file loads the plugin in the child process.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
)

// look loads the plugin of q and calls answer twice: first with the plugin's versions, attributes
// and extensions, then with these and its devices or, if they cannot be opened, with these and the
// reason in Failed. If the plugin cannot be loaded, it calls answer once, with only the reason. It
// opens the devices as programs do, which may end the process.
func look(q question, answer func(Report)) {
	p, err := pjrtapi.Load(q.Plugin)
	if err != nil {
		answer(Report{Failed: err.Error()})
		return
	}
	r := Report{}
	describe(&r, p)
	answer(r)
	client, err := runtime.Open(context.Background(), runtime.Options{Platform: q.Platform, Plugin: q.Plugin, Engine: runtime.EnginePJRT})
	if err != nil {
		r.Failed = reason(err, q.Plugin)
		answer(r)
		return
	}
	for _, d := range client.Devices() {
		r.Devices = append(r.Devices, Device{Kind: d.Kind, Memory: d.Memory})
	}
	answer(r)
	client.Close()
}

// describe sets the versions, the extensions and the attributes of the plugin p in the report r.
func describe(r *Report, p *pjrtapi.Plugin) {
	major, minor := p.Version()
	r.API, r.Extensions = fmt.Sprintf("%d.%d", major, minor), p.Extensions()
	for name, value := range p.Attributes() {
		r.Attributes = append(r.Attributes, Attribute{name, text(value)})
	}
	slices.SortFunc(r.Attributes, func(a, b Attribute) int { return strings.Compare(a.Name, b.Name) })
	for _, a := range r.Attributes {
		if a.Name == "stablehlo_current_version" {
			r.StableHLO = a.Value
		}
	}
}

// text returns an attribute's value as text. A list is a version: its numbers are joined by dots.
func text(value any) string {
	list, ok := value.([]int64)
	if !ok {
		return fmt.Sprint(value)
	}
	var words []string
	for _, n := range list {
		words = append(words, fmt.Sprint(n))
	}
	return strings.Join(words, ".")
}

// reason returns the text of err without its beginning, which names the plugin at path.
func reason(err error, path string) string {
	return strings.TrimPrefix(err.Error(), "runtime: PJRT plugin "+path+": ")
}
