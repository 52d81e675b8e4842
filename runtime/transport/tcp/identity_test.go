package tcp_test

// This file tests TLS: processes prove their ranks, and tensors are encrypted.

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/tcp"
)

// authority issues certificates for ranks: a CA of a test, with its key.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) authority {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return authority{cert, key}
}

// options returns the options of a process whose certificate, signed by the authority, names the
// rank. It accepts from other processes only certificates of the authority with their rank.
func (a authority) options(t *testing.T, rank int) tcp.Options {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(int64(rank) + 2), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		Subject: pkix.Name{CommonName: fmt.Sprint("rank ", rank)}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	require.NoError(t, err)
	known := x509.NewCertPool()
	known.AddCert(a.cert)
	config := &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, RootCAs: known, ClientCAs: known, ClientAuth: tls.RequireAndVerifyClientCert}
	return tcp.Options{TLS: config, VerifyPeer: func(rank int, cert *x509.Certificate) error {
		if want := fmt.Sprint("rank ", rank); cert.Subject.CommonName != want {
			return fmt.Errorf("its certificate is that of %s", cert.Subject.CommonName)
		}
		return nil
	}}
}

// connect connects rank 0, with the options zero, and rank 1, with the options one. Rank 1 dials
// the address that through returns for that of rank 0. It returns the transport, or the error, of
// each rank; the end of the test closes the transports.
func connect(t *testing.T, zero, one tcp.Options, through func(address string) string) ([]transport.Transport, []error) {
	options, listeners := []tcp.Options{zero, one}, make([]*tcp.Listener, 2)
	for rank := range listeners {
		l, err := tcp.Listen("127.0.0.1:0", options[rank])
		require.NoError(t, err)
		listeners[rank] = l
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ts, errs := make([]transport.Transport, 2), make([]error, 2)
	var wait sync.WaitGroup
	for rank, l := range listeners {
		wait.Go(func() {
			if ts[rank], errs[rank] = l.Connect(ctx, rank, []string{through(listeners[0].Addr()), listeners[1].Addr()}); errs[rank] != nil {
				cancel() // the other process need not wait
			}
		})
	}
	wait.Wait()
	for _, tr := range ts {
		if tr != nil {
			t.Cleanup(func() { tr.Close(nil) })
		}
	}
	return ts, errs
}

func keepAddress(address string) string { return address }

// A process that dials with the certificate of another rank, or with none, is refused. A process
// that answers with the certificate of another rank is refused by the dialling one.
func TestVerifyPeer(t *testing.T) {
	ca := newAuthority(t)
	zero, one, two := ca.options(t, 0), ca.options(t, 1), ca.options(t, 2)
	_, errs := connect(t, zero, one, keepAddress)
	require.Equal(t, []error{nil, nil}, errs)

	_, errs = connect(t, zero, two, keepAddress)
	require.ErrorContains(t, errs[1], "it claims rank 1: its certificate is that of rank 2")
	require.ErrorContains(t, errs[0], "cannot connect to ranks [1]")

	_, errs = connect(t, two, one, keepAddress)
	require.ErrorContains(t, errs[1], "it claims rank 0: its certificate is that of rank 2")

	_, errs = connect(t, tcp.Options{VerifyPeer: zero.VerifyPeer}, tcp.Options{}, keepAddress)
	require.ErrorContains(t, errs[1], "it claims rank 1 and shows no certificate")
}

// relay passes bytes on between two processes, and records them.
type relay struct {
	mu   sync.Mutex
	seen bytes.Buffer
}

func (r *relay) Write(data []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen.Write(data)
}

// listen returns a new address whose connections the relay passes on to the given address, and
// records.
func (r *relay) listen(t *testing.T, address string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", address)
			if err != nil {
				in.Close()
				return
			}
			pass := func(to, from net.Conn) {
				_, _ = io.Copy(io.MultiWriter(r, to), from) // recorded before the receiver has it
				to.Close()
			}
			go pass(in, out)
			go pass(out, in)
		}
	}()
	return l.Addr().String()
}

// Without TLS, the recorded bytes of a connection contain the elements of tensors; with TLS they
// must not.
func TestCapture(t *testing.T) {
	ca := newAuthority(t)
	pattern := []byte("the weights of the model")
	for _, tc := range []struct {
		name      string
		zero, one tcp.Options
		seen      bool
	}{{"in the clear", tcp.Options{}, tcp.Options{}, true}, {"TLS", ca.options(t, 0), ca.options(t, 1), false}} {
		t.Run(tc.name, func(t *testing.T) {
			var r relay
			ts, errs := connect(t, tc.zero, tc.one, func(address string) string { return r.listen(t, address) })
			require.Equal(t, []error{nil, nil}, errs)
			total := 0
			for _, n := range []int{1, 1000, 100_000} { // one size that is sent at once, and larger ones
				data := bytes.Repeat(pattern, n)
				var wait sync.WaitGroup
				for rank, tr := range ts {
					wait.Go(func() {
						got := make([]byte, len(data))
						require.NoError(t, tr.Exchange(context.Background(), 1, []transport.Message{{Rank: 1 - rank, Data: data}}, []transport.Message{{Rank: 1 - rank, Data: got}}))
						require.Equal(t, data, got)
					})
				}
				wait.Wait()
				total += 2 * len(data)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			require.GreaterOrEqual(t, r.seen.Len(), total, "the relay has not seen the messages")
			require.Equal(t, tc.seen, bytes.Contains(r.seen.Bytes(), pattern))
		})
	}
}
