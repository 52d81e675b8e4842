// The part of shared_run.c that the handler of collectives uses.

#ifndef GOSPMD_FFI_SHARED_RUN_H_
#define GOSPMD_FFI_SHARED_RUN_H_

#include "shared.h"

// Run is an execution in progress. lockRuns guards its fields.
typedef struct Run {
  struct Run* next;
  int64_t id;
  int64_t moved;        // when a device last came to a collective, in nanoseconds
  char* aborted;        // why its calls fail; NULL unless it was aborted
  Rendezvous* waiting;  // the rendezvous that wait for members
} Run;

void lockRuns(void);
void unlockRuns(void);

// findRun returns the execution in progress with that id, or NULL. The caller holds the lock.
Run* findRun(int64_t id);

// nowNanos returns the monotonic clock in nanoseconds.
int64_t nowNanos(void);

#endif
