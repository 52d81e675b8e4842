//go:build cgo

// The handler of collectives among the devices of this process. A device that has to
// wait for others gives its thread back: the last one does the work, with the help of
// the pool, whose threads then go on with the others' programs.

#include "shared.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Meeting* waiting;  // meetings to which some members have not come

// widths are the bytes of an element, by XLA's numbers of types; those above have one.
static const int widths[] = {[1] = 1, [2] = 1, [3] = 2, [4] = 4, [5] = 8, [6] = 1, [7] = 2, [8] = 4, [9] = 8, [10] = 2, [11] = 4, [12] = 8, [15] = 8, [16] = 2, [18] = 16};

static int widthOf(int dtype) { return dtype < (int)(sizeof widths / sizeof *widths) ? widths[dtype] : 1; }

typedef struct {
  int64_t size;
  const int64_t* data;
} Ints;

// Asked is what the attributes of a call say.
typedef struct {
  int64_t channel, kind, reduction, size;
  Ints dims, to;  // of each operand
  Ints groups;    // the replicas of each group, size in each; of a PERMUTE from and to, in pairs
} Asked;

static Asked asked(const Attributes* as) {
  static const struct {
    const char* name;
    size_t offset;
  } fields[] = {{"channel", offsetof(Asked, channel)}, {"kind", offsetof(Asked, kind)}, {"reduction", offsetof(Asked, reduction)},
                {"size", offsetof(Asked, size)}, {"dims", offsetof(Asked, dims)}, {"to", offsetof(Asked, to)}, {"groups", offsetof(Asked, groups)}};
  Asked out = {0};
  for (int64_t i = 0; i < as->size; i++) {
    const Span* name = as->names[i];
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
      if (strlen(fields[k].name) != name->len || memcmp(fields[k].name, name->ptr, name->len)) continue;
      void* field = (char*)&out + fields[k].offset;
      const ArrayAttribute* array = as->values[i];
      if (as->types[i] == ATTRIBUTE_ARRAY) *(Ints*)field = (Ints){(int64_t)array->size, array->data};
      if (as->types[i] == ATTRIBUTE_SCALAR) *(int64_t*)field = *(int64_t*)((const Scalar*)as->values[i])->value;
    }
  }
  return out;
}

static Meeting* newMeeting(const CallFrame* frame, const Asked* a, int64_t run, int64_t group) {
  Meeting* m = calloc(1, sizeof *m);
  m->run = run;
  m->channel = a->channel;
  m->group = group;
  m->kind = (Kind)a->kind;
  m->reduction = (Reduction)a->reduction;
  m->members = (int)a->size;
  m->values = (int)frame->rets.size;
  m->api = frame->api;
  m->shapes = calloc(m->values, sizeof *m->shapes);
  m->in = calloc((size_t)m->members * m->values, sizeof *m->in);
  m->out = calloc((size_t)m->members * m->values, sizeof *m->out);
  m->futures = calloc(m->members, sizeof *m->futures);
  for (int v = 0; v < m->values; v++) {
    const Buffer* b = frame->args.values[v];
    Shape* s = &m->shapes[v];
    *s = (Shape){b->dtype, (int)b->rank, {0}, 1, widthOf(b->dtype), a->dims.data[v], a->to.data[v]};
    for (int d = 0; d < s->rank; d++) s->size *= s->dims[d] = b->dims[d];
  }
  if (m->kind == PERMUTE) {
    m->source = malloc(m->members * sizeof *m->source);
    for (int i = 0; i < m->members; i++) m->source[i] = -1;
    for (int64_t i = 0; i + 1 < a->groups.size; i += 2) m->source[a->groups.data[i + 1]] = a->groups.data[i];
  }
  atomic_init(&m->refs, 1);
  return m;
}

static void release(Meeting* m) {
  if (atomic_fetch_sub(&m->refs, 1) > 1) return;
  free(m->shapes);
  free(m->in);
  free(m->out);
  free(m->futures);
  free(m->source);
  free(m);
}

// doParts does parts of a meeting's work until none is left to begin.
static void doParts(Meeting* m) {
  int64_t done = 0;
  for (int64_t part; (part = atomic_fetch_add(&m->next_part, 1)) < m->parts; done++) doPart(m, part);
  atomic_fetch_add(&m->ready, done);
}

static void help(void* m) {
  doParts(m);
  release(m);
}

// Waiter is a device that goes on.
typedef struct {
  const Api* api;
  void* future;
} Waiter;

static void goOn(void* waiter) {
  Waiter w = *(Waiter*)waiter;
  free(waiter);
  setFuture(w.api, w.future, NULL);
}

// SMALL is how many bytes of a member one thread moves alone.
enum { SMALL = 16384 };

static void execute(Meeting* m) {
  int64_t bytes = 0;
  for (int v = 0; v < m->values; v++) bytes += m->shapes[v].size * m->shapes[v].bytes;
  m->parts = partsOf(m);
  int helpers = bytes * m->members <= 8 * SMALL ? 0 : poolSize() - 1;
  if (helpers > m->parts - 1) helpers = (int)m->parts - 1;
  for (int i = 0; i < helpers; i++) {
    atomic_fetch_add(&m->refs, 1);
    enqueue(help, m, 1);
  }
  doParts(m);
  while (atomic_load(&m->ready) < m->parts) sched_yield();
  for (int i = 0; i < m->members; i++) {
    if (!m->futures[i]) continue;
    Waiter* w = malloc(sizeof *w);
    *w = (Waiter){m->api, m->futures[i]};
    enqueue(goOn, w, 0);
  }
  release(m);
}

void* handleShared(CallFrame* frame) {
  if (answersVersion(frame) || frame->stage != STAGE_EXECUTE) return NULL;
  const Api* api = frame->api;
  RunArgs run = {sizeof run, NULL, frame->context, 0};
  void* error = api->run_id(&run);
  if (error) return error;
  Asked a = asked(&frame->attrs);
  if (a.dims.size < frame->rets.size || a.to.size < a.dims.size || !a.to.data) return failure(api, "the program was compiled by another version of gospmd: compile it again");
  int64_t replica = *(uint32_t*)frame->args.values[frame->args.size - 1]->data, at = replica;
  if (a.kind != PERMUTE)
    for (at = 0; at < a.groups.size && a.groups.data[at] != replica; at++) {}
  int64_t group = at / a.size, member = at % a.size;

  pthread_mutex_lock(&lock);
  Meeting** p = &waiting;
  while (*p && ((*p)->run != run.run || (*p)->channel != a.channel || (*p)->group != group)) p = &(*p)->next;
  if (!*p) *p = newMeeting(frame, &a, run.run, group);
  Meeting* m = *p;
  for (int v = 0; v < m->values; v++) {
    m->in[member * m->values + v] = frame->args.values[v]->data;
    m->out[member * m->values + v] = frame->rets.values[v]->data;
  }
  if (++m->came < m->members) {
    char* message = newFuture(frame);
    m->futures[member] = frame->future;
    pthread_mutex_unlock(&lock);
    if (!message) return NULL;
    error = failure(api, message);
    free(message);
    return error;
  }
  *p = m->next;
  pthread_mutex_unlock(&lock);
  execute(m);
  return NULL;
}
