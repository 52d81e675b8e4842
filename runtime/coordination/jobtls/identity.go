package jobtls

// This file reads from a certificate which member of a job its owner is.

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

const (
	scheme         = "gospmd"
	rankPrefix     = "gospmd://rank/"
	coordinatorURI = "gospmd://coordinator"
)

func rankURI(rank int) string { return rankPrefix + strconv.Itoa(rank) }

// identityOf returns the URI of the certificate that has our scheme; "" if there is none. Several
// are an error.
func identityOf(cert *x509.Certificate) (string, error) {
	found := ""
	for _, uri := range cert.URIs {
		if uri.Scheme != scheme {
			continue
		}
		if found != "" {
			return "", fmt.Errorf("the certificate %q has the identities %s and %s, want one", cert.Subject, found, uri)
		}
		found = uri.String()
	}
	return found, nil
}

// RankOf returns the number of the process that the certificate belongs to. It returns -1 if the
// certificate carries no rank: it belongs to a coordinator, or the user made it without one. A URI
// of ours without a valid rank is an error.
func RankOf(cert *x509.Certificate) (int, error) {
	identity, err := identityOf(cert)
	if err != nil || identity == "" || identity == coordinatorURI {
		return -1, err
	}
	text, found := strings.CutPrefix(identity, rankPrefix)
	rank, err := strconv.Atoi(text)
	if !found || err != nil || rank < 0 || rankURI(rank) != identity {
		return -1, fmt.Errorf("the certificate %q has the identity %q, want one such as %s or %s", cert.Subject, identity, rankURI(3), coordinatorURI)
	}
	return rank, nil
}

// CheckCoordinator returns an error if the certificate belongs to a process other than process 0,
// or if RankOf refuses it. Process 0 may be the coordinator, and so may a certificate without a
// rank.
func CheckCoordinator(cert *x509.Certificate) error {
	rank, err := RankOf(cert)
	if err != nil {
		return err
	}
	if rank > 0 {
		return fmt.Errorf("the certificate is that of process %d, not of a coordinator", rank)
	}
	return nil
}

// Fingerprint identifies a certificate: the SHA-256 of it in hexadecimal digits.
func Fingerprint(cert *x509.Certificate) string {
	sum := sha256.Sum256(cert.Raw)
	return hex.EncodeToString(sum[:])
}
