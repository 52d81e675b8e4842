// Package jobtls makes and reads the credentials of a job: a CA that serves one job
// only, and certificates that say which process of the job their owner is.
//
// It opens no connections. Packages coordination, store and tcp do, with the
// tls.Config that Credentials returns.
//
// Order of use: New or FromSecret, Authority.Process or Authority.Coordinator; or Load
// for certificates in files; then Credentials.Config.
//
//	file            holds
//	authority.go    Authority: a CA made for one job, or derived from the secret of a job
//	credentials.go  Credentials: a certificate, its key and the CA; as files and as a tls.Config
//	identity.go     RankOf, CheckCoordinator, Fingerprint: what a certificate says of its owner
//
// # Names
//
// A certificate of a process carries the URI gospmd://rank/3, one of a coordinator
// gospmd://coordinator. All carry the DNS name Name, so that they are valid at any
// address: the CA signs for members of one job only. Certificates that users make
// themselves may carry neither. Then the names of hosts are checked as usual, and the
// fingerprint that each process publishes when it joins binds a certificate to a rank.
package jobtls
