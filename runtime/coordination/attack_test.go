package coordination_test

// This file attacks a job from a process that does not belong to it.

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

const attackRole = "attack"

func init() {
	// until exchanges and checks values until the file exists.
	roles["until"] = func(s *coordination.Service, file string) error {
		ctx := context.Background()
		for i := 0; ; i++ {
			_, err := os.Stat(file)
			mine := fmt.Sprintf("%d of %d, ends: %t", i, s.Rank(), err == nil)
			values, err := s.Exchange(ctx, "step", []byte(mine))
			if err != nil {
				return err
			}
			end := false
			for rank, v := range values {
				var step, from int
				var ends bool
				if _, err := fmt.Sscanf(string(v), "%d of %d, ends: %t", &step, &from, &ends); err != nil || step != i || from != rank {
					return fmt.Errorf("step %d: process %d gave %q", i, rank, v)
				}
				end = end || ends
			}
			if end {
				return s.Leave(ctx)
			}
		}
	}
}

// attempt prints that the attempt what has SUCCEEDED if err is nil, and otherwise that it was
// refused and why. Tests look for SUCCEEDED.
func attempt(what string, err error) {
	if err == nil {
		fmt.Println("SUCCEEDED:", what)
		return
	}
	fmt.Printf("refused: %s: %.120q\n", what, err)
}

// attack tries, with the given certificate, to read, change, take over and end the job at an
// address. It prints for each attempt that it has SUCCEEDED or was refused, and at last done. cert,
// key and ca are PEM files. If cert is empty, it tries without TLS and with TLS without a
// certificate. If $MEMBER is set, the certificate is that of a member of the job, which may read.
func attack(address, cert, key, ca string) {
	const epoch = "gospmd/default/epoch/"
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var configs []*tls.Config
	isMember := false
	if cert == "" {
		configs = []*tls.Config{nil, {InsecureSkipVerify: true}}
	} else {
		c, err := jobtls.Load(cert, key, ca)
		if err != nil {
			panic(err)
		}
		config := c.Config()
		isMember = os.Getenv("MEMBER") != ""
		config.InsecureSkipVerify = !isMember
		configs = []*tls.Config{config}
	}
	for i, config := range configs {
		name := func(what string) string { return fmt.Sprintf("%s (%d)", what, i) }
		try := func(what string, do func(ctx context.Context, c *clientv3.Client) error) {
			ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
			defer cancel()
			options := []grpc.DialOption{grpc.WithNoProxy(), grpc.WithAuthority(jobtls.Name)}
			c, err := clientv3.New(clientv3.Config{Endpoints: []string{address}, TLS: config, Logger: zap.NewNop(), DialOptions: options})
			if err == nil {
				defer c.Close()
				err = do(ctx, c)
			}
			attempt(name(what), err)
		}
		var own string // the job's key prefix, if it could be read
		if !isMember {
			own = epoch + "1/"
			try("read all keys", func(ctx context.Context, c *clientv3.Client) error {
				_, err := c.Get(ctx, "", clientv3.WithPrefix())
				return err
			})
			try("watch all keys", func(ctx context.Context, c *clientv3.Client) error {
				select {
				case w, ok := <-c.Watch(clientv3.WithRequireLeader(ctx), "", clientv3.WithPrefix(), clientv3.WithRev(1)):
					if ok && w.Err() == nil && len(w.Events) > 0 {
						return nil
					}
					return errors.New("nothing is seen")
				case <-ctx.Done():
					return ctx.Err()
				}
			})
			try("get a lease", func(ctx context.Context, c *clientv3.Client) error {
				_, err := c.Grant(ctx, 100)
				return err
			})
		} else {
			c, err := clientv3.New(clientv3.Config{Endpoints: []string{address}, TLS: config, Logger: zap.NewNop(), DialOptions: []grpc.DialOption{grpc.WithAuthority(jobtls.Name)}})
			if err != nil {
				panic(err)
			}
			got, err := c.Get(ctx, epoch, clientv3.WithPrefix())
			if err != nil {
				panic(err)
			}
			number, _, _ := strings.Cut(strings.TrimPrefix(string(got.Kvs[0].Key), epoch), "/")
			own = epoch + number + "/"
			for _, kv := range got.Kvs {
				if string(kv.Key) == own+"status/member/0" {
					_, err := c.Revoke(ctx, clientv3.LeaseID(kv.Lease))
					attempt(name("end the lease of process 0"), err)
				}
			}
		}
		strays := []string{own + "status/failed/0", own + "status/failed/99", own + "status/member/99", own + "status/member/0", own + "status/left/0", own + "id/0",
			own + "exchange/step/1/0", "gospmd/default/job", "elsewhere"}
		if !longtest.Asked() { // attempts without an answer take 300 ms each
			strays = []string{strays[0], strays[6], strays[7]}
		}
		for _, stray := range strays {
			try("write "+stray, func(ctx context.Context, c *clientv3.Client) error {
				_, err := c.Put(ctx, stray, `{"Rank":0,"Why":"was attacked"}`)
				return err
			})
			try("write in a transaction "+stray, func(ctx context.Context, c *clientv3.Client) error {
				_, err := c.Txn(ctx).Then(clientv3.OpTxn(nil, []clientv3.Op{clientv3.OpPut(stray, "x")}, nil)).Commit()
				return err
			})
		}
		for _, all := range []string{"", "gospmd/", own} {
			try("delete all keys below "+all, func(ctx context.Context, c *clientv3.Client) error {
				_, err := c.Delete(ctx, all, clientv3.WithPrefix())
				return err
			})
		}
		try("compact", func(ctx context.Context, c *clientv3.Client) error { _, err := c.Compact(ctx, 1); return err })
		try("list leases", func(ctx context.Context, c *clientv3.Client) error { _, err := c.Leases(ctx); return err })
		try("take a snapshot", func(ctx context.Context, c *clientv3.Client) error {
			r, err := c.Snapshot(ctx)
			if err == nil {
				_, err = io.ReadAll(r)
			}
			return err
		})
		try("list members", func(ctx context.Context, c *clientv3.Client) error { _, err := c.MemberList(ctx); return err })
		try("add a user", func(ctx context.Context, c *clientv3.Client) error { _, err := c.UserAdd(ctx, "root", "x"); return err })
		for _, page := range []string{"/metrics", "/debug/vars", "/debug/pprof/", "/debug/requests", "/health", "/version", "/v3/kv/range"} {
			for _, scheme := range []string{"http", "https"} {
				client := http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}}
				r, err := client.Get(scheme + "://" + address + page)
				if err == nil {
					r.Body.Close()
					if r.StatusCode != http.StatusOK {
						err = errors.New(r.Status)
					}
				}
				attempt(name("read "+scheme+" "+page), err)
			}
		}
	}
	for i := range 20 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			panic(err)
		}
		conn.Write(bytes.Repeat([]byte{byte(i * 13), 0x16, 3, 1, 0xff}, 1000))
		conn.SetDeadline(time.Now().Add(100 * time.Millisecond))
		io.Copy(io.Discard, conn)
		conn.Close()
	}
	fmt.Println("done")
}

