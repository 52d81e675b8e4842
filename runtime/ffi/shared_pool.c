//go:build cgo

// The pool's threads, which do the work of collectives and continue the devices' programs. There
// are as many as processors, so that devices which share a processor take turns at their
// collectives, and not in time slices. The threads exist while a client is open.

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "shared.h"

typedef struct Queued {
  struct Queued* next;
  Task run;
  void* argument;
} Queued;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t some;
  Queued *first, *last;
  bool closing;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, NULL, false};

static struct {
  pthread_mutex_t lock;  // held while threads start and end
  int users;
  atomic_int size;
  pthread_t* threads;
} pool = {PTHREAD_MUTEX_INITIALIZER, 0, 0, NULL};

// take returns the next task, or NULL if the pool is closing and no task is left.
static Queued* take(void) {
  pthread_mutex_lock(&queue.lock);
  while (!queue.first && !queue.closing) pthread_cond_wait(&queue.some, &queue.lock);
  Queued* q = queue.first;
  if (q) queue.first = q->next;
  if (!queue.first) queue.last = NULL;
  pthread_mutex_unlock(&queue.lock);
  return q;
}

static void* work(void* none) {
  for (Queued* q; (q = take());) {
    q->run(q->argument);
    free(q);
  }
  return none;
}

static void setClosing(bool closing) {
  pthread_mutex_lock(&queue.lock);
  queue.closing = closing;
  pthread_cond_broadcast(&queue.some);
  pthread_mutex_unlock(&queue.lock);
}

// blockSignals blocks signals, except those of faults, in threads that this thread makes. In XLA's
// kernels the stack pointer may be in the heap, and a signal's frame would overwrite memory there.
static sigset_t blockSignals(void) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t others, before;
  sigfillset(&others);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&others, faults[i]);
  pthread_sigmask(SIG_BLOCK, &others, &before);
  return before;
}

// start makes the threads. At least one must exist: without threads, calls would wait forever.
static void start(void) {
  sigset_t before = blockSignals();
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  int wanted = processors > 0 ? (int)processors : 1, size = 0;
  pool.threads = calloc(wanted, sizeof *pool.threads);
  setClosing(false);
  while (size < wanted && pthread_create(&pool.threads[size], NULL, work, NULL) == 0) size++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (size == 0) abort();
  atomic_store(&pool.size, size);
}

static void stop(void) {
  setClosing(true);
  for (int i = 0; i < pool.size; i++) pthread_join(pool.threads[i], NULL);
  free(pool.threads);
  pool.threads = NULL;
  atomic_store(&pool.size, 0);
}

void openPool(void) {
  pthread_mutex_lock(&pool.lock);
  if (pool.users++ == 0) start();
  pthread_mutex_unlock(&pool.lock);
}

void closePool(void) {
  pthread_mutex_lock(&pool.lock);
  if (--pool.users == 0) stop();
  pthread_mutex_unlock(&pool.lock);
}

int poolSize(void) { return atomic_load(&pool.size); }

void enqueue(Task run, void* argument, bool urgent) {
  Queued* q = malloc(sizeof *q);
  *q = (Queued){NULL, run, argument};
  pthread_mutex_lock(&queue.lock);
  if (urgent || !queue.first) {
    q->next = queue.first;
    queue.first = q;
    if (!queue.last) queue.last = q;
  } else {
    queue.last->next = q;
    queue.last = q;
  }
  pthread_cond_signal(&queue.some);
  pthread_mutex_unlock(&queue.lock);
}
