//go:build cgo

// The computation of collectives among the devices of this process. The work is divided into parts
// that write different elements, so that several threads can share it.

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "shared.h"

// CHUNK is the number of bytes of an operand that are reduced at once. They stay in a processor's
// cache until all results have them.
enum { CHUNK = 16384 };

static int64_t chunks(const Shape* s) { return (s->size * s->bytes + CHUNK - 1) / CHUNK; }

// isWhole reports whether a collective reduces whole operands, so that all members get the same
// result. Such operands are reduced chunk by chunk.
static bool isWhole(const Rendezvous* r) { return kindInfo[r->kind].reduces && !kindInfo[r->kind].cuts; }

int64_t partsOf(const Rendezvous* r) {
  if (!isWhole(r)) return r->members;
  int64_t n = 0;
  for (int v = 0; v < r->values; v++) n += chunks(&r->shapes[v]);
  return n;
}

// reducePart reduces a chunk of an operand, and copies it to the results of all members.
static void reducePart(const Rendezvous* r, int64_t part) {
  int v = 0;
  for (; part >= chunks(&r->shapes[v]); v++) part -= chunks(&r->shapes[v]);
  const Shape* s = &r->shapes[v];
  _Alignas(64) char sum[CHUNK];
  int64_t from = part * CHUNK, bytes = s->size * s->bytes - from;
  if (bytes > CHUNK) bytes = CHUNK;
  memcpy(sum, (char*)r->in[v] + from, bytes);
  for (int i = 1; i < r->members; i++) reduceInto(sum, (char*)r->in[i * r->values + v] + from, bytes / s->bytes, s->dtype, r->reduction);
  for (int i = 0; i < r->members; i++) memcpy((char*)r->out[i * r->values + v] + from, sum, bytes);
}

// Place is the position of a box of elements in a tensor: the index of its first element, and the
// dimensions of the tensor.
typedef struct {
  char* data;
  int64_t dims[MAX_RANK], at[MAX_RANK];
} Place;

typedef void (*Row)(const Rendezvous* r, const Shape* box, void* to, const void* from, int64_t elements);

static void copyRow(const Rendezvous* r, const Shape* box, void* to, const void* from, int64_t elements) {
  memcpy(to, from, elements * box->bytes);
}

static void reduceRow(const Rendezvous* r, const Shape* box, void* to, const void* from, int64_t elements) {
  reduceInto(to, from, elements, box->dtype, r->reduction);
}

// eachRow calls row for each run of elements of a box that is contiguous in both places.
static void eachRow(const Rendezvous* r, const Shape* box, const Place* to, const Place* from, Row row) {
  if (box->size == 0) return;
  int inner = box->rank;  // dimensions from here on are contiguous in both places
  int64_t elements = 1;
  while (inner > 0) {
    inner--;
    elements *= box->dims[inner];
    if (box->dims[inner] != to->dims[inner] || box->dims[inner] != from->dims[inner]) break;
  }
  int64_t index[MAX_RANK] = {0};
  for (;;) {
    int64_t t = 0, f = 0;
    for (int d = 0; d < box->rank; d++) {
      t = t * to->dims[d] + to->at[d] + index[d];
      f = f * from->dims[d] + from->at[d] + index[d];
    }
    row(r, box, to->data + t * box->bytes, from->data + f * box->bytes, elements);
    int d = inner - 1;
    while (d >= 0 && ++index[d] == box->dims[d]) index[d--] = 0;
    if (d < 0) return;
  }
}

static Place place(const Shape* s, void* data) {
  Place p = {data, {0}, {0}};
  memcpy(p.dims, s->dims, sizeof p.dims);
  return p;
}

// movePart computes the results of one member.
static void movePart(const Rendezvous* r, int member) {
  const KindInfo* kind = &kindInfo[r->kind];
  for (int v = 0; v < r->values; v++) {
    const Shape* s = &r->shapes[v];
    char* out = r->out[member * r->values + v];
    if (kind->pairs) {
      int64_t from = r->source[member];
      if (from < 0) memset(out, 0, s->size * s->bytes);
      else memcpy(out, r->in[from * r->values + v], s->size * s->bytes);
      continue;
    }
    Shape box = *s;  // the elements that one member sends to another
    if (kind->cuts) box.dims[s->dim] /= r->members;
    Place to = place(&box, out);
    if (kind->joins) to.dims[s->to] *= r->members;
    for (int i = 0; i < r->members; i++) {
      Place from = place(s, r->in[i * r->values + v]);
      if (kind->cuts) from.at[s->dim] = member * box.dims[s->dim];
      if (kind->joins) to.at[s->to] = i * box.dims[s->to];
      eachRow(r, &box, &to, &from, kind->reduces && i > 0 ? reduceRow : copyRow);
    }
  }
}

void doPart(const Rendezvous* r, int64_t part) {
  if (isWhole(r)) reducePart(r, part);
  else movePart(r, (int)part);
}

// doParts does parts of the work until all parts have been begun, by this thread or others.
static void doParts(Rendezvous* r) {
  int64_t done = 0;
  for (int64_t part; (part = atomic_fetch_add(&r->next_part, 1)) < r->parts; done++) doPart(r, part);
  atomic_fetch_add(&r->ready, done);
}

static void help(void* rendezvous) {
  doParts(rendezvous);
  release(rendezvous);
}

// Waiter is the waiting call of a device.
typedef struct {
  const Api* api;
  void* future;
  char* message;
} Waiter;

static void endCall(void* waiter) {
  Waiter w = *(Waiter*)waiter;
  free(waiter);
  setFuture(w.api, w.future, w.message);
  free(w.message);
}

void continueLater(const Api* api, void* future, char* message) {
  Waiter* w = malloc(sizeof *w);
  *w = (Waiter){api, future, message};
  enqueue(endCall, w, false);
}

// SMALL is the largest number of bytes of a member that one thread moves alone.
enum { SMALL = 16384 };

void compute(Rendezvous* r) {
  int64_t bytes = 0;
  for (int v = 0; v < r->values; v++) bytes += r->shapes[v].size * r->shapes[v].bytes;
  r->parts = partsOf(r);
  int helpers = bytes * r->members <= 8 * SMALL ? 0 : poolSize() - 1;
  if (helpers > r->parts - 1) helpers = (int)r->parts - 1;
  for (int i = 0; i < helpers; i++) {
    atomic_fetch_add(&r->refs, 1);
    enqueue(help, r, true);
  }
  doParts(r);
  while (atomic_load(&r->ready) < r->parts) sched_yield();  // waits for the parts that helpers have begun
  for (int i = 0; i < r->members; i++)
    if (r->futures[i]) continueLater(r->api, r->futures[i], NULL);
  release(r);
}
