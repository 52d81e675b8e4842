package jobtls

// This file implements Authority, the CA of one job.

import (
	"crypto"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net/url"
	"time"
)

// Name is the DNS name in all certificates of an Authority. No DNS server knows it.
const Name = "job.gospmd.internal"

// MinSecret is the least number of bytes of a secret: 16 random bytes in hexadecimal
// digits. A stranger can test guesses of the secret against a recorded certificate, so
// the secret must be random.
const MinSecret = 32

// HowToMakeSecret is a command that prints a secret.
const HowToMakeSecret = "openssl rand -hex 32"

// Authority is the CA of one job.
type Authority struct {
	cert *x509.Certificate
	key  ed25519.PrivateKey
}

// New makes an authority with a random key, which stays in this process.
func New() (*Authority, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("jobtls: making the key of a CA: %w", err)
	}
	return newAuthority(key)
}

// FromSecret derives an authority from a secret. Every process that knows the secret gets the same
// CA and can issue its own certificate. A secret of less than MinSecret bytes is an error.
func FromSecret(secret string) (*Authority, error) {
	if len(secret) < MinSecret {
		return nil, fmt.Errorf("jobtls: the secret of the job has %d bytes, want at least %d random ones: make one with %s", len(secret), MinSecret, HowToMakeSecret)
	}
	seed, err := hkdf.Key(sha256.New, []byte(secret), []byte("gospmd job"), "CA key, ed25519", ed25519.SeedSize)
	if err != nil {
		return nil, fmt.Errorf("BUG: jobtls: %w", err)
	}
	return newAuthority(ed25519.NewKeyFromSeed(seed))
}

// The dates of all certificates. They are constants: two processes must derive equal CAs from one
// secret, even if their clocks differ.
var (
	notBefore = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	notAfter  = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

func newAuthority(key ed25519.PrivateKey) (*Authority, error) {
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "CA of a gospmd job"}, NotBefore: notBefore, NotAfter: notAfter,
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign}
	cert, err := sign(template, template, key.Public(), key)
	return &Authority{cert: cert, key: key}, err
}

// sign returns the certificate of template for the key public, which the certificate parent and its
// key sign.
func sign(template, parent *x509.Certificate, public crypto.PublicKey, key ed25519.PrivateKey) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, key)
	if err != nil {
		return nil, fmt.Errorf("jobtls: signing a certificate: %w", err)
	}
	return x509.ParseCertificate(der)
}

// Process issues the credentials of the process with that rank, which name the rank. A negative
// rank is an error.
func (a *Authority) Process(rank int) (*Credentials, error) {
	if rank < 0 {
		return nil, fmt.Errorf("jobtls: process %d: want a number from 0", rank)
	}
	return a.issue(rankURI(rank))
}

// Coordinator issues the credentials of a coordinator.
func (a *Authority) Coordinator() (*Credentials, error) { return a.issue(coordinatorURI) }

func (a *Authority) issue(identity string) (*Credentials, error) {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("jobtls: making the key of %s: %w", identity, err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 128))
	if err != nil {
		return nil, fmt.Errorf("jobtls: making the certificate of %s: %w", identity, err)
	}
	uri, err := url.Parse(identity)
	if err != nil {
		return nil, fmt.Errorf("BUG: jobtls: %w", err)
	}
	template := &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: identity}, NotBefore: notBefore, NotAfter: notAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames: []string{Name}, URIs: []*url.URL{uri}}
	leaf, err := sign(template, a.cert, public, a.key)
	if err != nil {
		return nil, err
	}
	pair := tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}
	return newCredentials(pair, []*x509.Certificate{a.cert}), nil
}
