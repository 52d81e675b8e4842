// The collectives among the devices of this process: what they bring to one, and the
// threads that go on with their programs.

#ifndef GOSPMD_FFI_SHARED_H_
#define GOSPMD_FFI_SHARED_H_

#include <pthread.h>
#include <stdatomic.h>

#include "handler.h"

enum { MAX_RANK = 16 };

// What the collectives are. program.Shared numbers them alike.
typedef enum { ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, PERMUTE } Kind;
typedef enum { ADD, MULTIPLY, MINIMUM, MAXIMUM, AND, OR } Reduction;

// Shape is the type of one operand.
typedef struct {
  int dtype, rank;
  int64_t dims[MAX_RANK], size, bytes;  // elements, and bytes of one
  int64_t dim, to;  // the dimension that is gathered, scattered or split, and that which parts are joined along
} Shape;

// Meeting is one execution of a collective by the devices of a group.
typedef struct Meeting {
  struct Meeting* next;
  int64_t run, channel, group;  // what it is found by
  Kind kind;
  Reduction reduction;
  int members, came; // devices of the group, and those that have come
  int values;        // operands of each
  Shape* shapes;     // of operands
  void** in;         // of member i: in[i * values …]
  void** out;
  void** futures;    // of members, NULL for the last that came
  int64_t* source;   // of a PERMUTE: the member that sends to each, -1 for none
  const Api* api;

  int64_t parts;     // of the work
  atomic_llong next_part, ready;
  atomic_int refs;   // threads that may look at it
} Meeting;

// Task is work for the threads of this file's pool.
typedef struct Task {
  struct Task* next;
  void (*run)(void* argument);
  void* argument;
} Task;

// enqueue has a thread of the pool run a task: before the others that wait if it is urgent.
void enqueue(void (*run)(void*), void* argument, int urgent);

// poolSize returns the number of threads of the pool.
int poolSize(void);

// partsOf returns in how many parts the work of a meeting is done, in any order and on
// any threads; doPart does one.
int64_t partsOf(const Meeting* m);
void doPart(const Meeting* m, int64_t part);

// reduces reports whether values of this element type can be combined.
int reduces(int dtype, Reduction r);

// reduceInto combines n elements of from into those of into.
void reduceInto(void* into, const void* from, int64_t n, int dtype, Reduction r);

#endif
