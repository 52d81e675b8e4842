// Tells what becomes of the blocks of a library whose path is the argument.

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../blocks.h"

enum { MB = 1 << 20, THREADS = 8, TURNS = 2000 };

static void* (*take)(size_t, size_t);
static void* (*takeAnother)(size_t, size_t);
static void* (*resize)(void*, size_t);
static void (*give)(void*);
static void (**giveByPointer)(void*);

#define WANT(condition)                                 \
  if (!(condition)) {                                   \
    fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
    exit(1);                                            \
  }

// fill writes all of a block, whose bytes must be those of one thread then.
static void fill(unsigned char* block, size_t bytes, int value) {
  memset(block, value, bytes);
  for (size_t i = 0; i < bytes; i += 4096) WANT(block[i] == value);
  WANT(block[bytes - 1] == value);
}

static void* work(void* number) {
  unsigned int seed = (unsigned int)(size_t)number;
  for (int i = 0; i < TURNS; i++) {
    size_t bytes = MB / 2 + rand_r(&seed) % (32 * 1024) * 64;
    void* block = rand_r(&seed) % 2 ? take(64, bytes) : takeAnother(64, bytes);
    fill(block, bytes, 1 + seed % 250);
    if (rand_r(&seed) % 2) give(block);
    else (*giveByPointer)(block);
  }
  return NULL;
}

int main(int count, char** args) {
  void* library = dlopen(args[1], RTLD_LAZY | RTLD_LOCAL);
  WANT(library != NULL);
  take = dlsym(library, "take");
  takeAnother = dlsym(library, "takeAnother");
  resize = dlsym(library, "resize");
  give = dlsym(library, "give");
  giveByPointer = dlsym(library, "giveByPointer");

  void* before = take(64, 10 * MB);  // malloc's
#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))
  WANT(keepBlocks(take, 64 * MB) && keepBlocks(take, 64 * MB));
#else
  return 2;
#endif
  fill(before, 10 * MB, 1);
  give(before);

  // A block that was given back is taken again, where it is not twice as large.
  char* block = take(64, 40 * MB + 64);
  fill((unsigned char*)block, 40 * MB + 64, 2);
  give(block);
  char* other = take(64, 15 * MB);
  WANT(other != block && takeAnother(4096, 30 * MB) == block);
  WANT(block[30 * MB] == 2);  // no page was cleared
  void* third = take(64, 40 * MB);
  WANT(third != block);

  // 64 MiB are kept; what was given back first goes.
  (*giveByPointer)(block);
  give(other);
  WANT(take(64, 35 * MB) == block && take(64, 15 * MB) == other);
  give(block);
  give(other);
  give(third);  // 95 MiB: block goes, where other has room beside it
  WANT(take(64, 40 * MB) == third && take(64, 15 * MB) == other);
  give(other);
  give(third);

  // A block that is made larger or smaller has its bytes.
  char* grown = take(64, 2 * MB);
  strcpy(grown, "a block");
  grown = resize(grown, 100 * MB);
  WANT(strcmp(grown, "a block") == 0);
  grown = resize(grown, 100);
  WANT(strcmp(grown, "a block") == 0);
  give(grown);

  // Small blocks, and none, are malloc's, as are alignments beyond a huge page's.
  give(NULL);
  give(resize(NULL, 3 * MB));
  give(take(4 * MB, 4 * MB));
  WANT(takeAnother(64, (size_t)1 << 62) == NULL);

  // Where the system has no memory left it gets the idle ones back.
  struct rlimit all, some = {900l * MB, 900l * MB};
  getrlimit(RLIMIT_AS, &all);
  some.rlim_max = all.rlim_max;
  WANT(keepBlocks(take, 800l * MB));
  give(take(64, 600l * MB));
  setrlimit(RLIMIT_AS, &some);
  block = take(64, 800l * MB);
  WANT(block != NULL);
  give(block);
  setrlimit(RLIMIT_AS, &all);
  WANT(keepBlocks(take, 64 * MB));

  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void*)i);
  for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
