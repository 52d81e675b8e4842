package coordination

// This file implements the authentication of a process: the credentials that it shows, and the
// check that a peer is the process that it claims to be.

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"strconv"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

// The environment variables with the credentials of a job. They are used if Options have none.
// `gospmd launch` sets the variables of the files.
const (
	VariableSecret = "GOSPMD_JOB_SECRET"
	VariableCert   = "GOSPMD_JOB_CERT"
	VariableKey    = "GOSPMD_JOB_KEY"
	VariableCA     = "GOSPMD_JOB_CA"
)

// withCredentials returns o with the credentials of the environment, if o has none.
func (o Options) withCredentials(env func(string) string) Options {
	if o.CertFile == "" && o.KeyFile == "" && o.CAFile == "" && o.Secret == "" {
		o.CertFile, o.KeyFile, o.CAFile, o.Secret = env(VariableCert), env(VariableKey), env(VariableCA), env(VariableSecret)
	}
	return o
}

// checkCredentials returns an error if o has some of the three files but not all, or files and a
// secret.
func (o Options) checkCredentials() error {
	files := 0
	for _, file := range []string{o.CertFile, o.KeyFile, o.CAFile} {
		if file != "" {
			files++
		}
	}
	switch {
	case files != 0 && files != 3:
		return fmt.Errorf("TLS needs a certificate, its key and the CA's certificate, got %q, %q and %q: give all three or none", o.CertFile, o.KeyFile, o.CAFile)
	case files != 0 && o.Secret != "":
		return fmt.Errorf("the job has certificates (%s) and a secret: give one of them", o.CertFile)
	}
	return nil
}

// credentials returns the certificate that the process shows and the CA that it trusts; nil if it
// has no credentials. Files that cannot be read, a short secret, and a certificate of another rank
// are errors.
func (o Options) credentials() (*jobtls.Credentials, error) {
	switch {
	case o.Secret != "":
		a, err := jobtls.FromSecret(o.Secret)
		if err != nil {
			return nil, fmt.Errorf("%w; %s or Options.Secret has it", err, VariableSecret)
		}
		return a.Process(o.ProcessID)
	case o.CertFile == "":
		return nil, nil
	}
	c, err := jobtls.Load(o.CertFile, o.KeyFile, o.CAFile)
	if err != nil {
		return nil, err
	}
	rank, err := jobtls.RankOf(c.Certificate())
	if err != nil {
		return nil, fmt.Errorf("certificate %s: %w", o.CertFile, err)
	}
	if rank >= 0 && rank != o.ProcessID {
		return nil, fmt.Errorf("certificate %s is that of process %d, and this is process %d: give each process its own", o.CertFile, rank, o.ProcessID)
	}
	return c, nil
}

// describeCredentials returns a text for messages that says which credentials the process has.
func (o Options) describeCredentials() string {
	switch {
	case o.Secret != "":
		return "a secret"
	case o.CertFile != "":
		return "the certificate " + o.CertFile
	}
	return "no credentials"
}

// TLS returns the configuration of TLS between the processes of the job, for both ends of a
// connection: TLS 1.3, where each end shows a certificate that the CA of the job has signed. It is
// nil in a job without credentials. Both ends must also pass the certificate of the other end to
// VerifyPeer, which checks its rank.
func (s *Service) TLS() *tls.Config {
	if s.credentials == nil {
		return nil
	}
	return s.credentials.Config()
}

// VerifyPeer returns an error unless process rank has joined the job with this certificate. If the
// certificate carries a rank, it must be that rank. The caller has verified the chain of the
// certificate, as TLS does.
func (s *Service) VerifyPeer(rank int, cert *x509.Certificate) error {
	if rank < 0 || rank >= s.Size() {
		return fmt.Errorf("coordination: there is no process %d in a job of %d", rank, s.Size())
	}
	if cert == nil {
		return fmt.Errorf("coordination: process %d shows no certificate", rank)
	}
	carried, err := jobtls.RankOf(cert)
	if err != nil {
		return fmt.Errorf("coordination: process %d: %w", rank, err)
	}
	if carried >= 0 && carried != rank {
		return fmt.Errorf("coordination: what says to be process %d has the certificate of process %d", rank, carried)
	}
	if got, want := jobtls.Fingerprint(cert), s.prints[rank]; got != want {
		return fmt.Errorf("coordination: what says to be process %d shows a certificate with the fingerprint %.16s…, process %d has joined with %.16s…", rank, got, rank, want)
	}
	return nil
}

// identity is the record that a process writes to take its rank.
type identity struct {
	Name        string
	Fingerprint string // fingerprint of its certificate; empty without credentials
}

func (s *Service) identity() string {
	i := identity{Name: s.options.Name}
	if s.credentials != nil {
		i.Fingerprint = jobtls.Fingerprint(s.credentials.Certificate())
	}
	return encode(i)
}

// readIdentity returns the identity in value, the record of a process. If value cannot be read, the
// beginning of its text is the name, and the fingerprint is empty, which matches no certificate.
func readIdentity(value []byte) identity {
	var i identity
	if err := json.Unmarshal(value, &i); err != nil {
		return identity{Name: fmt.Sprintf("%.40q", value)}
	}
	return i
}

// learnFingerprints reads the certificate fingerprints of all processes from the store into
// s.prints. Without TLS they stay empty. A process without one is a ProcessError.
func (s *Service) learnFingerprints(ctx context.Context) error {
	s.prints = make([]string, s.Size())
	if s.credentials == nil {
		return nil
	}
	got, err := call(ctx, func() (*clientv3.GetResponse, error) { return s.client.Get(ctx, s.keys.IDs(), clientv3.WithPrefix()) })
	if err != nil {
		return err
	}
	for _, kv := range got.Kvs {
		rank, ok := schema.ReadRank(string(kv.Key[len(s.keys.IDs()):]))
		if ok && rank < s.Size() {
			s.prints[rank] = readIdentity(kv.Value).Fingerprint
		}
	}
	for rank, print := range s.prints {
		if print == "" {
			return &ProcessError{Rank: rank, Name: s.members.name(rank), Why: "has joined without saying which certificate it has, key " + strconv.Quote(s.keys.ID(rank))}
		}
	}
	return nil
}
