package jobtls_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

const secret = "0123456789abcdef0123456789abcdef"

// talk connects a server and a client with these credentials by TLS, sends a byte to the client,
// and returns the errors of both ends.
func talk(t *testing.T, server, client *jobtls.Credentials) (serverErr, clientErr error) {
	a, b := net.Pipe()
	defer a.Close()
	done := make(chan error, 1)
	go func() {
		s := tls.Server(a, server.Config())
		_, err := s.Write([]byte("x")) // the handshake comes first
		if err != nil {
			a.Close()
		}
		done <- err
	}()
	c := tls.Client(b, client.Config())
	_, clientErr = c.Read(make([]byte, 1))
	b.Close()
	return <-done, clientErr
}

// Members of one job can connect to each other. Members of different jobs cannot.
func TestMutual(t *testing.T) {
	one, err := jobtls.FromSecret(secret)
	require.NoError(t, err)
	same, err := jobtls.FromSecret(secret)
	require.NoError(t, err)
	other, err := jobtls.FromSecret(secret + "x")
	require.NoError(t, err)
	random, err := jobtls.New()
	require.NoError(t, err)
	coordinator, err := one.Coordinator()
	require.NoError(t, err)
	for name, tc := range map[string]struct {
		authority *jobtls.Authority
		fails     bool
	}{"same secret": {same, false}, "another secret": {other, true}, "another job": {random, true}} {
		t.Run(name, func(t *testing.T) {
			process, err := tc.authority.Process(1)
			require.NoError(t, err)
			serverErr, clientErr := talk(t, coordinator, process)
			require.Equal(t, tc.fails, serverErr != nil)
			require.Equal(t, tc.fails, clientErr != nil)
		})
	}
}

func TestShortSecret(t *testing.T) {
	_, err := jobtls.FromSecret(secret[:31])
	require.EqualError(t, err, "jobtls: the secret of the job has 31 bytes, want at least 32 random ones: make one with openssl rand -hex 32")
}

// Credentials that are written and read again are the same. Another name gives other files, and
// only their owner can read the key. A file without a certificate in place of the CA's is an error.
func TestFiles(t *testing.T) {
	a, err := jobtls.New()
	require.NoError(t, err)
	written, err := a.Process(3)
	require.NoError(t, err)
	dir := t.TempDir()
	f, err := written.Write(dir, "own")
	require.NoError(t, err)
	next, err := written.Write(dir, "next")
	require.NoError(t, err)
	for _, file := range []string{next.Cert, next.Key, next.CA} {
		require.NotContains(t, []string{f.Cert, f.Key, f.CA}, file, "a process that has been started may be reading its files")
	}
	read, err := jobtls.Load(f.Cert, f.Key, f.CA)
	require.NoError(t, err)
	require.Equal(t, jobtls.Fingerprint(written.Certificate()), jobtls.Fingerprint(read.Certificate()))
	serverErr, clientErr := talk(t, read, written)
	require.NoError(t, serverErr)
	require.NoError(t, clientErr)
	info, err := os.Stat(f.Key)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	_, err = jobtls.Load(f.Cert, f.Key, f.Key)
	require.ErrorContains(t, err, "has no certificate in PEM")
}

func TestRankOf(t *testing.T) {
	for _, tc := range []struct {
		uris        string
		rank        int
		err         string
		coordinates bool
	}{
		{"", -1, "", true},
		{"https://example.com/rank/3", -1, "", true},
		{"gospmd://coordinator", -1, "", true},
		{"gospmd://rank/0", 0, "", true},
		{"gospmd://rank/12", 12, "", false},
		{"https://example.com gospmd://rank/2", 2, "", false},
		{"gospmd://rank/01", -1, `has the identity "gospmd://rank/01", want one such as gospmd://rank/3`, false},
		{"gospmd://rank/-1", -1, "want one such as", false},
		{"gospmd://rank/", -1, "want one such as", false},
		{"gospmd://other", -1, "want one such as", false},
		{"gospmd://rank/1 gospmd://rank/2", -1, "has the identities gospmd://rank/1 and gospmd://rank/2, want one", false},
	} {
		cert := &x509.Certificate{}
		for _, text := range strings.Fields(tc.uris) {
			uri, err := url.Parse(text)
			require.NoError(t, err)
			cert.URIs = append(cert.URIs, uri)
		}
		rank, err := jobtls.RankOf(cert)
		require.Equal(t, tc.rank, rank, tc.uris)
		if tc.err == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, tc.err)
		}
		require.Equal(t, tc.coordinates, jobtls.CheckCoordinator(cert) == nil, tc.uris)
	}
}
