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

// Shape is the type of one operand, and the dimensions that the collective works on.
typedef struct {
  int dtype, rank;
  int64_t dims[MAX_RANK], size, bytes;  // number of elements, and bytes of one
  int64_t dim, to;  // dim: the dimension that is cut, or else joined; to: the dimension along which parts are joined
} Shape;

// Rendezvous is one collective of one execution, among the devices of one group. Its Run owns it
// until all members have come, and then the threads that compute it.
typedef struct Rendezvous {
  struct Rendezvous* next;  // the next one of the same Run
  int64_t channel, group;   // identify the rendezvous in its Run
  Kind kind;
  Reduction reduction;
  int members, came;  // number of devices of the group, and of those that have come
  int values;         // number of operands of each member
  Shape* shapes;      // the shape of each operand
  int64_t* replicas;  // the replica of each member
  bool* present;      // whether each member has come
  void** in;          // operand v of member i is in[i * values + v]
  void** out;
  void** futures;   // the future of each member; NULL for the last one that came
  int64_t* source;  // for kinds with pairs: the member that sends to each member, -1 for none
  const Api* api;

  int64_t parts;  // the number of parts of the work
  atomic_llong next_part, ready;
  atomic_int refs;  // number of threads that may read it
} Rendezvous;

// beginRun returns the launch id of a new execution. It is positive, and unique in this process
// until endRun.
int64_t beginRun(void);

// endRun removes an execution that has ended on all devices.
void endRun(int64_t id);

// abortRun ends the waiting calls of an execution, and all later ones, with an error. Only the
// first reason counts. An unknown id is ignored.
void abortRun(int64_t id, const char* why);

// waitingOf describes the rendezvous of an execution that wait for members. It returns a list of
// *size numbers, which the caller frees: for each rendezvous its channel, the number n of its
// members, and n pairs of a replica and whether it has come. It sets *idle to the nanoseconds since
// a device last came to a collective of the execution.
int64_t* waitingOf(int64_t id, int64_t* size, int64_t* idle);

// A Task is work for the pool's threads. run frees the argument.
typedef void (*Task)(void* argument);

// openPool adds a user of the pool. The first user starts the threads. closePool removes a user.
// The last user ends the threads; it must have no executions in progress.
void openPool(void);
void closePool(void);

// enqueue adds a task to the pool, before other tasks if it is urgent. A task never waits for
// another one.
void enqueue(Task run, void* argument, bool urgent);

// poolSize returns the number of threads of the pool.
int poolSize(void);

// partsOf returns the number of parts of a rendezvous' work. They can be done in any order and on
// any threads. doPart does one part.
int64_t partsOf(const Rendezvous* r);
void doPart(const Rendezvous* r, int64_t part);

// compute does the work of a rendezvous that all members have reached. It then ends their calls,
// and drops a reference.
void compute(Rendezvous* r);

// release drops a reference. The last one frees the rendezvous.
void release(Rendezvous* r);

// continueLater makes a thread of the pool end a call: with an error, unless message is NULL. It
// frees message.
void continueLater(const Api* api, void* future, char* message);

// reduces reports whether values of this element type can be combined.
bool reduces(int dtype);

// reduceInto combines n elements of from into the n elements of into.
void reduceInto(void* into, const void* from, int64_t n, int dtype, Reduction r);

#endif
