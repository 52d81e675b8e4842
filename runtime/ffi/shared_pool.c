//go:build cgo

// The threads that do the work of collectives and go on with the devices' programs:
// as many as the machine has processors, so that devices that share them take turns
// at their collectives and not in time slices.

#include <stdlib.h>
#include <unistd.h>

#include "shared.h"

static struct {
  pthread_mutex_t lock;
  pthread_cond_t some;
  pthread_once_t once;
  Task *first, *last;
  int size;
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_ONCE_INIT, NULL, NULL, 0};

static void* work(void* none) {
  for (;;) {
    pthread_mutex_lock(&pool.lock);
    while (!pool.first) pthread_cond_wait(&pool.some, &pool.lock);
    Task* t = pool.first;
    pool.first = t->next;
    if (!pool.first) pool.last = NULL;
    pthread_mutex_unlock(&pool.lock);
    t->run(t->argument);
    free(t);
  }
  return none;
}

static void start(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  pool.size = processors > 0 ? (int)processors : 1;
  for (int i = 0; i < pool.size; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) == 0) pthread_detach(thread);
  }
}

int poolSize(void) {
  pthread_once(&pool.once, start);
  return pool.size;
}

void enqueue(void (*run)(void*), void* argument, int urgent) {
  pthread_once(&pool.once, start);
  Task* t = malloc(sizeof *t);
  *t = (Task){NULL, run, argument};
  pthread_mutex_lock(&pool.lock);
  if (urgent || !pool.first) {
    t->next = pool.first;
    pool.first = t;
    if (!pool.last) pool.last = t;
  } else {
    pool.last->next = t;
    pool.last = t;
  }
  pthread_cond_signal(&pool.some);
  pthread_mutex_unlock(&pool.lock);
}
