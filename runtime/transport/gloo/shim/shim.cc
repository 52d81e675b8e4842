// Package gloo's part in C++: groups of processes that Gloo connects, all-reduce by Gloo's
// algorithms, and exchanges of messages by its buffers.
//
// In Gloo a wait for a message ends by a timeout, and not every wait for a lost process ends. Here
// every wait of a group can be ended from outside: Gloo's algorithms get their buffers from us
// (Guard), and the group knows these buffers. Every group also has a receive that no process ever
// answers. It fails as soon as a connection fails.

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <signal.h>

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/context.h>
#include <gloo/transport/context.h>
#include <gloo/transport/device.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>

namespace {

namespace transport = gloo::transport;
using transport::UnboundBuffer;
using Milliseconds = std::chrono::milliseconds;

// Nothing times out: package coordination notices lost processes, and Close ends waits.
constexpr Milliseconds kForever = std::chrono::hours(24 * 365);

// slots is the base of the slots for the messages of the operation that runs on this thread. Gloo
// gives an operation 32 bits for that; the operation may use 256 slots.
thread_local uint64_t slots;

// Salts keep the slots of different kinds of messages apart. Long data adds its length.
constexpr uint64_t kProbeSalt = 0, kReduceSalt = 1, kGatherSalt = 2, kToAllSalt = 3, kHeadSalt = 4, kDataSalt = 5;

uint64_t mix(uint64_t tag, uint64_t salt) {
  uint64_t x = tag + 0x9e3779b97f4a7c15 * (salt + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (x ^ (x >> 31)) & ~uint64_t{0xff};
}

// Waits are the buffers of a group that an operation may be waiting for.
class Waits {
 public:
  void add(UnboundBuffer* b) {
    std::lock_guard<std::mutex> lock(mutex_);
    buffers_.insert(b);
  }
  void remove(UnboundBuffer* b) {
    std::lock_guard<std::mutex> lock(mutex_);
    buffers_.erase(b);
  }
  void abort() {
    aborted_ = true;
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto b : buffers_) {
      b->abortWaitRecv();
      b->abortWaitSend();
    }
  }
  void check() const {
    if (aborted_) throw std::runtime_error("the operation was ended");
  }

 private:
  std::atomic<bool> aborted_{false};
  std::mutex mutex_;
  std::set<UnboundBuffer*> buffers_;
};

// Buffer is a buffer of Gloo's whose waits can be ended.
class Buffer : public UnboundBuffer {
 public:
  Buffer(Waits& waits, std::unique_ptr<UnboundBuffer> inner)
      : UnboundBuffer(inner->ptr, inner->size), waits_(waits), slots_(slots), inner_(std::move(inner)) {
    waits_.add(inner_.get());
  }
  ~Buffer() override { waits_.remove(inner_.get()); }

  bool waitRecv(int* rank, Milliseconds) override {
    waits_.check();
    if (!inner_->waitRecv(rank, kForever)) waits_.check();
    return true;
  }
  bool waitSend(int* rank, Milliseconds) override {
    waits_.check();
    if (!inner_->waitSend(rank, kForever)) waits_.check();
    return true;
  }
  void abortWaitRecv() override { inner_->abortWaitRecv(); }
  void abortWaitSend() override { inner_->abortWaitSend(); }
  void send(int rank, uint64_t slot, size_t offset, size_t bytes) override { inner_->send(rank, own(slot), offset, bytes); }
  void recv(int rank, uint64_t slot, size_t offset, size_t bytes) override { inner_->recv(rank, own(slot), offset, bytes); }
  void recv(std::vector<int> ranks, uint64_t slot, size_t offset, size_t bytes) override {
    inner_->recv(std::move(ranks), own(slot), offset, bytes);
  }

 private:
  uint64_t own(uint64_t slot) const { return slots_ | (slot & 0xff); }

  Waits& waits_;
  const uint64_t slots_;
  std::unique_ptr<UnboundBuffer> inner_;
};

// Guard is a transport context whose buffers are Buffers.
class Guard : public transport::Context {
 public:
  Guard(Waits& waits, std::shared_ptr<transport::Context> inner)
      : transport::Context(inner->rank, inner->size), waits_(waits), inner_(std::move(inner)) {}
  std::unique_ptr<transport::Pair>& getPair(int rank) override { return inner_->getPair(rank); }
  std::unique_ptr<transport::Pair>& createPair(int rank) override { return inner_->createPair(rank); }
  std::unique_ptr<UnboundBuffer> createUnboundBuffer(void* ptr, size_t size) override {
    return std::make_unique<Buffer>(waits_, inner_->createUnboundBuffer(ptr, size));
  }

