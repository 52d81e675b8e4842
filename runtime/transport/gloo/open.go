//go:build cgo

package gloo

// This file connects the processes: all of them in Open, and a group of them when it reduces for
// the first time.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/runtime/transport"
)

// CheckAvailable returns nil where Open can find Gloo, and else why not. It loads the shim, and
// compiles it if that has not been done on this machine: then it tells the logger, or for nil
// slog.Default.
func CheckAvailable(ctx context.Context, l *slog.Logger) error {
	if err := loadShim(ctx, l); err != nil {
		return fmt.Errorf("gloo: %w", causeOf(ctx, err))
	}
	return nil
}

// Open connects this process with all others, which must Open too. It returns when all are
// connected. The first use on a machine compiles a part of it. It returns an error if Gloo or a
// compiler is missing, if the host is not of this machine, or if ctx ends before all are connected.
func Open(ctx context.Context, o Options) (transport.Transport, error) {
	if o.Rank < 0 || o.Rank >= o.Size {
		return nil, fmt.Errorf("gloo: rank %d, want one below %d, the number of processes", o.Rank, o.Size)
	}
	if err := loadShim(ctx, o.Logger); err != nil {
		return nil, fmt.Errorf("gloo: %w", causeOf(ctx, err))
	}
	address, err := ownAddress(ctx, o.Host)
	if err != nil {
		return nil, fmt.Errorf("gloo: cannot listen at %s: %w", o.Host, causeOf(ctx, err))
	}
	d, err := newDevice(address)
	if err != nil {
		return nil, fmt.Errorf("gloo: cannot listen at %s: %w", o.Host, err)
	}
	t := newTransport(o, d)
	all := make([]int, o.Size)
	for i := range all {
		all[i] = i
	}
	if t.all, err = t.group(ctx, all); err != nil {
		t.Close(err)
		return nil, fmt.Errorf("gloo: rank %d cannot connect to the others: %w", o.Rank, err)
	}
	return t, nil
}

// causeOf returns the cause of the end of ctx, if it has ended, and else err.
func causeOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// ownAddress returns the first address of the host name that this machine can listen on. Gloo
// crashes if a name has no address: here that is an error, and so is an address of another machine.
func ownAddress(ctx context.Context, host string) (string, error) {
	addresses, err := net.DefaultResolver.LookupHost(ctx, host)
	if err != nil {
		return "", err
	}
	var faults []error
	for _, a := range addresses {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(a, "0"))
		if err == nil {
			return a, l.Close()
		}
		faults = append(faults, err)
	}
	return "", errors.Join(faults...)
}

// group is a subset of the ranks, and the connections between them.
type group struct {
	ranks []int // ascending
	connections
	ready chan struct{} // closed when the group is connected, or err is set
	err   error
}

// group returns the connections between ranks, which must be ascending. The first call with these
// ranks connects them, and waits until each of the ranks has made that call; if that fails, later
// calls return the same error.
func (t *glooTransport) group(ctx context.Context, ranks []int) (*group, error) {
	key := fmt.Sprint(ranks)
	t.mu.Lock()
	g := t.groups[key]
	if g == nil && t.err == nil {
		g = &group{ranks: ranks, ready: make(chan struct{})}
		t.groups[key] = g
		t.active.Go(func() {
			g.err = t.connect(g)
			close(g.ready)
		})
	}
	err := t.err
	t.mu.Unlock()
	if g == nil {
		return nil, err
	}
	select {
	case <-g.ready:
		return g, g.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// connect connects this process with the other ranks of the group g, and starts to watch the
// connections: if one breaks, the transport fails. A group of one needs no connection.
func (t *glooTransport) connect(g *group) error {
	if len(g.ranks) == 1 {
		return nil
	}
	self := slices.Index(g.ranks, t.rank)
	c, mine, err := newConnections(t.device, self, len(g.ranks))
	if err != nil {
		return err
	}
	if err := t.register(g, c); err != nil {
		c.free()
		return err
	}
	addresses, err := t.exchangeAddresses(g.ranks, mine)
	if err != nil {
		return err
	}
	if err := c.connect(addresses); err != nil {
		if cause := t.cause(); cause != nil {
			return cause
		}
		return err
	}
	t.active.Go(func() {
		err := c.watch()
		t.fail(t.diagnose(g, err))
	})
	return nil
}

// register stores the connections of a group, so that fail ends their operations. It returns the
// error if the transport has failed already.
func (t *glooTransport) register(g *group, c connections) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		g.connections = c
	}
	return t.err
}

// exchangeAddresses sets mine in the Store for the other ranks, and returns the addresses of all
// ranks, one behind the other, in order. An address of another length, from another version of
// Gloo, is an error.
func (t *glooTransport) exchangeAddresses(ranks []int, mine []byte) ([]byte, error) {
	key := func(rank int) string {
		return fmt.Sprintf("gloo/%s/%s/%d", t.options.Name, strings.Trim(strings.ReplaceAll(fmt.Sprint(ranks), " ", ","), "[]"), rank)
	}
	if err := t.options.Store.Set(t.ctx, key(t.rank), mine); err != nil {
		return nil, err
	}
	var out []byte
	for _, rank := range ranks {
		theirs, err := t.options.Store.Get(t.ctx, key(rank))
		if err != nil {
			return nil, fmt.Errorf("the address of rank %d: %w", rank, err)
		}
		if len(theirs) != len(mine) {
			return nil, fmt.Errorf("rank %d has an address of %d bytes, want %d: use the same version of Gloo everywhere", rank, len(theirs), len(mine))
		}
		out = append(out, theirs...)
	}
	return out, nil
}
