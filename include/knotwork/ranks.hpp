// SPDX-License-Identifier: MIT
// Ranks are processes that work on one task together, each with its share of the rows.
//
// There is one primitive: combine() merges the contributions of all ranks in one fixed binary tree
// and returns the result to all ranks. Rank r first merges the contribution of rank r+1, then the
// merged result of r+2, then that of r+4 and so on. A merge thus always joins the results of two
// neighboring runs of ranks, the lower run on the left: for five ranks ((0 1)(2 3))4. Failures use
// the same messages: a rank that cannot continue reports its failure instead of its next
// combine(), and all ranks throw in that round. No rank waits for a rank that failed.
//
// A derived class transports the messages: MPI in the program knotwork-mpi, queues between threads
// in tests. The bytes are only valid for the same program on the same kind of machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/error.hpp>

namespace knotwork {

// An Error that all ranks throw in the same round. All ranks are then at the same place: if every
// rank catches it there, they can continue together.
class KNOTWORK_API SharedError : public Error {
 public:
  using Error::Error;
  explicit SharedError(const Error& error) : Error(error) {}
};

class KNOTWORK_API Ranks {
 public:
  using Bytes = std::vector<std::uint8_t>;
  // Merges `right` (from the neighboring higher ranks) into `left` (from the lower ranks).
  using Merge = std::function<void(Bytes& left, Bytes&& right)>;

  virtual ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::size_t size() const { return size_; }
  std::size_t rank() const { return rank_; }
  bool is_first() const { return rank_ == 0; }

  // combine() and the functions below are one round each: all ranks must call the same rounds in
  // the same order, each from one thread. All ranks get the same result; a single rank gets its own
  // contribution back. Throws SharedError when a rank has failed or its merge() throws. Throws a
  // plain Error when there is no memory for the result; this rank must then call report_failure().
  Bytes combine(Bytes own, const Merge& merge);

  // The contributions of all ranks, by rank.
  std::vector<Bytes> gather(Bytes own);
  // The contributions of all ranks for rank 0; the other ranks get an empty list.
  std::vector<Bytes> gather_at_first(Bytes own);
  // True if `own` is true on any rank.
  bool any(bool own);
  // The contribution of rank 0.
  Bytes from_first(Bytes own);
  // Returns when all ranks have called it.
  void meet();

  // Replaces the next round: reports to all other ranks that this rank failed. All ranks then throw
  // a SharedError of the same kind, "Rank 2: <sentence>", or the plain sentence if all ranks failed
  // with the same sentence. If several ranks failed, the failure of the lowest rank is reported.
  // All ranks already know a SharedError, so it is thrown unchanged.
  [[noreturn]] void report_failure(const std::exception& error);

 protected:
  Ranks(std::size_t size, std::size_t rank);

  // Messages from one rank to another must arrive in the order in which they were sent. receive()
  // may throw when there is no memory for a message, which is then lost. Any other failure to
  // deliver a message must end all ranks.
  virtual void send(std::size_t to, const Bytes& message) = 0;
  virtual Bytes receive(std::size_t from) = 0;

 private:
  struct Failure;
  class Round;
  std::vector<Bytes> gathered(Bytes own, bool at_first);

  std::size_t size_, rank_;
};

// A single process.
class KNOTWORK_API OneRank final : public Ranks {
 public:
  OneRank();

 private:
  void send(std::size_t to, const Bytes& message) override;
  Bytes receive(std::size_t from) override;
};

}  // namespace knotwork
