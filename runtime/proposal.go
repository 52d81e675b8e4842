package runtime

// This file chooses the engine, the transport and the link of a job before anything is
// opened: the processes tell each other what each wants and can do, and all draw the
// same conclusion from that.

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/gospmd/gospmd/runtime/plugin"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

// The values of Options.Transport and of the environment variable GOSPMD_TRANSPORT.
const (
	transportGloo = "gloo"
	transportTCP  = "tcp"
	transportVar  = "GOSPMD_TRANSPORT"
)

// setting is a value that the user has set, by an option or a variable.
type setting struct {
	Name string // what the user has set; empty if nothing
	From string // the option or the variable by which the user has set it
}

// settingOf returns the value of an option, or of an environment variable if the option is empty.
func settingOf(value, option, variable string) setting {
	if value != "" {
		return setting{value, option}
	}
	return setting{os.Getenv(variable), variable}
}

// proposal is what one process of a job wants and can do: the engine, the transport and the link
// that its user has set, whether it encrypts, and why it lacks PJRT or Gloo.
type proposal struct {
	Engine, Transport, Link setting
	TLS                     bool
	NoPJRT, NoGloo          string // why the process cannot use PJRT or Gloo; empty if it can
}

// propose returns the proposal of this process. encrypts says whether the job uses TLS. propose
// compiles Gloo's part and installs the plugin, unless the user's choice needs neither.
func (o Options) propose(ctx context.Context, encrypts bool) (proposal, error) {
	p := proposal{
		Engine:    o.engineSetting(),
		Transport: settingOf(o.Transport, "Options.Transport", transportVar),
		Link:      settingOf(o.Link.setting(), "Options.Link", linkVar),
		TLS:       encrypts,
	}
	if p.Engine.Name == "" || p.Engine.Name == EnginePJRT {
		p.NoPJRT = reason(o.findPJRT(ctx))
	}
	gloos := p.Transport.Name == "" && p.Engine.Name != EngineGo && p.NoPJRT == ""
	if gloos && o.Platform == defaultPlatform && !p.TLS || p.Transport.Name == transportGloo {
		p.NoGloo = reason(gloo.CheckAvailable(ctx, o.Logger))
	}
	return p, context.Cause(ctx)
}

// engineSetting returns the engine that the user names. A platform or a plugin that only PJRT has
// counts as naming it.
func (o Options) engineSetting() setting {
	s := settingOf(o.Engine, "Options.Engine", engineVar)
	switch {
	case s.Name != "":
	case o.Platform != defaultPlatform:
		return setting{EnginePJRT, "the platform " + o.Platform}
	case o.Plugin != "" || HasPJRT && (plugin.Options{Platform: o.Platform}).NamesPlugin():
		return setting{EnginePJRT, "the name of a plugin"}
	}
	return s
}

