package store

// This file decides which requests the store accepts: a process may write only its own keys, and
// end only its own leases.

import (
	"context"
	"sync"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

// authorizer checks requests. A process whose certificate carries no rank may write the keys of all
// ranks.
type authorizer struct {
	processes int      // 0 means any number
	leases    sync.Map // the rank that has asked for each lease
}

// authorize calls handle if the caller may make the request, and returns its answer; otherwise an
// error. It remembers who has asked for each lease. gRPC calls it for each request that is no
// stream.
func (a *authorizer) authorize(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	rank, err := rankOf(ctx)
	if err != nil {
		return nil, status.Error(codes.Unauthenticated, err.Error())
	}
	if err := a.check(rank, request); err != nil {
		return nil, err
	}
	answer, err := handle(ctx, request)
	if granted, ok := answer.(*pb.LeaseGrantResponse); ok && err == nil {
		a.leases.Store(granted.GetID(), rank)
	}
	if ended, ok := request.(*pb.LeaseRevokeRequest); ok && err == nil {
		a.leases.Delete(ended.GetID())
	}
	return answer, err
}

// rankOf returns the rank that the caller's certificate carries, schema.Anyone without
// one.
func rankOf(ctx context.Context) (int, error) {
	p, _ := peer.FromContext(ctx)
	if p == nil {
		return schema.Anyone, nil
	}
	info, ok := p.AuthInfo.(credentials.TLSInfo)
	if !ok { // a store without credentials
		return schema.Anyone, nil
	}
	return jobtls.RankOf(info.State.PeerCertificates[0])
}

func (a *authorizer) check(rank int, request any) error {
	switch r := request.(type) {
	case *pb.RangeRequest, *pb.LeaseGrantRequest, *pb.LeaseTimeToLiveRequest:
		return nil
	case *pb.PutRequest:
		return a.checkKey(rank, r.GetKey())
	case *pb.DeleteRangeRequest:
		return a.checkDelete(rank, r)
	case *pb.TxnRequest:
		return a.checkTxn(rank, r)
	case *pb.LeaseRevokeRequest:
		owner, known := a.leases.Load(r.GetID())
		if rank != schema.Anyone && known && owner != rank {
			return status.Errorf(codes.PermissionDenied, "the lease %x belongs to process %d, the caller is process %d", r.GetID(), owner, rank)
		}
		return nil
	}
	return status.Errorf(codes.PermissionDenied, "processes of a job do not send a %T", request)
}

func (a *authorizer) checkTxn(rank int, txn *pb.TxnRequest) error {
	for _, op := range append(append([]*pb.RequestOp(nil), txn.GetSuccess()...), txn.GetFailure()...) {
		var request any
		switch r := op.GetRequest().(type) {
		case *pb.RequestOp_RequestRange:
			request = r.RequestRange
		case *pb.RequestOp_RequestPut:
			request = r.RequestPut
		case *pb.RequestOp_RequestDeleteRange:
			request = r.RequestDeleteRange
		case *pb.RequestOp_RequestTxn:
			request = r.RequestTxn
		}
		if err := a.check(rank, request); err != nil {
			return err
		}
	}
	return nil
}

// checkDelete returns an error if the process rank may not delete the keys of r. A process may
// delete a key that it may write. Process 0, which opens jobs, may also delete any range of keys,
// and so may a caller without a rank.
func (a *authorizer) checkDelete(rank int, r *pb.DeleteRangeRequest) error {
	if len(r.GetRangeEnd()) == 0 {
		return a.checkKey(rank, r.GetKey())
	}
	if rank > 0 {
		return status.Errorf(codes.PermissionDenied, "process %d must not delete the keys %q to %q", rank, r.GetKey(), r.GetRangeEnd())
	}
	return nil
}

func (a *authorizer) checkKey(rank int, key []byte) error {
	owner, ok := schema.Owner(string(key))
	switch {
	case !ok || a.processes > 0 && owner >= a.processes:
		return status.Errorf(codes.PermissionDenied, "no process of a job of %d writes the key %q", a.processes, key)
	case owner != schema.Anyone && rank != schema.Anyone && owner != rank:
		return status.Errorf(codes.PermissionDenied, "the key %q belongs to process %d, the caller is process %d", key, owner, rank)
	}
	return nil
}
