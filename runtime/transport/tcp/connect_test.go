package tcp_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/tcp"
)

// If job, size or rank of two processes do not fit together, the one that dials must get an error
// that says so, within a minute. Rank 0 goes on to wait for the right process until its context
// ends.
func TestRefused(t *testing.T) {
	for _, tc := range []struct {
		name       string
		zero, one  tcp.Options
		rank, size int // rank and size that the second process claims
		want       string
	}{
		{"another job", tcp.Options{Job: "a/1"}, tcp.Options{Job: "a/2"}, 1, 2, `cannot connect to rank 0 at 127.0.0.1:`},
		{"another job is named", tcp.Options{Job: "a/1"}, tcp.Options{Job: "a/2"}, 1, 2, `it belongs to job "a/1", not to "a/2"`},
		{"another size", tcp.Options{}, tcp.Options{}, 1, 3, "it is one of 2 processes, not of 3"},
		{"another rank", tcp.Options{}, tcp.Options{}, 2, 3, "rank 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			zero, err := tcp.Listen("127.0.0.1:0", tc.zero)
			require.NoError(t, err)
			one, err := tcp.Listen("127.0.0.1:0", tc.one)
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			var wait sync.WaitGroup
			wait.Go(func() {
				_, err := zero.Connect(ctx, 0, []string{zero.Addr(), one.Addr()})
				require.ErrorContains(t, err, "tcp: rank 0 cannot connect to ranks [1]")
			})
			peers := make([]string, tc.size)
			for i := range peers {
				peers[i] = zero.Addr()
			}
			_, err = one.Connect(ctx, tc.rank, peers)
			require.ErrorContains(t, err, tc.want)
			require.NoError(t, ctx.Err(), "it waited")
			cancel() // rank 0 goes on to wait for the right process
			wait.Wait()
		})
	}
}

func TestMissing(t *testing.T) {
	l, err := tcp.Listen("127.0.0.1:0", tcp.Options{})
	require.NoError(t, err)
	gone, err := tcp.Listen("127.0.0.1:0", tcp.Options{})
	require.NoError(t, err)
	gone.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err = l.Connect(ctx, 1, []string{gone.Addr(), l.Addr(), "127.0.0.1:1"})
	require.ErrorContains(t, err, "tcp: rank 1 cannot connect to ranks [0 2]")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = l.Connect(ctx, 3, []string{"a"})
	require.ErrorContains(t, err, "rank 3, want one below 1")
	_, err = tcp.Listen("192.0.2.1:0", tcp.Options{})
	require.ErrorContains(t, err, "192.0.2.1")
}

// selfSignedConfig returns a TLS configuration for both ends of a connection: it has a new
// certificate for the loopback address, and demands that certificate of the other end.
func selfSignedConfig(t *testing.T) *tls.Config {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	known := x509.NewCertPool()
	known.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, RootCAs: known, ClientCAs: known, ClientAuth: tls.RequireAndVerifyClientCert}
}

func TestTLS(t *testing.T) {
	ts := open(t, 3, tcp.Options{TLS: selfSignedConfig(t)})
	var wait sync.WaitGroup
	for _, tr := range ts[:2] {
		wait.Go(func() {
			got := make([]byte, 3)
			err := tr.Exchange(context.Background(), 1, []transport.Message{{Rank: 1 - tr.Rank(), Data: []byte("abc")}}, []transport.Message{{Rank: 1 - tr.Rank(), Data: got}})
			require.NoError(t, err)
			require.Equal(t, "abc", string(got))
		})
	}
	wait.Wait()
	for name, o := range map[string]tcp.Options{"in the clear": {}, "another certificate": {TLS: selfSignedConfig(t)}} {
		l, err := tcp.Listen("127.0.0.1:0", tcp.Options{TLS: selfSignedConfig(t)})
		require.NoError(t, err)
		intruder, err := tcp.Listen("127.0.0.1:0", o)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		go l.Connect(ctx, 0, []string{l.Addr(), intruder.Addr()})
		_, err = intruder.Connect(ctx, 1, []string{l.Addr(), intruder.Addr()})
		require.Error(t, err, name)
	}
}

