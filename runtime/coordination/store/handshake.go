package store

// This file implements TLS of the store, and logs refused connections.

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc/credentials"

	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

// handshake implements TLS for gRPC, and logs the connections that it refuses.
type handshake struct {
	credentials.TransportCredentials
	refusals *refusals
}

func newHandshake(o Options) credentials.TransportCredentials {
	config := o.Credentials.Config()
	config.VerifyConnection = func(state tls.ConnectionState) error { return checkRank(state.PeerCertificates[0], o.Processes) }
	return &handshake{credentials.NewTLS(config), &refusals{log: o.Logger}}
}

// checkRank returns an error if the job, of so many processes, does not have the rank that cert
// carries, or if jobtls.RankOf refuses cert. 0 processes stand for any number. A certificate
// without a rank is accepted.
func checkRank(cert *x509.Certificate, processes int) error {
	rank, err := jobtls.RankOf(cert)
	if err == nil && processes > 0 && rank >= processes {
		err = fmt.Errorf("the certificate is that of process %d, the job has %d", rank, processes)
	}
	return err
}

func (h *handshake) ServerHandshake(raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	conn, info, err := h.TransportCredentials.ServerHandshake(raw)
	if err != nil {
		h.refusals.add(raw.RemoteAddr(), err)
	}
	return conn, info, err
}

func (h *handshake) Clone() credentials.TransportCredentials {
	return &handshake{h.TransportCredentials.Clone(), h.refusals}
}

// refusalPause is the least time between two messages about refused connections.
const refusalPause = time.Minute

// refusals counts refused connections. It logs the first one, and later ones at most once in
// refusalPause. count is their number so far, and said is the time of the last message in the log.
type refusals struct {
	log   *slog.Logger
	mu    sync.Mutex
	count int
	said  time.Time
}

func (r *refusals) add(from net.Addr, err error) {
	if err == io.EOF { // the client only checked whether the port is open
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	if time.Since(r.said) < refusalPause {
		return
	}
	r.said = time.Now()
	r.log.Warn(fmt.Sprintf("gospmd: the coordinator refuses a connection from %s (%d so far): %v", from, r.count, err))
}