// findPJRT returns an error if this process cannot use PJRT. It may install the plugin.
func (o Options) findPJRT(ctx context.Context) error {
	if !HasPJRT {
		return errors.New("its binary was built without cgo")
	}
	_, err := plugin.Find(ctx, plugin.Options{Platform: o.Platform, Path: o.Plugin, Logger: o.Logger})
	return err
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// decision is what all processes of a job use.
type decision struct {
	Engine, Transport string
	Link              string   // the link that the user has set; empty if none
	Notices           []string // texts that process 0 logs
}

// decide chooses the engine, the transport and the link for all processes. proposals are theirs, by
// rank; platform is that of their devices. All processes call it with the same proposals and get
// the same result. Proposals that differ, and unknown names, are errors.
func decide(proposals []proposal, platform string) (d decision, err error) {
	if d.Engine, err = choose(proposals, "engine", engineVar, func(p proposal) setting { return p.Engine }, EnginePJRT, EngineGo); err != nil {
		return d, err
	}
	if d.Transport, err = choose(proposals, "transport", transportVar, func(p proposal) setting { return p.Transport }, transportGloo, transportTCP); err != nil {
		return d, err
	}
	if d.Link, err = choose(proposals, "link", linkVar, func(p proposal) setting { return p.Link }); err != nil {
		return d, err
	}
	if err := d.decideEngine(proposals); err != nil {
		return d, err
	}
	return d, d.decideTransport(proposals, platform)
}

// choose returns the value of a setting that the processes have chosen; empty if none has. of takes
// the setting from a proposal. It is an error if processes have chosen different values, or a value
// that known, which has two or none, does not list. No known value means that each is allowed. what
// and variable name the setting and its environment variable in errors.
func choose(proposals []proposal, what, variable string, of func(proposal) setting, known ...string) (string, error) {
	first := -1
	for rank, p := range proposals {
		s := of(p)
		if s.Name == "" {
			continue
		}
		if valid := len(known) == 0 || s.Name == known[0] || s.Name == known[1]; !valid {
			return "", fmt.Errorf("process %d: %s is %q: want %q, %q, or nothing for the default", rank, s.From, s.Name, known[0], known[1])
		}
		if first < 0 {
			first = rank
		}
		if f := of(proposals[first]); f.Name != s.Name {
			return "", fmt.Errorf("process %d has the %s %q (from %s), process %d has %q (from %s): set %s to the same in all processes",
				first, what, f.Name, f.From, rank, s.Name, s.From, variable)
		}
	}
	if first < 0 {
		return "", nil
	}
	return of(proposals[first]).Name, nil
}

// findLacking returns the first process whose proposal lacks something, which of returns as a text,
// and that text; -1 if none does.
func findLacking(proposals []proposal, of func(proposal) string) (rank int, why string) {
	for rank, p := range proposals {
		if of(p) != "" {
			return rank, of(p)
		}
	}
	return -1, ""
}

// decideEngine sets the engine, if the user has not set it: PJRT, if all processes have PJRT, or
// else the engine written in Go. It is an error if the user has set PJRT and a process cannot use
// it.
func (d *decision) decideEngine(proposals []proposal) error {
	rank, why := findLacking(proposals, func(p proposal) string { return p.NoPJRT })
	switch {
	case d.Engine == EngineGo:
	case rank < 0:
		d.Engine = EnginePJRT
	case d.Engine == EnginePJRT:
		return fmt.Errorf("process %d cannot use the engine %q: %s", rank, EnginePJRT, why)
	default:
		d.Engine = EngineGo
		d.Notices = append(d.Notices, fmt.Sprintf("gospmd: programs run on the engine written in Go, which is slower than XLA (%s=%s chooses it without this line), because process %d cannot use PJRT: %s",
			engineVar, EngineGo, rank, why))
	}
	return nil
}

// decideTransport sets the transport, if the user has not set it: Gloo for PJRT on CPUs, if all
// processes have it and do not encrypt. It is an error if the user has set Gloo and the job has
// TLS, or a process lacks Gloo.
func (d *decision) decideTransport(proposals []proposal, platform string) error {
	encrypts := false
	for _, p := range proposals {
		encrypts = encrypts || p.TLS
	}
	rank, why := findLacking(proposals, func(p proposal) string { return p.NoGloo })
	switch named := d.Transport == transportGloo; {
	case d.Transport == transportTCP:
	case named && encrypts:
		return fmt.Errorf("the transport %q sends tensors in plain text, and the job has TLS: set %s=%s, or leave it empty", transportGloo, transportVar, transportTCP)
	case named && rank >= 0:
		return fmt.Errorf("process %d cannot use the transport %q: %s; %s=%s, or nothing, does not need it", rank, transportGloo, why, transportVar, transportTCP)
	case named:
	case d.Engine == EngineGo || platform != defaultPlatform || encrypts:
		d.Transport = transportTCP
	case rank >= 0:
		d.Transport = transportTCP
		d.Notices = append(d.Notices, fmt.Sprintf("gospmd: processes send large tensors over tcp, which is slower than Gloo: process %d has no Gloo: %s (%s=%s says so without this line)",
			rank, why, transportVar, transportTCP))
	default:
		d.Transport = transportGloo
	}
	return nil
}

// decide exchanges proposals with the other processes and returns the options that all of them use.
// Proposals that do not go together are an error.
func (j *job) decide(ctx context.Context, o Options) (Options, error) {
	mine, err := o.propose(ctx, j.service.TLS() != nil)
	if err != nil {
		return o, err
	}
	proposals, err := share(j.all(), "proposal", mine, func(value []byte) ([][]byte, error) { return j.service.Exchange(ctx, "proposals", value) })
	if err != nil {
		return o, err
	}
	d, err := decide(proposals, o.Platform)
	if err != nil {
		return o, err
	}
	if j.rank == 0 {
		for _, line := range d.Notices {
			warn(o.Logger, line)
		}
	}
	o.Engine, o.Transport = d.Engine, d.Transport
	if d.Link != "" {
		o.Link, err = ParseLink(d.Link)
	}
	return o, err
}
