package schema

// This file defines the keys of a job in its store.

import (
	"net/url"
	"strconv"
	"strings"
)

// MaxValue is the largest size of a value in the store, in bytes.
const MaxValue = 64 << 20

// Root is the prefix of all keys of all jobs.
const Root = "gospmd/"

// Job is the prefix of all keys of the jobs with one name. The keys below it are:
//
//	job                               the record of the job that is open
//	epoch/E/id/RANK                   the process that has the rank
//	epoch/E/complete                  all processes have joined
//	epoch/E/value/KEY                 a value of Set
//	epoch/E/exchange/NAME/N/RANK      a value of Exchange
//	epoch/E/status/member/RANK        exists as long as the process renews its lease
//	epoch/E/status/left/RANK          the process has ended in order
//	epoch/E/status/failed/RANK        the process has ended the job
type Job string

// JobOf returns the prefix of the jobs with the given name.
func JobOf(name string) Job { return Job(Root + url.PathEscape(name) + "/") }

// Record returns the key of the record of the job that is open.
func (j Job) Record() string { return string(j) + "job" }

// Epochs returns the prefix of the keys of all starts of the job.
func (j Job) Epochs() string { return string(j) + "epoch/" }

// Epoch returns the prefix of the keys of one start of the job. Processes of different starts use
// different keys.
func (j Job) Epoch(n uint64) Epoch { return Epoch(j.Epochs() + strconv.FormatUint(n, 10) + "/") }

// Epoch is the prefix of all keys of one start of a job.
type Epoch string

// The kinds of status keys, which all processes watch.
const (
	Member = "member"
	Left   = "left"
	Failed = "failed"
)

func (e Epoch) IDs() string                   { return string(e) + "id/" }
func (e Epoch) ID(rank int) string            { return e.IDs() + strconv.Itoa(rank) }
func (e Epoch) Complete() string              { return string(e) + "complete" }
func (e Epoch) Value(key string) string       { return string(e) + "value/" + key }
func (e Epoch) Status() string                { return string(e) + "status/" }
func (e Epoch) Member(rank int) string        { return e.status(Member, rank) }
func (e Epoch) Left(rank int) string          { return e.status(Left, rank) }
func (e Epoch) Failed(rank int) string        { return e.status(Failed, rank) }
func (e Epoch) status(k string, r int) string { return e.Status() + k + "/" + strconv.Itoa(r) }

// Exchange returns the prefix of the values of the n-th exchange with the given name.
func (e Epoch) Exchange(name string, n int) string {
	return string(e) + "exchange/" + url.PathEscape(name) + "/" + strconv.Itoa(n) + "/"
}

// ReadStatus returns the kind (Member, Left or Failed) and the rank of a key below Status. ok is
// false for any other key. The rank is at least 0, but may be too large for the job.
func (e Epoch) ReadStatus(key string) (kind string, rank int, ok bool) {
	text, below := strings.CutPrefix(key, e.Status())
	kind, number, _ := strings.Cut(text, "/")
	rank, isRank := ReadRank(number)
	return kind, rank, below && isRank && (kind == Member || kind == Left || kind == Failed)
}

// ReadRank returns the rank in text: a number from 0, without leading zeros. ok is false for any
// other text.
func ReadRank(text string) (rank int, ok bool) {
	rank, err := strconv.Atoi(text)
	return rank, err == nil && rank >= 0 && strconv.Itoa(rank) == text
}

// Anyone stands in place of a rank: for the owner of a key that every process may write, and for a
// caller whose certificate carries no rank.
const Anyone = -1

// Owner returns the rank of the process that may write a key, or Anyone if every process may. ok
// is false for a key that no process writes.
func Owner(key string) (rank int, ok bool) {
	text, below := strings.CutPrefix(key, Root)
	_, text, named := strings.Cut(text, "/")
	if !below || !named {
		return 0, false
	}
	if text == "job" {
		return 0, true
	}
	text, isEpoch := strings.CutPrefix(text, "epoch/")
	_, text, numbered := strings.Cut(text, "/")
	if !isEpoch || !numbered {
		return 0, false
	}
	if text == "complete" {
		return 0, true
	}
	kind, rest, _ := strings.Cut(text, "/")
	switch kind {
	case "value":
		return Anyone, true
	case "id":
	case "status", "exchange":
		rest = rest[strings.LastIndexByte(rest, '/')+1:]
	default:
		return 0, false
	}
	return ReadRank(rest)
}