 private:
  Waits& waits_;
  std::shared_ptr<transport::Context> inner_;
};

// Group is a group of processes, each connected to each other.
class Group : public gloo::Context {
 public:
  Group(std::shared_ptr<transport::Device> device, int rank, int size) : gloo::Context(rank, size) {
    setTimeout(kForever);
    auto inner = device->createContext(rank, size);
    inner->setTimeout(kForever);
    for (int i = 0; i < size; i++) {
      if (i == rank) continue;
      auto bytes = inner->createPair(i)->address().bytes();
      addresses_.insert(addresses_.end(), bytes.begin(), bytes.end());
    }
    device_ = device;
    transportContext_ = std::make_shared<Guard>(waits_, inner);
  }

  const std::vector<char>& addresses() const { return addresses_; }

  // connect connects to all processes. all has the addresses() of the processes by rank.
  void connect(const char* all) {
    const size_t list = addresses_.size(), one = list / (size - 1);
    for (int i = 0; i < size; i++) {
      if (i == rank) continue;
      const char* mine = all + i * list + (rank > i ? rank - 1 : rank) * one;
      getPair(i)->connect(std::vector<char>(mine, mine + one));
      waits_.check();
    }
    slots = mix(0, kProbeSalt);
    probe_ = createUnboundBuffer(&never_, sizeof never_);
    connected_ = true;
  }

  // abort ends all waits. Connections stay, so that what was sent arrives.
  void abort() {
    waits_.abort();
    if (!connected_) closeConnections();
  }

  // watch returns when a connection is lost. It may throw.
  void watch() {
    if (lost(-1) < 0) probe_->waitRecv();
  }

  // lost returns the next rank after the given one without a connection, or -1. An operation may
  // fail, and ask this, before watch is called.
  int lost(int after) {
    for (int i = after + 1; i < size; i++) {
      if (i == rank) continue;
      try {
        probe_->recv(i, 0); // fails if the connection has failed
      } catch (const std::exception&) {
        return i;
      }
    }
    return -1;
  }

