//go:build cgo

// The handler of collectives among the devices of this process. A device that must wait for others
// returns its thread to XLA. The last device of a rendezvous does the work, with the help of the
// pool's threads, which then continue the programs of the other devices.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared_run.h"

// widths has the bytes of an element, by XLA's numbers of types. Elements of greater types have one
// byte.
static const int widths[] = {[1] = 1, [2] = 1, [3] = 2, [4] = 4, [5] = 8, [6] = 1, [7] = 2, [8] = 4, [9] = 8, [10] = 2, [11] = 4, [12] = 8, [15] = 8, [16] = 2, [18] = 16};

static int widthOf(int dtype) { return dtype >= 0 && dtype < (int)(sizeof widths / sizeof *widths) && widths[dtype] ? widths[dtype] : 1; }

typedef struct {
  int64_t size;
  const int64_t* data;
} Ints;

// Asked holds the attributes of a call.
typedef struct {
  int64_t channel, kind, reduction, size;
  Ints dims, to;  // of each operand
  Ints groups;    // the replicas of each group, size in each; or for kinds with pairs: from and to
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

// Member identifies one device's part in a rendezvous: its group, and its index there.
typedef struct {
  int64_t group, member;
} Member;

// unfit returns an error text if this version of gospmd cannot have made the call. Otherwise it
// returns NULL, and sets the group and the member of the replica.
static const char* unfit(const CallFrame* frame, const Asked* a, int64_t replica, Member* out) {
  static const char* version = "the program was compiled by another version of gospmd: compile it again";
  if (a->kind < 0 || a->kind >= KINDS || a->reduction < 0 || a->reduction >= REDUCTIONS || a->size < 1 || a->size > INT32_MAX) return version;
  if (a->dims.size < frame->rets.size || a->to.size < a->dims.size || !a->to.data || frame->args.size != frame->rets.size + 1) return version;
  const KindInfo* kind = &kindInfo[a->kind];
  for (int64_t v = 0; v < frame->rets.size; v++) {
    const Buffer* b = frame->args.values[v];
    if (b->rank < 0 || b->rank > MAX_RANK || (kind->reduces && !reduces(b->dtype))) return version;
    if ((kind->cuts || kind->joins) && (a->dims.data[v] < 0 || a->dims.data[v] >= b->rank || a->to.data[v] < 0 || a->to.data[v] >= b->rank)) return version;
  }
  if (kind->pairs) {
    for (int64_t i = 0; i < a->groups.size; i++)
      if (a->groups.data[i] < 0 || a->groups.data[i] >= a->size) return version;
    *out = (Member){0, replica};
    return replica < a->size ? NULL : version;
  }
  int64_t at = 0;
  while (at < a->groups.size && a->groups.data[at] != replica) at++;
  *out = (Member){at / a->size, at % a->size};
  return at < a->groups.size && (out->group + 1) * a->size <= a->groups.size ? NULL : version;
}

static Shape shapeOf(const Buffer* b, int64_t dim, int64_t to) {
  Shape s = {b->dtype, (int)b->rank, {0}, 1, widthOf(b->dtype), dim, to};
  for (int d = 0; d < s.rank; d++) s.size *= s.dims[d] = b->dims[d];
  return s;
}

static Rendezvous* newRendezvous(const CallFrame* frame, const Asked* a, int64_t group) {
  Rendezvous* r = calloc(1, sizeof *r);
  r->channel = a->channel;
  r->group = group;
  r->kind = (Kind)a->kind;
  r->reduction = (Reduction)a->reduction;
  r->members = (int)a->size;
  r->values = (int)frame->rets.size;
  r->api = frame->api;
  r->shapes = calloc(r->values, sizeof *r->shapes);
  r->replicas = calloc(r->members, sizeof *r->replicas);
  r->present = calloc(r->members, sizeof *r->present);
  r->in = calloc((size_t)r->members * r->values, sizeof *r->in);
  r->out = calloc((size_t)r->members * r->values, sizeof *r->out);
  r->futures = calloc(r->members, sizeof *r->futures);
  for (int v = 0; v < r->values; v++) r->shapes[v] = shapeOf(frame->args.values[v], a->dims.data[v], a->to.data[v]);
  for (int i = 0; i < r->members; i++) r->replicas[i] = kindInfo[r->kind].pairs ? i : a->groups.data[group * a->size + i];
  if (kindInfo[r->kind].pairs) {
    r->source = malloc(r->members * sizeof *r->source);
    for (int i = 0; i < r->members; i++) r->source[i] = -1;
    for (int64_t i = 0; i + 1 < a->groups.size; i += 2) r->source[a->groups.data[i + 1]] = a->groups.data[i];
  }
  atomic_init(&r->refs, 1);
  return r;
}

void release(Rendezvous* r) {
  if (atomic_fetch_sub(&r->refs, 1) > 1) return;
  free(r->shapes);
  free(r->replicas);
  free(r->present);
  free(r->in);
  free(r->out);
  free(r->futures);
  free(r->source);
  free(r);
}

// mismatch returns an error text if a member's call differs from the calls of the members that have
// come, or NULL.
static const char* mismatch(const Rendezvous* r, const CallFrame* frame, const Asked* a, int64_t member) {
  if (r->present[member]) return "BUG: a device comes to a collective again before the others have come";
  if (r->kind != (Kind)a->kind || r->reduction != (Reduction)a->reduction || r->members != a->size || r->values != frame->rets.size)
    return "BUG: devices come to different collectives of one channel";
  for (int v = 0; v < r->values; v++) {
    Shape s = shapeOf(frame->args.values[v], a->dims.data[v], a->to.data[v]);
    if (memcmp(&s, &r->shapes[v], sizeof s)) return "BUG: devices come to a collective with operands of different types";
  }
  return NULL;
}

// come adds a device to its rendezvous. It returns an error of XLA, or NULL. If the device was the
// last one, it sets *complete to the rendezvous.
static void* come(CallFrame* frame, const Asked* a, int64_t id, Member m, Rendezvous** complete) {
  const Api* api = frame->api;
  Run* run = findRun(id);
  if (!run) return failure(api, "BUG: a collective of an execution that gospmd has not started, or that has ended");
  if (run->aborted) return failure(api, run->aborted);
  Rendezvous** at = &run->waiting;
  while (*at && ((*at)->channel != a->channel || (*at)->group != m.group)) at = &(*at)->next;
  bool first = !*at;
  Rendezvous* r = first ? newRendezvous(frame, a, m.group) : *at;
  const char* wrong = mismatch(r, frame, a, m.member);
  if (wrong) return failure(api, wrong);
  bool last = r->came + 1 == r->members;
  char* message = last ? NULL : newFuture(frame);
  if (message) {
    if (first) release(r);
    void* error = failure(api, message);
    free(message);
    return error;
  }
  *at = r;
  for (int v = 0; v < r->values; v++) {
    r->in[m.member * r->values + v] = frame->args.values[v]->data;
    r->out[m.member * r->values + v] = frame->rets.values[v]->data;
  }
  r->present[m.member] = true;
  r->came++;
  run->moved = nowNanos();
  if (!last) {
    r->futures[m.member] = frame->future;
    return NULL;
  }
  *at = r->next;
  *complete = r;
  return NULL;
}

void* handleShared(CallFrame* frame) {
  if (answersVersion(frame) || frame->stage != STAGE_EXECUTE) return NULL;
  const Api* api = frame->api;
  RunArgs run = {sizeof run, NULL, frame->context, 0};
  void* error = api->run_id(&run);
  if (error) return error;
  Asked a = asked(&frame->attrs);
  Member m;
  int64_t replica = *(uint32_t*)frame->args.values[frame->args.size - 1]->data;
  const char* wrong = unfit(frame, &a, replica, &m);
  if (wrong) return failure(api, wrong);
  Rendezvous* complete = NULL;
  lockRuns();
  error = come(frame, &a, run.run, m, &complete);
  unlockRuns();
  if (complete) compute(complete);
  return error;
}
