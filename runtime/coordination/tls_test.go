package coordination_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// authority is a CA of a test, which signs certificates; file has its own certificate.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	a := &authority{key: newKey(t), file: filepath.Join(t.TempDir(), "ca.pem")}
	a.cert = &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "the CA of a test"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	writePEM(t, a.file, "CERTIFICATE", a.sign(t, a.cert, a.key))
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return key
}

func (a *authority) sign(t *testing.T, cert *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	der, err := x509.CreateCertificate(rand.Reader, cert, a.cert, &key.PublicKey, a.key)
	require.NoError(t, err)
	return der
}

func writePEM(t *testing.T, file, kind string, der []byte) {
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
}

// env returns the environment variables CERT=, KEY= and CA= of a process that trusts the authority,
// and has a certificate for the address host: the paths of the files.
func (a *authority) env(t *testing.T, host string) []string {
	dir, key := t.TempDir(), newKey(t)
	cert := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "a process"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, IPAddresses: []net.IP{net.ParseIP(host)}}
	der, err := x509.MarshalECPrivateKey(key)
	require.NoError(t, err)
	writePEM(t, filepath.Join(dir, "cert.pem"), "CERTIFICATE", a.sign(t, cert, key))
	writePEM(t, filepath.Join(dir, "key.pem"), "EC PRIVATE KEY", der)
	return []string{"CERT=" + filepath.Join(dir, "cert.pem"), "KEY=" + filepath.Join(dir, "key.pem"), "CA=" + a.file}
}

// With certificates of one CA, the processes work together as they do without TLS.
func TestTLS(t *testing.T) {
	a := newAuthority(t)
	j := newJob(t, 2, "exchange 3")
	j.env = a.env(t, "127.0.0.1")
	for _, p := range j.startAll(t) {
		require.Equal(t, "done", p.next())
		p.ends()
	}
}

// A process is refused at once if only it or only process 0 has certificates, or if its certificate
// or its CA is not that of the job. The error says which side has what.
func TestTLSRefuses(t *testing.T) {
	t.Parallel()
	a, stranger := newAuthority(t), newAuthority(t)
	for _, tc := range []struct {
		name           string
		server, client []string
		want           string
	}{
		{"no TLS", a.env(t, "127.0.0.1"), []string{}, "it talks TLS, and this process has no credentials: give it those of the job, GOSPMD_JOB_SECRET or GOSPMD_JOB_CERT"},
		{"no TLS in process 0", []string{}, a.env(t, "127.0.0.1"), "it talks without TLS, and this process has the certificate "},
		{"another CA", a.env(t, "127.0.0.1"), stranger.env(t, "127.0.0.1"), "certificate signed by unknown authority"},
		{"a certificate of another CA", a.env(t, "127.0.0.1"), append(stranger.env(t, "127.0.0.1"), "CA="+a.file), "remote error: tls: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, 2, "idle")
			j.start(t, 0, tc.server...)
			line := j.start(t, 1, tc.client...).next()
			require.Contains(t, line, " does not answer process 1 (")
			require.Contains(t, line, tc.want)
		})
	}
}

// A coordinator notices itself that its certificate is for another host.
func TestTLSOfAnotherHost(t *testing.T) {
	j := newJob(t, 2, "idle")
	require.Contains(t, j.start(t, 0, newAuthority(t).env(t, "127.0.0.2")...).next(), "certificate is valid for 127.0.0.2, not 127.0.0.1")
}