 private:
  Waits waits_;
  std::vector<char> addresses_;
  std::atomic<bool> connected_{false};
  char never_;
  std::unique_ptr<UnboundBuffer> probe_;
};

// Types of elements: how they are stored, and computed.
template <class T>
struct Same {
  using Stored = T;
  static T load(T v) { return v; }
  static T store(T v) { return v; }
};

float fromBits(uint32_t bits) {
  float v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

uint32_t toBits(float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

struct BFloat16 {
  using Stored = uint16_t;
  static float load(uint16_t v) { return fromBits(uint32_t{v} << 16); }
  static uint16_t store(float v) {
    uint32_t bits = toBits(v);
    if (v != v) return (bits >> 16) | 0x40;
    return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  }
};

struct Float16 {
  using Stored = uint16_t;
  static float load(uint16_t v) {
    uint32_t sign = uint32_t(v & 0x8000) << 16, rest = uint32_t(v & 0x7fff);
    if (rest >= 0x7c00) return fromBits(sign | 0x7f800000 | (rest << 13));
    if (rest < 0x400) return fromBits(sign | toBits(float(rest) * 0x1p-24f));
    return fromBits(sign | ((rest << 13) + ((127 - 15) << 23)));
  }
  static uint16_t store(float v) {  // to nearest even, subnormal numbers too
    uint32_t bits = toBits(v), sign = (bits >> 16) & 0x8000;
    bits &= 0x7fffffff;
    if (bits > 0x7f800000) return sign | 0x7e00;
    if (bits >= 0x477ff000) return sign | 0x7c00;
    if (bits < 0x38800000) return sign | (toBits(fromBits(bits) + 0.5f) - 0x3f000000);
    bits += 0xfff + ((bits >> 13) & 1);
    return sign | ((bits >> 13) - ((127 - 15) << 10));
  }
};

// Reductions. NaN in, NaN out; and -0 is less than 0.
template <class T>
bool negative(T v) {
  if constexpr (std::is_floating_point_v<T>) return std::signbit(v);
  return false; // equal integers have equal bits
}

struct Sum {
  template <class T> static T of(T a, T b) { return a + b; }
};
struct Product {
  template <class T> static T of(T a, T b) { return a * b; }
};
struct Maximum {
  template <class T> static T of(T a, T b) { return a != a || a > b || (a == b && !negative(a)) ? a : b; }
};
struct Minimum {
  template <class T> static T of(T a, T b) { return a != a || a < b || (a == b && negative(a)) ? a : b; }
};

template <class E, class R>
void combine(void* out, const void* a, const void* b, size_t n) {
  using T = typename E::Stored;
  auto z = static_cast<T*>(out);
  auto x = static_cast<const T*>(a), y = static_cast<const T*>(b);
  for (size_t i = 0; i < n; i++) z[i] = E::store(R::of(E::load(x[i]), E::load(y[i])));
}

using Combine = void (*)(void*, const void*, const void*, size_t);

template <class E>
constexpr Combine of(int reduction) {
  constexpr Combine table[] = {combine<E, Sum>, combine<E, Product>, combine<E, Maximum>, combine<E, Minimum>};
  return table[reduction];
}

// Below this size latency dominates. Sending more messages at the same time lowers it.
constexpr size_t kSmall = 16 << 10;

template <class E>
void allReduce(std::shared_ptr<gloo::Context> group, void* data, size_t n, int reduction) {
  using T = typename E::Stored;
  gloo::AllreduceOptions o(group);
  o.setOutput(static_cast<T*>(data), n);
  o.setReduceFunction(of<E>(reduction));
  o.setTag(0);
  if (n * sizeof(T) < kSmall) o.setAlgorithm(gloo::AllreduceOptions::Algorithm::BCUBE);
  gloo::allreduce(o);
}

// In the order of the table of types in gloo.go.
constexpr void (*allReduces[])(std::shared_ptr<gloo::Context>, void*, size_t, int) = {
    allReduce<Same<float>>, allReduce<Same<double>>, allReduce<BFloat16>, allReduce<Float16>, allReduce<Same<int32_t>>, allReduce<Same<int64_t>>,
};

// A message begins with its length. Short data follows directly. Long data goes to a slot that
// depends on its length, so that only a receiver that expects this length finds it: Gloo ends the
// process if lengths disagree.
constexpr uint64_t kInline = 4096;

struct Message {
  std::unique_ptr<char[]> memory;
  std::unique_ptr<UnboundBuffer> head, data;

  Message(gloo::Context& group, uint64_t tag, void* to, uint64_t length, size_t head_bytes) : memory(new char[head_bytes]) {
    slots = mix(tag, kHeadSalt);
    head = group.createUnboundBuffer(memory.get(), head_bytes);
    if (length > kInline) {
      slots = mix(tag, kDataSalt + length);
      data = group.createUnboundBuffer(to, length);
    }
  }
};

struct Exchange {
  std::shared_ptr<Group> group;
  std::vector<Message> sends, recvs;

  void receive(uint64_t tag, int rank, void* to, uint64_t length) {
    recvs.emplace_back(*group, tag, to, length, 8 + kInline);
    auto& m = recvs.back();
    m.head->recv(rank, 0);
    if (m.data) m.data->recv(rank, 0);
  }

  void send(uint64_t tag, int rank, void* from, uint64_t length) {
    const uint64_t with = length > kInline ? 0 : length;
    sends.emplace_back(*group, tag, from, length, 8 + with);
    auto& m = sends.back();
    memcpy(m.memory.get(), &length, 8);
    if (with) memcpy(m.memory.get() + 8, from, with);
    m.head->send(rank, 0);
    if (m.data) m.data->send(rank, 0);
  }
};

struct Handle {
  std::shared_ptr<Group> group;
};

char* message(const std::exception& e) { return strdup(e.what()); }

// Hold blocks signals, except those of faults, in this thread and in the threads that it makes,
// until Hold is destroyed. Go ends the process when a thread that Go has not made gets SIGPIPE,
// and Gloo's thread gets it when it writes to a process that was killed. With SIGPIPE blocked, the
// write returns EPIPE instead, and the operation fails.
class Hold {
 public:
  Hold() {
    sigset_t others;
    sigfillset(&others);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) sigdelset(&others, fault);
    pthread_sigmask(SIG_BLOCK, &others, &before_);
  }
  ~Hold() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

// All functions return nullptr, or a message that the caller frees.
#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT char* gospmd_gloo_device(const char* host, void** device) try {
  Hold hold;
  auto made = transport::tcp::CreateDevice(transport::tcp::attr(host));
  *device = new std::shared_ptr<transport::Device>(made);
  return nullptr;
} catch (const std::exception& e) {
  return message(e);
}

EXPORT void gospmd_gloo_free_device(void* device) { delete static_cast<std::shared_ptr<transport::Device>*>(device); }

EXPORT char* gospmd_gloo_group(void* device, int rank, int size, void** group, const char** addresses, size_t* bytes) try {
  auto h = std::make_unique<Handle>();
  h->group = std::make_shared<Group>(*static_cast<std::shared_ptr<transport::Device>*>(device), rank, size);
  *addresses = h->group->addresses().data();
  *bytes = h->group->addresses().size();
  *group = h.release();
  return nullptr;
} catch (const std::exception& e) {
  return message(e);
}

EXPORT void gospmd_gloo_free_group(void* group) { delete static_cast<Handle*>(group); }

EXPORT char* gospmd_gloo_connect(void* group, const char* addresses) try {
  static_cast<Handle*>(group)->group->connect(addresses);
  return nullptr;
} catch (const std::exception& e) {
  return message(e);
}

EXPORT void gospmd_gloo_abort(void* group) {
  try {
    static_cast<Handle*>(group)->group->abort();
  } catch (const std::exception&) {
    // A connection that cannot be closed is closed already.
  }
}

// gospmd_gloo_hang_up closes the connections. The other processes notice that.
EXPORT void gospmd_gloo_hang_up(void* group) {
  try {
    static_cast<Handle*>(group)->group->closeConnections();
  } catch (const std::exception&) {
    // A connection that cannot be closed is closed already.
  }
}

EXPORT char* gospmd_gloo_watch(void* group) try {
  static_cast<Handle*>(group)->group->watch();
  return nullptr;
} catch (const std::exception& e) {
  return message(e);
}

EXPORT int gospmd_gloo_lost(void* group, int after) { return static_cast<Handle*>(group)->group->lost(after); }

EXPORT char* gospmd_gloo_all_reduce(void* group, uint64_t tag, void* data, size_t n, int dtype, int reduction) try {
  slots = mix(tag, kReduceSalt);
  allReduces[dtype](static_cast<Handle*>(group)->group, data, n, reduction);
  return nullptr;
} catch (const std::exception& e) {
  return message(e);
}

EXPORT char* gospmd_gloo_all_gather(void* group, uint64_t tag, void* data, size_t bytes) try {
  slots = mix(tag, kGatherSalt);
  gloo::AllgatherOptions o(static_cast<Handle*>(group)->group);
  o.setOutput(static_cast<char*>(data), bytes);
  o.setTag(0);
  gloo::allgather(o);
  return nullptr;
} catch (const std::exception& e) {
  return message(e);
}

EXPORT char* gospmd_gloo_all_to_all(void* group, uint64_t tag, void* out, void* in, size_t bytes) try {
  slots = mix(tag, kToAllSalt);
  gloo::AlltoallOptions o(static_cast<Handle*>(group)->group);
  o.setInput(static_cast<char*>(out), bytes);
  o.setOutput(static_cast<char*>(in), bytes);
  o.setTag(0);
  gloo::alltoall(o);
  return nullptr;
} catch (const std::exception& e) {
  return message(e);
}

// gospmd_gloo_exchange sends and receives messages. If a received length is not the expected one,
// it sets mismatch to the number of the first such message, and sent to its length.
EXPORT char* gospmd_gloo_exchange(void* group, uint64_t tag, int sends, const int* to, void* const* out, const uint64_t* out_bytes, int recvs,
                                  const int* from, void* const* in, const uint64_t* in_bytes, int* mismatch, uint64_t* sent) try {
  Exchange x{static_cast<Handle*>(group)->group, {}, {}};
  x.recvs.reserve(recvs);
  x.sends.reserve(sends);
  for (int i = 0; i < recvs; i++) x.receive(tag, from[i], in[i], in_bytes[i]);
  for (int i = 0; i < sends; i++) x.send(tag, to[i], out[i], out_bytes[i]);
  for (int i = 0; i < recvs; i++) {
    auto& m = x.recvs[i];
    m.head->waitRecv();
    memcpy(sent, m.memory.get(), 8);
    if (*sent != in_bytes[i]) {
      *mismatch = i;
      return strdup("lengths disagree");
    }
    if (!m.data && in_bytes[i] > 0) memcpy(in[i], m.memory.get() + 8, in_bytes[i]);
  }
  for (auto& m : x.recvs) {
    if (m.data) m.data->waitRecv();
  }
  for (auto& m : x.sends) {
    m.head->waitSend();
    if (m.data) m.data->waitSend();
  }
  return nullptr;
} catch (const std::exception& e) {
  return message(e);
}
