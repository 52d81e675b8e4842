// Executes random programs of collectives on simulated devices of several simulated clients, and
// compares what they compute with a plain computation. It is compiled with the files of package ffi
// under a sanitizer, which cannot check XLA's plugin: this file replaces the plugin.
//
//	stress SEED ROUNDS
//
// In each round some clients execute at once. A device continues its program on the thread that
// ends its call, as XLA's do. Some executions have a device that fails, and are aborted; another
// thread calls waitingOf all the time.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../shared.h"

enum { S32 = 4, F32 = 11, MAX_DEVICES = 12, MAX_STEPS = 12, MAX_VALUES = 2 };

static unsigned long long state;

static int draw(int n) {  // only the main thread calls it
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int)((state >> 33) % n);
}

// Step is a collective of a program, with as many operands of the same shape.
typedef struct {
  int64_t channel, kind, reduction, size, rank, dims[3], dim, to, values, dtype;
  int64_t groups[2 * MAX_DEVICES], pairs;
  int64_t list[MAX_VALUES], list_to[MAX_VALUES];
} Step;

typedef struct Execution Execution;

typedef struct {
  Execution* e;
  uint32_t replica;
  int step;
  void *in[MAX_VALUES], *out[MAX_VALUES];
} Device;

struct Execution {
  int devices, steps, failing;  // failing: the replica that fails at its last step, or -1
  Step program[MAX_STEPS];
  int64_t id;
  Device device[MAX_DEVICES];
  void* want[MAX_DEVICES][MAX_VALUES];
  pthread_mutex_t lock;
  pthread_cond_t some;
  int ended, failed;
};

static int64_t count(const Step* s) {
  int64_t n = 1;
  for (int d = 0; d < s->rank; d++) n *= s->dims[d];
  return n;
}

static int64_t countOut(const Step* s) {
  if (s->kind == ALL_GATHER) return count(s) * s->size;
  if (s->kind == REDUCE_SCATTER) return count(s) / s->size;
  return count(s);
}

// Replacements for the functions of XLA that the files of package ffi call.

static void proceed(Device* d);
static void end(Device* d, int failed);

int answersVersion(CallFrame* frame) { return 0; }

void* failure(const Api* api, const char* message) { return strdup(message); }

char* newFuture(CallFrame* frame) {
  frame->future = frame->context;
  return NULL;
}

void setFuture(const Api* api, void* future, const char* message) {
  Device* d = future;
  if (message) end(d, 1);
  else proceed(d);
}

static void* runID(RunArgs* args) {
  args->run = ((Device*)args->context)->e->id;
  return NULL;
}

static const Api api = {.run_id = runID};

// inputOf returns element i of operand v of a device's step. It is a function of these numbers, so
// that the results of a step need not be kept for the next one.
static int inputOf(int64_t id, int step, int replica, int v, int64_t i) { return (int)((id * 31 + step * 17 + replica * 7 + v * 5 + i * 3) % 23) - 11; }

static void set(const Step* s, void* data, int64_t i, int x) {
  if (s->dtype == F32) ((float*)data)[i] = (float)x;
  else ((int32_t*)data)[i] = x;
}

static int get(const Step* s, const void* data, int64_t i) { return s->dtype == F32 ? (int)((const float*)data)[i] : ((const int32_t*)data)[i]; }

static int reduce2(int reduction, int a, int b) {
  if (reduction == ADD) return a + b;
  if (reduction == MINIMUM) return a < b ? a : b;
  return a > b ? a : b;
}

// wanted returns the right value of element i of result v of a replica at a step.
static int wanted(const Execution* e, int step, uint32_t replica, int v, int64_t i) {
  const Step* s = &e->program[step];
  if (s->kind == PERMUTE) {
    for (int64_t p = 0; p < s->pairs; p++)
      if (s->groups[2 * p + 1] == replica) return inputOf(e->id, step, (int)s->groups[2 * p], v, i);
    return 0;
  }
  int64_t at = 0;
  while (s->groups[at] != replica) at++;
  const int64_t* group = &s->groups[at / s->size * s->size];
  int64_t member = at % s->size, out[3], dims[3], index[3];
  memcpy(dims, s->dims, sizeof dims);
  memcpy(out, s->dims, sizeof out);
  if (s->kind == ALL_GATHER) out[s->dim] *= s->size;
  if (s->kind == REDUCE_SCATTER) out[s->dim] /= s->size;
  if (s->kind == ALL_TO_ALL) out[s->dim] /= s->size, out[s->to] *= s->size;
  for (int d = (int)s->rank - 1; d >= 0; d--) index[d] = i % out[d], i /= out[d];
  int64_t from = -1;  // the member that sends; -1 if all do
  if (s->kind == ALL_GATHER) from = index[s->dim] / dims[s->dim], index[s->dim] %= dims[s->dim];
  if (s->kind == REDUCE_SCATTER) index[s->dim] += member * out[s->dim];
  if (s->kind == ALL_TO_ALL) {
    int64_t part = out[s->to] / s->size;
    if (s->dim == s->to) part = dims[s->dim] / s->size;
    from = index[s->to] / part, index[s->to] %= part;
    index[s->dim] += member * (dims[s->dim] / s->size);
  }
  int64_t flat = 0;
  for (int d = 0; d < s->rank; d++) flat = flat * dims[d] + index[d];
  if (from >= 0) return inputOf(e->id, step, (int)group[from], v, flat);
  int sum = inputOf(e->id, step, (int)group[0], v, flat);
  for (int k = 1; k < s->size; k++) sum = reduce2((int)s->reduction, sum, inputOf(e->id, step, (int)group[k], v, flat));
  return sum;
}