// A process sends at most one window of messages before the receiver waits for them. It needs no
// goroutine for each message.
func TestWindow(t *testing.T) {
	ts := open(t, 2, tcp.Options{})
	const n, count = 50_000, 200
	before := runtime.NumGoroutine()
	ended := make(chan int, count)
	for i := range count {
		go func() {
			_ = ts[0].Exchange(context.Background(), uint64(i), []transport.Message{{Rank: 1, Data: make([]byte, n)}}, nil)
			ended <- i
		}()
	}
	require.Eventually(t, func() bool { return len(ended) == 4<<20/(n+64) }, time.Minute, 10*time.Millisecond)
	time.Sleep(100 * time.Millisecond)
	require.Len(t, ended, 4<<20/(n+64), "messages sent that nobody waits for")
	// The runtime starts goroutines of its own, for finalizers for example. A goroutine for each
	// message that was sent would be len(ended) more.
	require.Less(t, runtime.NumGoroutine(), before+count-len(ended)/2, "only callers wait")
	for i := range count {
		require.NoError(t, ts[1].Exchange(context.Background(), uint64(i), nil, []transport.Message{{Rank: 0, Data: make([]byte, n)}}))
	}
	require.Eventually(t, func() bool { return len(ended) == count }, time.Minute, 10*time.Millisecond)
}

// Messages that a process sent before it closed arrive. Waiting for another one is then an error
// that says that the process gave up.
func TestSentBeforeClose(t *testing.T) {
	ts := open(t, 2, tcp.Options{})
	require.NoError(t, ts[1].Exchange(context.Background(), 1, []transport.Message{{Rank: 0, Data: []byte("last words")}}, nil))
	require.NoError(t, ts[1].Close(nil))
	got := make([]byte, 10)
	require.NoError(t, ts[0].Exchange(context.Background(), 1, nil, []transport.Message{{Rank: 1, Data: got}}))
	require.Equal(t, "last words", string(got))
	require.ErrorContains(t, ts[0].Exchange(context.Background(), 1, nil, []transport.Message{{Rank: 1, Data: got}}), "rank 1 gave up: the transport is closed")
}

const childVar = "GOSPMD_TCP_TEST_CHILD"

// TestChild is the process that TestLost ends: rank 1, which takes part in one
// operation.
func TestChild(t *testing.T) {
	parent := os.Getenv(childVar)
	if parent == "" {
		t.Skip("it is run by TestLost")
	}
	l, err := tcp.Listen("127.0.0.1:0", tcp.Options{})
	require.NoError(t, err)
	tr, err := l.Connect(context.Background(), 1, []string{parent, l.Addr()})
	require.NoError(t, err)
	require.NoError(t, tr.Exchange(context.Background(), 1, []transport.Message{{Rank: 0, Data: []byte{1}}}, nil))
	fmt.Println("sent")
	select {}
}

// A process that is killed must be noticed within 4 s, with an error that names it, and, in the
// long form, one that is stopped within 30 s. Close must end within 20 s after that. The limits
// leave time for a busy machine.
func TestLost(t *testing.T) {
	for _, tc := range []struct {
		signal syscall.Signal
		within time.Duration
	}{{syscall.SIGKILL, 4 * time.Second}, {syscall.SIGSTOP, 30 * time.Second}} {
		if tc.signal == syscall.SIGSTOP && !longtest.Enabled() {
			continue
		}
		l, err := tcp.Listen("127.0.0.1:0", tcp.Options{})
		require.NoError(t, err)
		child := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.v")
		child.Env = append(os.Environ(), childVar+"="+l.Addr())
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		defer child.Wait()
		defer child.Process.Kill()
		tr, err := l.Connect(t.Context(), 0, []string{l.Addr(), ""})
		require.NoError(t, err)
		require.NoError(t, tr.Exchange(t.Context(), 1, nil, []transport.Message{{Rank: 1, Data: make([]byte, 1)}}))
		for lines := bufio.NewScanner(out); lines.Scan() && !strings.Contains(lines.Text(), "sent"); {
		}
		start := time.Now()
		require.NoError(t, child.Process.Signal(tc.signal))
		err = tr.Exchange(t.Context(), 2, nil, []transport.Message{{Rank: 1, Data: make([]byte, 1)}})
		require.ErrorContains(t, err, "rank 0 has lost its connection to rank 1")
		require.Less(t, time.Since(start), tc.within, "%v", tc.signal)
		start = time.Now()
		require.NoError(t, tr.Close(nil))
		require.Less(t, time.Since(start), 20*time.Second)
	}
}
