// What the handler of collectives needs of executions: shared_run.c has them.

#ifndef GOSPMD_FFI_SHARED_RUN_H_
#define GOSPMD_FFI_SHARED_RUN_H_

#include "shared.h"

// Run is an execution in progress. lockRuns guards its fields.
typedef struct Run {
  struct Run* next;
  int64_t id;
  int64_t moved;        // when a device last came to a collective, in nanoseconds
  char* aborted;        // why its calls fail; NULL while they do not
  Rendezvous* waiting;  // those to which some members have not come
} Run;

void lockRuns(void);
void unlockRuns(void);

// findRun returns an execution in progress, or NULL. The caller holds the lock.
Run* findRun(int64_t id);

// nowNanos returns the monotonic clock in nanoseconds.
int64_t nowNanos(void);

#endif
