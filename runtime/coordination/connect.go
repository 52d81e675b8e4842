package coordination

// This file finds and connects to the store of the job.

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
)

// reach waits until a store answers at the address. It asks by HTTP, which says
// what is wrong where gRPC only tries again.
func reach(ctx context.Context, o Options, config *tls.Config) error {
	url := "http://" + o.Address + "/version"
	if config != nil {
		url = "https://" + o.Address + "/version"
	}
	transport := &http.Transport{TLSClientConfig: config} // no proxy
	defer transport.CloseIdleConnections()
	last := errors.New("it was not tried")
	var hangsUp time.Time // since when what listens there ends the connection
	for {
		err := ask(ctx, &http.Client{Transport: transport, Timeout: o.Lease}, url)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET):
			hangsUp = time.Time{}
		case hangsUp.IsZero():
			hangsUp = time.Now()
		case time.Since(hangsUp) > o.Lease: // it is not about to end
			err = &wrongStore{"nothing"}
		}
		if ctx.Err() == nil {
			last = err
		}
		if other := (*wrongStore)(nil); errors.As(err, &other) || isTLS(err) || !wait(ctx, retryPause) {
			return &ProcessError{Rank: 0, Why: fmt.Sprintf("does not answer process %d (%s) at job address %s: %v; see that it runs, that the address is right, "+
				"and that its machine lets others connect to that port", o.ProcessID, o.Name, o.Address, last)}
		}
	}
}

// wrongStore is the error of an answer that no store would give.
type wrongStore struct{ answer string }

func (e *wrongStore) Error() string {
	return fmt.Sprintf("what answers there is not process 0 of a job, or not with the same TLS options (it says %q)", e.answer)
}

func ask(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 200))
	if err != nil {
		return err
	}
	var is struct{ Etcdserver string }
	if json.Unmarshal(body, &is) != nil || is.Etcdserver == "" {
		return &wrongStore{answer: string(body)}
	}
	return nil
}

// isTLS reports whether err is that of a handshake of TLS: it will not go away.
func isTLS(err error) bool {
	var record tls.RecordHeaderError
	var verify *tls.CertificateVerificationError
	var remote *net.OpError
	return errors.As(err, &record) || errors.As(err, &verify) || errors.As(err, &remote) && remote.Op == "remote error"
}

// connect returns a client of the store. It connects when it is first used, and
// again when the connection breaks.
func connect(o Options, config *tls.Config) (*clientv3.Client, error) {
	return clientv3.New(clientv3.Config{
		Endpoints:             []string{o.Address},
		TLS:                   config,
		Logger:                zap.NewNop(),
		BackoffWaitBetween:    20 * time.Millisecond,
		MaxCallSendMsgSize:    maxValue + 1<<20,
		DialOptions:           []grpc.DialOption{grpc.WithNoProxy()},
		DialKeepAliveTime:     10 * time.Second,
		DialKeepAliveTimeout:  o.Lease,
		RejectOldCluster:      false,
		MaxUnaryRetries:       10,
		BackoffJitterFraction: 0.1,
	})
}
