// The collectives among the devices of this process: executions, the rendezvous of their
// devices, and the threads that continue the devices' programs.

#ifndef GOSPMD_FFI_SHARED_H_
#define GOSPMD_FFI_SHARED_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "handler.h"
#include "kinds_gen.h"

enum { MAX_RANK = 16 };

// Shape is the type of one operand.
typedef struct {
  int dtype, rank;
  int64_t dims[MAX_RANK], size, bytes;  // elements, and bytes of one
  int64_t dim, to;  // the dimension that is cut, or along which parts are joined if none is; that along which they are joined
} Shape;

// Rendezvous is one collective of one execution, by the devices of one group. It belongs to its
// Run until all members have come, then to the threads that compute it.
typedef struct Rendezvous {
  struct Rendezvous* next;  // of the same run
  int64_t channel, group;   // what it is found by, in its run
  Kind kind;
  Reduction reduction;
  int members, came;  // devices of the group, and those that have come
  int values;         // operands of each
  Shape* shapes;      // of operands
  int64_t* replicas;  // of members
  bool* present;      // of members: it has come
  void** in;          // of member i: in[i * values …]
  void** out;
  void** futures;   // of members, NULL for the last that came
  int64_t* source;  // of a kind with pairs: the member that sends to each, -1 for none
  const Api* api;

  int64_t parts;  // of the work
  atomic_llong next_part, ready;
  atomic_int refs;  // threads that may look at it
} Rendezvous;

// beginRun returns the number of a new execution, which XLA is given as its launch id. It is
// positive, and no other execution of this process has it before endRun.
int64_t beginRun(void);

// endRun forgets an execution that has ended on all devices.
void endRun(int64_t id);

// abortRun ends the calls of an execution that wait for other devices, and all later ones, with
// an error. The first reason counts. A number of no execution changes nothing.
void abortRun(int64_t id, const char* why);

// waitingOf describes the rendezvous of an execution that wait for members. It returns a list
// that the caller frees, of *size numbers: for each rendezvous its channel, the number n of its
// members, and n pairs of a replica and whether it has come. *idle is how many nanoseconds ago a
// device came to a collective of the execution.
int64_t* waitingOf(int64_t id, int64_t* size, int64_t* idle);

// A Task is work for the threads of the pool. run frees the argument.
typedef void (*Task)(void* argument);

// openPool starts the threads of the pool, if none of its users has; closePool ends them with the
// last user. A user has no executions in progress then.
void openPool(void);
void closePool(void);

// enqueue gives a task to the pool: before other tasks if it is urgent. A task never waits for
// another one.
void enqueue(Task run, void* argument, bool urgent);

// poolSize returns the number of threads of the pool.
int poolSize(void);

// partsOf returns in how many parts the work of a rendezvous is done, in any order and on
// any threads; doPart does one.
int64_t partsOf(const Rendezvous* r);
void doPart(const Rendezvous* r, int64_t part);

// compute does the work of a rendezvous that all members have reached, lets their devices
// continue, and drops a reference.
void compute(Rendezvous* r);

// release drops a reference.
void release(Rendezvous* r);

// continueLater makes a thread of the pool end a call: with an error unless message is NULL,
// which is freed.
void continueLater(const Api* api, void* future, char* message);

// reduces reports whether values of this element type can be combined.
bool reduces(int dtype);

// reduceInto combines n elements of from into those of into.
void reduceInto(void* into, const void* from, int64_t n, int dtype, Reduction r);

#endif
