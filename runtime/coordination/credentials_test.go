package coordination_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

// pair joins a job of two processes, both in this process, each with the options that options
// returns for its rank. It returns their Services; they leave when the test ends.
func pair(t *testing.T, options func(rank int) coordination.Options) []*coordination.Service {
	address := jobtest.FreeAddress(t)
	services, errs := make([]*coordination.Service, 2), make([]error, 2)
	var wait sync.WaitGroup
	for rank := range services {
		o := options(rank)
		o.Address, o.NumProcesses, o.ProcessID, o.Logger = address, 2, rank, logTo(t)
		wait.Go(func() { services[rank], errs[rank] = coordination.Join(context.Background(), o) })
	}
	wait.Wait()
	require.Equal(t, make([]error, 2), errs)
	t.Cleanup(func() {
		for _, s := range services {
			wait.Go(func() { s.Leave(context.Background()) })
		}
		wait.Wait()
	})
	return services
}

// A peer must show the certificate that its process has joined with, and the certificate must be
// for its rank.
func TestVerifyPeer(t *testing.T) {
	const secret = "0123456789abcdef0123456789abcdef"
	services := pair(t, func(int) coordination.Options { return coordination.Options{Secret: secret} })
	own := func(rank int) *x509.Certificate { return services[rank].TLS().Certificates[0].Leaf }
	a, err := jobtls.FromSecret(secret)
	require.NoError(t, err)
	again, err := a.Process(0)
	require.NoError(t, err)
	for _, s := range services {
		config := s.TLS()
		require.Equal(t, uint16(tls.VersionTLS13), config.MinVersion)
		require.Equal(t, tls.RequireAndVerifyClientCert, config.ClientAuth)
		for rank := range 2 {
			require.NoError(t, s.VerifyPeer(rank, own(rank)))
		}
		require.ErrorContains(t, s.VerifyPeer(0, own(1)), "what says to be process 0 has the certificate of process 1")
		require.ErrorContains(t, s.VerifyPeer(0, again.Certificate()), "shows a certificate with the fingerprint ")
		require.ErrorContains(t, s.VerifyPeer(2, own(1)), "there is no process 2 in a job of 2")
		require.ErrorContains(t, s.VerifyPeer(-1, own(1)), "there is no process -1 in a job of 2")
		require.ErrorContains(t, s.VerifyPeer(1, nil), "process 1 shows no certificate")
	}
}

// A job without credentials has no TLS, and accepts no certificate.
func TestWithoutCredentials(t *testing.T) {
	services := pair(t, func(int) coordination.Options { return coordination.Options{} })
	require.Nil(t, services[0].TLS())
	a, err := jobtls.New()
	require.NoError(t, err)
	c, err := a.Process(1)
	require.NoError(t, err)
	require.ErrorContains(t, services[0].VerifyPeer(1, c.Certificate()), "fingerprint")
}
