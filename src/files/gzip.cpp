// SPDX-License-Identifier: MIT
#include "files/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <utility>

#include "base/fail.hpp"
#include "parallel/watched_work.hpp"

namespace knotwork::files {
namespace {

constexpr std::string_view kMagic = "\x1F\x8B";

struct Limits {
  std::uint64_t bytes, packed_bytes;

  void check(std::uint64_t size, std::string_view source) const {
    if (size > bytes) {
      fail(ErrorKind::bad_data, in_file(source),
           "unpacks to more than {:.3g} GiB, the most a packed table may hold; unpack it first.",
           static_cast<double>(bytes) / (std::uint64_t{1} << 30));
    }
    if (size > kUnpackedFreely && size / kMaxUnpackedRatio > packed_bytes) {
      fail(ErrorKind::bad_data, in_file(source),
           "unpacks to more than {} times its size, which is unusual for a table; unpack it first.",
           kMaxUnpackedRatio);
    }
  }
};

class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 16;  // added to the window size: no zlib or raw streams
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void begin_member() { inflateReset(&stream_); }

  // Moves both ranges past the bytes that were used. Returns whether the member has ended.
  bool inflate_some(std::string_view& packed, std::span<char>& out, const std::string& source) {
    // zlib counts in 32 bits.
    const std::size_t offered = std::min(packed.size(), std::size_t{1} << 30);
    const std::size_t room = std::min(out.size(), std::size_t{1} << 30);
    // zlib does not change its input, but its interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(offered);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    packed.remove_prefix(offered - stream_.avail_in);
    out = out.subspan(room - stream_.avail_out);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      fail(ErrorKind::bad_data, in_file(source),
           "contains damaged gzip data ({}); copy or pack the table again.",
           stream_.msg != nullptr ? stream_.msg : "it needs a dictionary");
    }
    return status == Z_STREAM_END;
  }

 private:
  z_stream stream_{};
};

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

struct GzipReader::State {
  Packed packed;
  std::string source;
  Limits limits;
  std::string_view left = {};  // the remaining packed bytes
  std::string start = {};      // the first two unpacked bytes
  std::uint64_t unpacked = 0;
  enum class At { start, member, boundary, end } at = At::start;
  Inflater inflater = {};

  // Returns whether there are packed bytes.
  bool refill() {
    if (!left.empty()) return true;
    left = packed();
    limits.packed_bytes += left.size();
    return !left.empty();
  }

  // The limits hold for what comes out here, and nothing unpacks it a second time.
  void refuse_gzip_inside(std::span<const char> bytes) {
    if (start.size() == kMagic.size()) return;
    start.append(bytes.data(), std::min(bytes.size(), kMagic.size() - start.size()));
    if (start != kMagic) return;
    fail(ErrorKind::bad_data, in_file(source),
         "is packed by gzip more than once; unpack it first.");
  }

  // At the end of a member: continues with the next member, or ends.
  void pass_boundary() {
    const auto refuse = [&] {
      fail(ErrorKind::bad_data, in_file(source),
           "has other bytes after its gzip data; pack the table again.");
    };
    at = At::end;
    if (!refill()) return;
    if (left.front() == kMagic.front()) {
      // The first byte of the next member may be the last available byte.
      std::string_view first = left.substr(0, 1);
      inflater.begin_member();
      char unused = 0;  // the first byte of a header gives no output
      std::span<char> nothing(&unused, 1);
      inflater.inflate_some(first, nothing, source);
      left.remove_prefix(1);
      if (!refill() || left.front() != kMagic.back()) refuse();
      at = At::member;
      return;
    }
    for (; refill(); left = {}) {
      if (left.find_first_not_of('\0') != std::string_view::npos) refuse();
    }
  }
};

GzipReader::GzipReader(Packed packed, std::string source, std::uint64_t limit)
    : state_(new State{.packed = std::move(packed),
                       .source = std::move(source),
                       .limits = {.bytes = limit, .packed_bytes = 0}}) {}

GzipReader::~GzipReader() = default;

std::span<const char> GzipReader::read(std::span<char> buffer) {
  State& state = *state_;
  std::span<char> out = buffer;
  if (state.at == State::At::start) state.at = State::At::member;
  while (out.size() == buffer.size() && state.at != State::At::end) {
    if (state.at == State::At::boundary) {
      state.pass_boundary();
      continue;
    }
    // zlib may still hold unpacked bytes. The data is incomplete only if zlib returns no bytes
    // after the end of the packed bytes.
    const bool more = state.refill();
    if (state.inflater.inflate_some(state.left, out, state.source)) {
      state.at = State::At::boundary;
    } else if (!more && out.size() == buffer.size()) {
      fail(ErrorKind::bad_data, in_file(state.source),
           "ends in the middle of its gzip data; copy or pack the table again.");
    }
  }
  const std::size_t got = buffer.size() - out.size();
  state.unpacked += got;
  state.limits.check(state.unpacked, state.source);
  state.refuse_gzip_inside(buffer.first(got));
  return buffer.first(got);
}

std::string gunzip(std::string_view packed, std::string_view source, std::uint64_t limit,
                   const Monitor* monitor) {
  const auto all_at_once = [packed]() mutable { return std::exchange(packed, {}); };
  GzipReader reader(all_at_once, std::string(source), limit);
  std::string out;
  std::array<char, std::size_t{1} << 16> buffer;
  for (auto got = reader.read(buffer); !got.empty(); got = reader.read(buffer)) {
    parallel::check_stop(monitor);
    out.append(got.data(), got.size());
  }
  return out;
}

}  // namespace knotwork::files