// check compares the results of a step and frees its memory.
static void check(Device* d) {
  const Step* s = &d->e->program[d->step];
  for (int v = 0; v < s->values; v++) {
    for (int64_t i = 0; i < countOut(s); i++) {
      int got = get(s, d->out[v], i), want = wanted(d->e, d->step, d->replica, v, i);
      if (got == want) continue;
      printf("execution %lld, step %d (kind %lld of %lld), replica %u, result %d, element %lld: got %d, want %d\n", (long long)d->e->id, d->step,
             (long long)s->kind, (long long)s->size, d->replica, v, (long long)i, got, want);
      exit(1);
    }
  }
}

static void freeStep(Device* d) {
  for (int v = 0; v < MAX_VALUES; v++) {
    free(d->in[v]);
    free(d->out[v]);
    d->in[v] = d->out[v] = NULL;
  }
}

static void end(Device* d, int failed) {
  Execution* e = d->e;
  freeStep(d);
  if (failed) abortRun(e->id, "a device has failed");
  pthread_mutex_lock(&e->lock);
  e->ended++;
  e->failed += failed;
  pthread_cond_signal(&e->some);
  pthread_mutex_unlock(&e->lock);
}

// call calls the handler for the device's step. It returns true if the device can continue at once.
static bool call(Device* d) {
  Step* s = &d->e->program[d->step];
  int64_t size = (int64_t)4;
  Buffer args[MAX_VALUES + 1] = {{0}}, rets[MAX_VALUES] = {{0}};
  Buffer *argp[MAX_VALUES + 1], *retp[MAX_VALUES];
  for (int v = 0; v < s->values; v++) {
    d->in[v] = malloc(count(s) * size);
    d->out[v] = malloc(countOut(s) * size);
    for (int64_t i = 0; i < count(s); i++) set(s, d->in[v], i, inputOf(d->e->id, d->step, (int)d->replica, v, i));
    args[v] = (Buffer){.dtype = (int)s->dtype, .data = d->in[v], .rank = s->rank, .dims = s->dims};
    rets[v] = (Buffer){.dtype = (int)s->dtype, .data = d->out[v], .rank = s->rank, .dims = s->dims};
    argp[v] = &args[v];
    retp[v] = &rets[v];
  }
  args[s->values] = (Buffer){.data = &d->replica};
  argp[s->values] = &args[s->values];
  Span names[] = {{"channel", 7}, {"kind", 4}, {"reduction", 9}, {"size", 4}, {"dims", 4}, {"to", 2}, {"groups", 6}};
  Span* namep[7];
  for (int i = 0; i < 7; i++) namep[i] = &names[i];
  Scalar scalars[] = {{0, &s->channel}, {0, &s->kind}, {0, &s->reduction}, {0, &s->size}};
  int64_t listed = s->kind == PERMUTE ? 2 * s->pairs : d->e->devices;
  ArrayAttribute arrays[] = {{0, s->values, s->list}, {0, s->values, s->list_to}, {0, listed, s->groups}};
  void* values[] = {&scalars[0], &scalars[1], &scalars[2], &scalars[3], &arrays[0], &arrays[1], &arrays[2]};
  int types[] = {ATTRIBUTE_SCALAR, ATTRIBUTE_SCALAR, ATTRIBUTE_SCALAR, ATTRIBUTE_SCALAR, ATTRIBUTE_ARRAY, ATTRIBUTE_ARRAY, ATTRIBUTE_ARRAY};
  CallFrame frame = {.api = &api, .context = d, .stage = STAGE_EXECUTE, .args = {.size = s->values + 1, .values = argp},
                     .rets = {.size = s->values, .values = retp}, .attrs = {.size = 7, .types = types, .names = namep, .values = values}};
  void* error = handleShared(&frame);
  if (frame.future) return false;  // the device may have gone on already, and its memory may be free
  if (error) {
    free(error);
    end(d, 1);
    return false;
  }
  check(d);
  freeStep(d);
  d->step++;
  return true;
}

