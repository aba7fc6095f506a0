// SPDX-License-Identifier: MIT
// A TextSource gives the text of a table from start to end, in pieces and as often as necessary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "files/file_io.hpp"
#include "files/input_file.hpp"
#include "files/packed/unpacking.hpp"

namespace knotwork::files {

class TextSource {
 public:
  virtual ~TextSource() = default;
  // Goes (back) to the start.
  virtual void rewind() = 0;
  // The next bytes, as many as are available without waiting; empty at the end.
  virtual std::span<const char> read(std::span<char> buffer) = 0;
  // The share of the source that has been read, from 0 to 1, as far as it is known.
  virtual double share() const = 0;
};

// Text in memory, which must outlive this object.
class ViewedText final : public TextSource {
 public:
  explicit ViewedText(std::string_view text) : text_(text) {}
  void rewind() override { at_ = 0; }
  std::span<const char> read(std::span<char> buffer) override;
  double share() const override;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// Text that is unpacked if it is packed. The unpacked size is not limited, only its ratio to the
// packed size.
class UnpackedText : public TextSource {
 public:
  void rewind() override;
  std::span<const char> read(std::span<char> buffer) override;

 protected:
  explicit UnpackedText(std::string source) : source_(std::move(source)) {}
  virtual void rewind_bytes() = 0;
  virtual std::span<const char> read_bytes(std::span<char> buffer) = 0;
  const std::string& source() const { return source_; }

 private:
  std::string source_;
  std::string start_;   // bytes that were read to see whether it is packed
  std::string packed_;  // a piece of the packed bytes
  std::unique_ptr<Unpacker> unpacker_;
};

// Throws bad_file when the file cannot be opened, failed_run when reading fails half-way.
class FileText final : public UnpackedText {
 public:
  explicit FileText(const std::filesystem::path& path);
  double share() const override;

 private:
  void rewind_bytes() override;
  std::span<const char> read_bytes(std::span<char> buffer) override;

  std::filesystem::path path_;
  std::uint64_t size_ = 0;  // of the file; 0 if it is unknown
  std::uint64_t taken_ = 0;
  std::unique_ptr<InputFile> file_;
};

// Text that can be read only once, such as standard input: it is copied to a scratch file in the
// folder of `beside`.
class SpooledText final : public UnpackedText {
 public:
  SpooledText(std::string source, const std::filesystem::path& beside,
              const std::function<std::span<const char>(std::span<char>)>& read_once);
  double share() const override;

 private:
  void rewind_bytes() override { at_ = 0; }
  std::span<const char> read_bytes(std::span<char> buffer) override;

  ScratchFile scratch_;
  std::uint64_t at_ = 0;
};

}  // namespace knotwork::files
