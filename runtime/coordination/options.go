package coordination

// This file defines Options, how a process finds the others of its job, and checks them.

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"runtime/debug"
	"time"
)

// Options say which process of which job this is. They can be compared.
type Options struct {
	// Address is the host:port at which process 0 coordinates the job. Process 0
	// listens there, the others connect to it.
	Address string
	// NumProcesses is the number of processes of the job, the same in all of them.
	NumProcesses int
	// ProcessID is the number of this process, 0 to NumProcesses-1: its rank.
	ProcessID int
	// Name is what errors of other processes call this one; host:pid if empty.
	Name string
	// Lease is how long a process may be silent before the others take it for lost:
	// 3 s if zero, at least 1 s, rounded up to seconds.
	Lease time.Duration
	// JoinTimeout is how long Join waits for the others, 5 min if zero.
	JoinTimeout time.Duration
	// CertFile, KeyFile and CAFile are PEM files: with them the processes talk TLS,
	// and each must show a certificate that the CA has signed. All three or none.
	CertFile, KeyFile, CAFile string
}

const (
	defaultLease       = 3 * time.Second
	defaultJoinTimeout = 5 * time.Minute
)

// checked returns o with defaults filled in, or what is wrong with it.
func (o Options) checked() (Options, error) {
	if o.NumProcesses < 1 {
		return o, fmt.Errorf("coordination: the number of processes is %d, it must be 1 or more", o.NumProcesses)
	}
	if o.ProcessID < 0 || o.ProcessID >= o.NumProcesses {
		return o, fmt.Errorf("coordination: process id %d of a job of %d: ids go from 0 to %d", o.ProcessID, o.NumProcesses, o.NumProcesses-1)
	}
	if checkAddress(o.Address) != nil {
		return o, fmt.Errorf("coordination: job address %q: want host:port of process 0, such as 10.0.0.1:12345", o.Address)
	}
	if o.Lease == 0 {
		o.Lease = defaultLease
	}
	if o.Lease < time.Second {
		return o, fmt.Errorf("coordination: a lease of %v is too short, it must be at least 1s", o.Lease)
	}
	o.Lease = (o.Lease + time.Second - 1).Truncate(time.Second)
	if o.JoinTimeout == 0 {
		o.JoinTimeout = defaultJoinTimeout
	}
	if given := len(o.CertFile) > 0; given != (o.KeyFile != "") || given != (o.CAFile != "") {
		return o, fmt.Errorf("coordination: TLS needs a certificate, its key and the CA's certificate, got %q, %q and %q: give all three or none", o.CertFile, o.KeyFile, o.CAFile)
	}
	if o.Name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "unknown"
		}
		o.Name = fmt.Sprintf("%s:%d", host, os.Getpid())
	}
	return o, nil
}

// clientTLS returns how to connect to process 0, nil without TLS.
func (o Options) clientTLS() (*tls.Config, error) {
	if o.CertFile == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("coordination: certificate %s with key %s: %w", o.CertFile, o.KeyFile, err)
	}
	ca, err := os.ReadFile(o.CAFile)
	if err != nil {
		return nil, fmt.Errorf("coordination: the CA's certificate: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("coordination: %s has no certificate in PEM", o.CAFile)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: roots, MinVersion: tls.VersionTLS12}, nil
}

// TLS returns how processes of the job talk to each other, for both ends of a
// connection; nil without TLS.
func (o Options) TLS() (*tls.Config, error) {
	config, err := o.clientTLS()
	if config != nil {
		config.ClientCAs, config.ClientAuth = config.RootCAs, tls.RequireAndVerifyClientCert
	}
	return config, err
}

const modulePath = "github.com/gospmd/gospmd"

// version is what all processes of a job must have in common: the version of
// this module in the program.
var version = func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == modulePath {
			if m.Replace != nil {
				return m.Version + " replaced by " + m.Replace.Version
			}
			return m.Version
		}
	}
	return info.Main.Version
}()
