//go:build cgo

// The executions whose devices meet in collectives. XLA tells a handler the launch id of its
// execution, which is 0 if the caller of PJRT gives none. Package runtime gives each execution of
// this process, of any client, its own id. So devices of different executions never meet.

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shared_run.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // guards the following variables
static Run* runs;                                         // the executions in progress
static int64_t last;                                      // the last launch id

void lockRuns(void) { pthread_mutex_lock(&lock); }
void unlockRuns(void) { pthread_mutex_unlock(&lock); }

int64_t nowNanos(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

Run* findRun(int64_t id) {
  Run* run = runs;
  while (run && run->id != id) run = run->next;
  return run;
}

int64_t beginRun(void) {
  Run* run = calloc(1, sizeof *run);
  run->moved = nowNanos();
  lockRuns();
  do last = last < INT32_MAX ? last + 1 : 1;  // PJRT's launch ids have 32 bits
  while (findRun(last));
  run->id = last;
  run->next = runs;
  runs = run;
  int64_t id = run->id;
  unlockRuns();
  return id;
}

// failAll ends the waiting calls of all rendezvous in a list with an error, and frees the
// rendezvous.
static void failAll(Rendezvous* r, const char* why) {
  while (r) {
    Rendezvous* next = r->next;
    for (int i = 0; i < r->members; i++)
      if (r->futures[i]) continueLater(r->api, r->futures[i], strdup(why));
    release(r);
    r = next;
  }
}

void abortRun(int64_t id, const char* why) {
  Rendezvous* waiting = NULL;
  lockRuns();
  Run* run = findRun(id);
  if (run && !run->aborted) {
    run->aborted = strdup(why);
    waiting = run->waiting;
    run->waiting = NULL;
  }
  unlockRuns();
  failAll(waiting, why);
}

void endRun(int64_t id) {
  lockRuns();
  Run** at = &runs;
  while (*at && (*at)->id != id) at = &(*at)->next;
  Run* run = *at;
  if (run) *at = run->next;
  unlockRuns();
  if (!run) return;
  failAll(run->waiting, "BUG: the execution has ended");
  free(run->aborted);
  free(run);
}

int64_t* waitingOf(int64_t id, int64_t* size, int64_t* idle) {
  *size = 0;
  *idle = 0;
  lockRuns();
  Run* run = findRun(id);
  int64_t n = 0;
  if (run) {
    *idle = nowNanos() - run->moved;
    for (Rendezvous* r = run->waiting; r; r = r->next) n += 2 + 2 * r->members;
  }
  int64_t* out = n ? malloc(n * sizeof *out) : NULL;
  for (Rendezvous* r = n ? run->waiting : NULL; r; r = r->next) {
    out[(*size)++] = r->channel;
    out[(*size)++] = r->members;
    for (int i = 0; i < r->members; i++) {
      out[(*size)++] = r->replicas[i];
      out[(*size)++] = r->present[i];
    }
  }
  unlockRuns();
  return out;
}
