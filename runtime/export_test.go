package runtime

// This file gives tests what programs do not need.

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/gospmd/gospmd/internal/cache"
)

// KeepAll makes the compilation cache keep what compiles fast, too.
func KeepAll(t testing.TB) {
	before := cache.WorthKeeping
	cache.WorthKeeping = 0
	t.Cleanup(func() { cache.WorthKeeping = before })
}

// TransportOf returns what moves the data of collectives of a client in a job.
func TransportOf(c *Client) string {
	if c.job.device == c.job.host {
		return transportTCP
	}
	return transportGloo
}

// BreakConnections closes what a client sends data by, as its death would.
func BreakConnections(c *Client) {
	why := errors.New("the connection is broken")
	_ = c.job.host.Close(why)
	_ = c.job.device.Close(why)
}

// PrintOf is printOf.
var PrintOf = printOf

// LieAboutLength takes the first step of an exchange with another process: it says that the
// value of this one has n bytes.
func LieAboutLength(c *Client, name string, n uint64) error {
	lengths := make([][]byte, c.job.size)
	for i := range lengths {
		lengths[i] = binary.LittleEndian.AppendUint64(nil, n)
	}
	return c.job.exchangeWithAll(context.Background(), name+" lengths", c.job.all(), lengths)
}
