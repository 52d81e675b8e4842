package jobtls

// This file implements Credentials: the certificate that a member of a job shows and the CA that it
// trusts.

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Credentials are a certificate with its key, and the CA that must have signed the certificates of
// other members.
type Credentials struct {
	pair tls.Certificate
	cas  []*x509.Certificate
}

func newCredentials(pair tls.Certificate, cas []*x509.Certificate) *Credentials {
	return &Credentials{pair: pair, cas: cas}
}

// Load reads a certificate, its key, and the certificates of the CA from PEM files. A file that
// cannot be read or has no certificate is an error that names it.
func Load(certFile, keyFile, caFile string) (*Credentials, error) {
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, fmt.Errorf("certificate %s with key %s: %w", certFile, keyFile, err)
	}
	text, err := os.ReadFile(caFile)
	if err != nil {
		return nil, fmt.Errorf("the CA's certificate: %w", err)
	}
	var cas []*x509.Certificate
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		ca, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("the CA's certificate in %s: %w", caFile, err)
		}
		cas = append(cas, ca)
	}
	if len(cas) == 0 {
		return nil, fmt.Errorf("the CA's certificate: %s has no certificate in PEM", caFile)
	}
	return newCredentials(pair, cas), nil
}

// Files are the names of the PEM files of credentials.
type Files struct{ Cert, Key, CA string }

// Write writes the credentials to files name.pem, name.key and name.ca.pem in a directory. Other
// users cannot read the key. Each name has its own files, because a process may still read its
// files while the files of the next process are written. It returns the names of the files.
func (c *Credentials) Write(dir, name string) (Files, error) {
	key, err := x509.MarshalPKCS8PrivateKey(c.pair.PrivateKey)
	if err != nil {
		return Files{}, fmt.Errorf("BUG: jobtls: %w", err)
	}
	f := Files{Cert: filepath.Join(dir, name+".pem"), Key: filepath.Join(dir, name+".key"), CA: filepath.Join(dir, name+".ca.pem")}
	for _, file := range []struct {
		name, kind string
		blocks     [][]byte
	}{{f.Cert, "CERTIFICATE", c.pair.Certificate}, {f.Key, "PRIVATE KEY", [][]byte{key}}, {f.CA, "CERTIFICATE", rawCertificates(c.cas)}} {
		var text []byte
		for _, der := range file.blocks {
			text = append(text, pem.EncodeToMemory(&pem.Block{Type: file.kind, Bytes: der})...)
		}
		if err := os.WriteFile(file.name, text, 0o600); err != nil {
			return Files{}, fmt.Errorf("jobtls: %w", err)
		}
	}
	return f, nil
}

func rawCertificates(certs []*x509.Certificate) [][]byte {
	var out [][]byte
	for _, c := range certs {
		out = append(out, c.Raw)
	}
	return out
}

// Certificate returns the certificate that the owner of the credentials shows.
func (c *Credentials) Certificate() *x509.Certificate { return c.pair.Leaf }

// Config returns the configuration of TLS with other members of the job, for both ends of a
// connection. Each end must show a certificate that the CA has signed.
func (c *Credentials) Config() *tls.Config {
	roots := x509.NewCertPool()
	for _, ca := range c.cas {
		roots.AddCert(ca)
	}
	config := &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{c.pair}, RootCAs: roots, ClientCAs: roots, ClientAuth: tls.RequireAndVerifyClientCert}
	if slices.Contains(c.pair.Leaf.DNSNames, Name) {
		config.ServerName = Name
	}
	return config
}
