//go:build cgo

// What the collectives among the devices of this process compute: it is done in parts,
// each of which writes elements that no other part writes.

#include <stdlib.h>
#include <string.h>

#include "shared.h"

// CHUNK is how many bytes of an operand are reduced at once: they stay in a processor's
// cache until all results have them.
enum { CHUNK = 16384 };

static int64_t chunks(const Shape* s) { return (s->size * s->bytes + CHUNK - 1) / CHUNK; }

int64_t partsOf(const Meeting* m) {
  if (m->kind != ALL_REDUCE) return m->members;
  int64_t n = 0;
  for (int v = 0; v < m->values; v++) n += chunks(&m->shapes[v]);
  return n;
}

// reducePart reduces a chunk of an operand, and gives it to all members.
static void reducePart(const Meeting* m, int64_t part) {
  int v = 0;
  for (; part >= chunks(&m->shapes[v]); v++) part -= chunks(&m->shapes[v]);
  const Shape* s = &m->shapes[v];
  _Alignas(64) char sum[CHUNK];
  int64_t from = part * CHUNK, bytes = s->size * s->bytes - from;
  if (bytes > CHUNK) bytes = CHUNK;
  memcpy(sum, (char*)m->in[v] + from, bytes);
  for (int i = 1; i < m->members; i++) reduceInto(sum, (char*)m->in[i * m->values + v] + from, bytes / s->bytes, s->dtype, m->reduction);
  for (int i = 0; i < m->members; i++) memcpy((char*)m->out[i * m->values + v] + from, sum, bytes);
}

// Place is a box of elements within a tensor: where it starts, and the dimensions of the
// tensor.
typedef struct {
  char* data;
  int64_t dims[MAX_RANK], at[MAX_RANK];
} Place;

typedef void (*Row)(const Meeting* m, const Shape* box, void* to, const void* from, int64_t elements);

static void copyRow(const Meeting* m, const Shape* box, void* to, const void* from, int64_t elements) {
  memcpy(to, from, elements * box->bytes);
}

static void reduceRow(const Meeting* m, const Shape* box, void* to, const void* from, int64_t elements) {
  reduceInto(to, from, elements, box->dtype, m->reduction);
}

// eachRow calls row for the elements of a box that follow each other in both places.
static void eachRow(const Meeting* m, const Shape* box, const Place* to, const Place* from, Row row) {
  if (box->size == 0) return;
  int inner = box->rank;  // dimensions from here on are whole in both
  int64_t elements = 1;
  while (inner > 0) {
    inner--;
    elements *= box->dims[inner];
    if (box->dims[inner] != to->dims[inner] || box->dims[inner] != from->dims[inner]) break;
  }
  int64_t index[MAX_RANK] = {0};
  for (;;) {
    int64_t t = 0, f = 0;
    for (int d = 0; d < box->rank; d++) {
      t = t * to->dims[d] + to->at[d] + index[d];
      f = f * from->dims[d] + from->at[d] + index[d];
    }
    row(m, box, to->data + t * box->bytes, from->data + f * box->bytes, elements);
    int d = inner - 1;
    while (d >= 0 && ++index[d] == box->dims[d]) index[d--] = 0;
    if (d < 0) return;
  }
}

static Place place(const Shape* s, void* data) {
  Place p = {data, {0}, {0}};
  memcpy(p.dims, s->dims, sizeof p.dims);
  return p;
}

// movePart makes the results of one member.
static void movePart(const Meeting* m, int member) {
  for (int v = 0; v < m->values; v++) {
    const Shape* s = &m->shapes[v];
    char* out = m->out[member * m->values + v];
    if (m->kind == PERMUTE) {
      int64_t from = m->source[member];
      if (from < 0) memset(out, 0, s->size * s->bytes);
      else memcpy(out, m->in[from * m->values + v], s->size * s->bytes);
      continue;
    }
    Shape box = *s;  // what a member sends to another
    if (m->kind != ALL_GATHER) box.dims[s->dim] /= m->members;
    Place to = place(&box, out);
    if (m->kind != REDUCE_SCATTER) to.dims[s->to] *= m->members;
    for (int i = 0; i < m->members; i++) {
      Place from = place(s, m->in[i * m->values + v]);
      if (m->kind != ALL_GATHER) from.at[s->dim] = member * box.dims[s->dim];
      if (m->kind != REDUCE_SCATTER) to.at[s->to] = i * box.dims[s->to];
      eachRow(m, &box, &to, &from, m->kind == REDUCE_SCATTER && i > 0 ? reduceRow : copyRow);
    }
  }
}

void doPart(const Meeting* m, int64_t part) {
  if (m->kind == ALL_REDUCE) reducePart(m, part);
  else movePart(m, (int)part);
}
