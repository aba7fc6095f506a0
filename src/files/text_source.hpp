// SPDX-License-Identifier: MIT
// The text of a table from its start to its end, a piece at a time, as often as it is asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "files/file_io.hpp"
#include "files/gzip.hpp"
#include "files/input_file.hpp"

namespace knotwork::files {

class TextSource {
 public:
  virtual ~TextSource() = default;
  // Goes (back) to the start.
  virtual void rewind() = 0;
  // As many bytes as there are at once; none at the end.
  virtual std::span<const char> read(std::span<char> buffer) = 0;
  // How much of the source has been read, from 0 to 1, as far as it can be known.
  virtual double share() const = 0;
};

// Bytes that are unpacked if they are gzip; there is no limit on how much that makes, only on how
// many times their size.
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
  std::string start_;   // bytes that were looked at already
  std::string packed_;  // a piece of the bytes
  std::unique_ptr<GzipReader> gzip_;
};

// Throws bad_file when it cannot be opened, failed_run when reading ends half-way.
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

// What can be read but once, such as standard input: it is kept in a scratch file beside another
// one.
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