static void run(Device* d) {
  while (d->step < d->e->steps) {
    if (d->e->failing == (int)d->replica && d->step == d->e->steps - 1) return end(d, 1);
    if (!call(d)) return;
  }
  end(d, 0);
}

// proceed continues a device whose call has ended.
static void proceed(Device* d) {
  check(d);
  freeStep(d);
  d->step++;
  run(d);
}

static void* thread(void* device) {
  run(device);
  return NULL;
}

static void makeStep(Execution* e, Step* s, int64_t channel) {
  static const int reductions[] = {ADD, MINIMUM, MAXIMUM};
  memset(s, 0, sizeof *s);
  s->channel = channel;
  s->kind = draw(KINDS);
  s->reduction = reductions[draw(3)];
  s->dtype = draw(2) ? F32 : S32;
  s->values = 1 + draw(MAX_VALUES);
  do s->size = 1 + draw(e->devices);
  while (e->devices % s->size);
  if (s->kind == PERMUTE) s->size = e->devices;
  s->rank = 1 + draw(3);
  s->dim = draw((int)s->rank);
  s->to = s->kind == ALL_TO_ALL ? draw((int)s->rank) : s->dim;
  for (int d = 0; d < s->rank; d++) s->dims[d] = 1 + draw(4);
  s->dims[s->dim] = s->size * (1 + draw(draw(8) ? 3 : 200));
  for (int v = 0; v < s->values; v++) s->list[v] = s->dim, s->list_to[v] = s->to;
  int order[MAX_DEVICES];
  for (int i = 0; i < e->devices; i++) {
    int k = draw(i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  if (s->kind == PERMUTE) {
    s->pairs = 1 + draw(e->devices);
    for (int64_t i = 0; i < s->pairs; i++) s->groups[2 * i] = draw(e->devices), s->groups[2 * i + 1] = order[i];
    return;
  }
  for (int i = 0; i < e->devices; i++) s->groups[i] = order[i];
}

static Execution* newExecution(void) {
  Execution* e = calloc(1, sizeof *e);
  e->devices = 1 + draw(MAX_DEVICES);
  e->steps = 1 + draw(MAX_STEPS);
  e->failing = draw(6) ? -1 : draw(e->devices);
  for (int i = 0; i < e->steps; i++) makeStep(e, &e->program[i], i);
  if (e->steps > 1 && !draw(4)) e->program[1] = e->program[0];  // a loop: the same channel again
  pthread_mutex_init(&e->lock, NULL);
  pthread_cond_init(&e->some, NULL);
  return e;
}

// execute starts all devices, each on a thread of its own, and waits for their ends.
static void* execute(void* execution) {
  Execution* e = execution;
  e->id = beginRun();
  pthread_t threads[MAX_DEVICES];
  for (int i = 0; i < e->devices; i++) {
    e->device[i] = (Device){.e = e, .replica = (uint32_t)i};
    pthread_create(&threads[i], NULL, thread, &e->device[i]);
  }
  for (int i = 0; i < e->devices; i++) pthread_join(threads[i], NULL);
  pthread_mutex_lock(&e->lock);
  while (e->ended < e->devices) pthread_cond_wait(&e->some, &e->lock);
  pthread_mutex_unlock(&e->lock);
  endRun(e->id);
  if ((e->failing >= 0) != (e->failed > 0)) {
    printf("execution %lld: %d devices failed, replica %d was to fail\n", (long long)e->id, e->failed, e->failing);
    exit(1);
  }
  pthread_cond_destroy(&e->some);
  pthread_mutex_destroy(&e->lock);
  free(e);
  return NULL;
}

static atomic_int watching;
static atomic_llong newest;

static void* watch(void* none) {
  while (atomic_load(&watching)) {
    int64_t size, idle;
    for (int64_t id = atomic_fetch_add(&newest, 1) % 64; id < 4096; id += 64) free(waitingOf(id, &size, &idle));
    usleep(100);
  }
  return none;
}

int main(int argc, char** argv) {
  state = strtoull(argv[1], NULL, 10) * 2654435761ULL + 1;
  int rounds = atoi(argv[2]), executions = 0;
  pthread_t watcher;
  atomic_store(&watching, 1);
  pthread_create(&watcher, NULL, watch, NULL);
  for (int round = 0; round < rounds; round++) {
    enum { MOST = 12 };
    pthread_t threads[MOST];
    int users = 1 + draw(4), n = 1 + draw(MOST);
    for (int i = 0; i < users; i++) openPool();
    for (int i = 0; i < n; i++) pthread_create(&threads[i], NULL, execute, newExecution());
    for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < users; i++) closePool();
    executions += n;
  }
  atomic_store(&watching, 0);
  pthread_join(watcher, NULL);
  printf("%d executions\n", executions);
  return 0;
}
