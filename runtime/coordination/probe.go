package coordination

// This file asks once what listens at the address of the coordinator. It does so without gRPC,
// which would only retry and hide the reason: the two sides may have different credentials, or
// another program may listen there.

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"
)

// mismatch is an error that retrying cannot remove.
type mismatch struct{ why string }

func (e *mismatch) Error() string { return e.why }

func mismatchf(format string, args ...any) error { return &mismatch{fmt.Sprintf(format, args...)} }

// probeTimeout bounds the wait for an answer. A gRPC server answers at once.
const probeTimeout = 2 * time.Second

// probe tries the endpoints once each. It returns nil if one of them speaks gRPC with the TLS
// configuration config, and otherwise the last error. A *mismatch, which trying again cannot
// remove, ends it at once.
func (s *Service) probe(ctx context.Context, config *tls.Config) error {
	var last error
	for _, endpoint := range s.options.endpoints() {
		err := s.probeOne(ctx, endpoint, config)
		if err == nil || errors.As(err, new(*mismatch)) {
			return err
		}
		last = err
	}
	return last
}

// The beginning of a connection of HTTP/2, which gRPC uses, and an empty frame of
// settings. A server answers with its own frame, of type 4.
const (
	preface      = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	frameHeader  = 9
	settingsType = 4
)

func (s *Service) probeOne(ctx context.Context, endpoint string, config *tls.Config) error {
	conn, err := dial(ctx, endpoint)
	if err != nil {
		return err
	}
	defer conn.Close()
	if config == nil {
		err := greet(conn)
		if isHangUp(err) && talksTLS(ctx, endpoint) {
			return mismatchf("it talks TLS, and this process has no credentials: give it those of the job, %s or %s, %s and %s", VariableSecret, VariableCert, VariableKey, VariableCA)
		}
		return err
	}
	config = config.Clone()
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(endpoint)
	}
	secure := tls.Client(conn, config)
	if err = secure.HandshakeContext(ctx); err == nil {
		err = greet(secure) // TLS 1.3 refuses a certificate after the handshake
	}
	if isHangUp(err) && talksPlain(ctx, endpoint) {
		return s.withoutTLSError()
	}
	return s.explainTLS(err)
}

// greet begins a connection of HTTP/2 on conn and reads the answer. It returns an error if the
// other side does not speak HTTP/2: a *mismatch if it answers something else.
func greet(conn net.Conn) error {
	if _, err := io.WriteString(conn, preface); err != nil {
		return err
	}
	answer := make([]byte, 80)
	n, err := io.ReadAtLeast(conn, answer, frameHeader)
	switch {
	case n >= frameHeader && answer[3] == settingsType:
		return nil
	case n > 0:
		line, _, _ := bytes.Cut(answer[:n], []byte("\r\n"))
		return mismatchf("what answers there is not a coordinator (it says %q)", line)
	}
	return err
}

// dial connects to the endpoint (host:port) by TCP. Connecting, and what is read and written then,
// must be over within probeTimeout.
func dial(ctx context.Context, endpoint string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", endpoint)
	if err != nil {
		return nil, err
	}
	return conn, conn.SetDeadline(time.Now().Add(probeTimeout))
}

// withoutTLSError returns the error for a coordinator without TLS, if this process has credentials.
func (s *Service) withoutTLSError() error {
	return mismatchf("it talks without TLS, and this process has %s: give both sides the same credentials, or neither", s.options.describeCredentials())
}

// explainTLS returns, for an error of TLS, one in terms of the credentials of each side: a
// *mismatch. Other errors, and nil, stay as they are.
func (s *Service) explainTLS(err error) error {
	var record tls.RecordHeaderError
	var verify *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var remote *net.OpError
	has := s.options.describeCredentials()
	switch {
	case errors.As(err, &record):
		return s.withoutTLSError()
	case errors.As(err, &verify) && errors.As(err, &authority):
		return mismatchf("its certificate is not of the CA of this process, which has %s: give both sides the same (%v)", has, err)
	case errors.As(err, &verify):
		return mismatchf("its certificate does not fit: %v", err)
	case errors.As(err, &remote) && remote.Op == "remote error":
		return mismatchf("it refuses this process, which has %s: its certificate must be of the coordinator's CA (%v)", has, err)
	}
	return err
}

// isHangUp reports whether err means that the other side has closed the connection.
func isHangUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// talksPlain reports whether the program at the address speaks gRPC without TLS.
func talksPlain(ctx context.Context, endpoint string) bool {
	conn, err := dial(ctx, endpoint)
	if err != nil {
		return false
	}
	defer conn.Close()
	return greet(conn) == nil
}

// talksTLS reports whether the program at the address answers a TLS handshake. The handshake
// verifies no certificate and sends none.
func talksTLS(ctx context.Context, endpoint string) bool {
	conn, err := dial(ctx, endpoint)
	if err != nil {
		return false
	}
	defer conn.Close()
	seen := false
	config := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}, VerifyConnection: func(tls.ConnectionState) error {
		seen = true
		return nil
	}}
	tls.Client(conn, config).HandshakeContext(ctx) //nolint:errcheck // the server may refuse a client without a certificate
	return seen
}