// Strangers on the machine cannot read, change, take over or end a job of gospmd launch, and a
// process of the job cannot pretend to be another one. The job ends with the right values. In the
// short form they write fewer keys.
func TestAttacks(t *testing.T) {
	t.Parallel()
	end := filepath.Join(t.TempDir(), "end")
	a := newApart(t, 2, "until "+end)
	all := a.startAll(t)
	stranger, err := jobtls.New()
	require.NoError(t, err)
	foreign := func(authority *jobtls.Authority, rank int) []string {
		return (&apart{authority: authority}).certificate(t, rank)
	}
	j := &job{address: a.address, size: 2, role: attackRole, tmp: t.TempDir()}
	t.Run("attacks", func(t *testing.T) {
		for _, tc := range []struct {
			name string
			env  []string
		}{
			{"no credentials", []string{"CERT=", "KEY=", "CA="}},
			{"a certificate of another CA", foreign(stranger, 0)},
			{"process 1 as process 0", append(foreign(a.authority, 1), "MEMBER=1")},
			{"a rank that the job does not have", foreign(a.authority, 2)},
		} {
			t.Run(tc.name, func(t *testing.T) {
				t.Parallel()
				p := j.start(t, 0, tc.env...)
				refused := 0
				for line := ""; line != "done"; {
					line = p.next()
					require.False(t, strings.HasPrefix(line, "SUCCEEDED"), line)
					refused++
				}
				require.Greater(t, refused, longtest.Pick(25, 40))
				p.ends()
			})
		}
		t.Run("takes a rank", func(t *testing.T) {
			t.Parallel()
			for _, o := range []coordination.Options{{}, {Secret: "0123456789abcdef0123456789abcdef"}} {
				o.Endpoints, o.NumProcesses, o.ProcessID, o.JoinTimeout, o.Logger = a.address, 2, 1, longtest.Pick(2*time.Second, 5*time.Second), logTo(t)
				_, err := coordination.Join(t.Context(), o)
				require.ErrorContains(t, err, "does not answer process 1")
			}
		})
	})
	require.NoError(t, os.WriteFile(end, nil, 0o600))
	for _, p := range all {
		require.Equal(t, "done", p.next())
		p.ends()
	}
}
