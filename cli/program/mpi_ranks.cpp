// SPDX-License-Identifier: MIT
#include "cli/program/mpi_ranks.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <thread>

#include "base/fail.hpp"
#include "cli/program/rank_session.hpp"

namespace knotwork::cli {
namespace {

constexpr int kTag = 0;

// Polls until `is_so` returns true. MPI itself would wait at full speed, possibly for minutes, on a
// core that threads of another rank could use.
template <class Question>
void wait_until(const Question& is_so) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kEager = std::chrono::milliseconds(2);
  constexpr auto kLongestSleep = std::chrono::microseconds(100);
  const auto begin = Clock::now();
  auto sleep = std::chrono::microseconds(20);
  while (!is_so()) {
    if (Clock::now() - begin < kEager) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(sleep);
      sleep = std::min(2 * sleep, kLongestSleep);
    }
  }
}

void finish(MPI_Request request) {
  wait_until([&] {
    int is_done = 0;
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    return is_done != 0;
  });
}

// Removes a message that does not fit into memory, so that the next one can be received.
void discard(MPI_Message message) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  std::uint8_t nothing = 0;
  MPI_Mrecv(&nothing, 0, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

}  // namespace

MpiRanks::Place MpiRanks::start() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED) {
    fail(ErrorKind::failed_run, "This MPI does not support programs with threads.");
  }
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return {static_cast<std::size_t>(size), static_cast<std::size_t>(rank)};
}

MpiRanks::MpiRanks(std::size_t piece) : MpiRanks(start(), piece) {}
MpiRanks::MpiRanks(Place place, std::size_t piece) : Ranks(place.size, place.rank), piece_(piece) {}

MpiRanks::~MpiRanks() {
  MPI_Finalize();
}

// A piece that is not full is the last one; it may be empty.
void MpiRanks::send(std::size_t to, const Bytes& message) {
  std::size_t at = 0, size = 0;
  do {
    size = std::min(message.size() - at, piece_);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(message.data() + at, static_cast<int>(size), MPI_BYTE, static_cast<int>(to), kTag,
              MPI_COMM_WORLD, &request);
    finish(request);
    at += size;
  } while (size == piece_);
}

Ranks::Bytes MpiRanks::receive(std::size_t from) {
  Bytes bytes;
  bool has_memory = true;
  int size = 0;
  do {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    wait_until([&] {
      int has_come = 0;
      MPI_Improbe(static_cast<int>(from), kTag, MPI_COMM_WORLD, &has_come, &message, &status);
      return has_come != 0;
    });
    MPI_Get_count(&status, MPI_BYTE, &size);
    const std::size_t at = bytes.size();
    try {
      if (has_memory) bytes.resize(at + static_cast<std::size_t>(size));
    } catch (const std::exception&) {
      has_memory = false;
      bytes = {};
    }
    if (has_memory) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Imrecv(bytes.data() + at, size, MPI_BYTE, &message, &request);
      finish(request);
    } else {
      discard(message);
    }
  } while (static_cast<std::size_t>(size) == piece_);
  if (!has_memory) throw std::bad_alloc();
  return bytes;
}

std::unique_ptr<Ranks> start_ranks() {
  return std::make_unique<MpiRanks>();
}

}  // namespace knotwork::cli
