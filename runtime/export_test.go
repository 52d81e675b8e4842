package runtime

// This file exports internals of the package to its tests.

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/gospmd/gospmd/internal/cache"
)

// KeepAll makes the compilation cache store also programs that compile fast, until the test ends.
func KeepAll(t testing.TB) {
	before := cache.WorthKeeping
	cache.WorthKeeping = 0
	t.Cleanup(func() { cache.WorthKeeping = before })
}

// TransportOf returns the name of the transport of a client's collectives.
func TransportOf(c *Client) string {
	if c.job.device == c.job.host {
		return transportTCP
	}
	return transportGloo
}

// BreakConnections closes the connections of a client, as its death would.
func BreakConnections(c *Client) {
	why := errors.New("the connection is broken")
	_ = c.job.host.Close(why)
	_ = c.job.device.Close(why)
}

// PrintOf is printOf.
var PrintOf = printOf

// LieAboutLength takes the first step of an exchange with other processes under the given name: it
// announces a value of n bytes, and sends none.
func LieAboutLength(c *Client, name string, n uint64) error {
	lengths := make([][]byte, c.job.size)
	for i := range lengths {
		lengths[i] = binary.LittleEndian.AppendUint64(nil, n)
	}
	return c.job.exchangeWithAll(context.Background(), name+" lengths", c.job.all(), lengths)
}

// Starts reports whether executions of e are started without waiting for their end.
func Starts(e *Executable) bool {
	_, ok := e.loaded.(*asyncProgram).raw.(Starter)
	return ok
}
