// SPDX-License-Identifier: MIT
#include "files/scratch_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cstdlib>
#include <system_error>

#include "base/fail.hpp"
#include "files/file_io.hpp"

namespace knotwork::files {
namespace {

std::filesystem::path folder_of(const MemoryLimit& limit) {
  if (!limit.scratch.empty()) return limit.scratch;
  std::error_code error;
  std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (!error) return folder;
  const char* const named = std::getenv("TMPDIR");
  fail(ErrorKind::failed_run,
       "Samples do not fit into memory, and there is no folder for a temporary file: TMPDIR is "
       "'{}' but must name a folder ({}).",
       named ? named : "", error.message());
}

}  // namespace

ScratchMemory::ScratchMemory(std::size_t bytes, const MemoryLimit& limit)
    : bytes_(bytes), in_file_(bytes > limit.bytes) {
  if (bytes == 0) return;
  const int protection = PROT_READ | PROT_WRITE;
  if (!in_file_) {
    data_ = ::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data_ == MAP_FAILED) {
      fail(ErrorKind::failed_run, "There is no memory for {} MB of samples.", bytes >> 20);
    }
    return;
  }
  const std::filesystem::path folder = folder_of(limit);
  const ScratchFile file(folder / "samples");
  const int error = ::posix_fallocate(file.descriptor(), 0, static_cast<off_t>(bytes));
  data_ = error == 0 ? ::mmap(nullptr, bytes, protection, MAP_SHARED, file.descriptor(), 0)
                     : MAP_FAILED;
  if (data_ != MAP_FAILED) return;
  fail(ErrorKind::failed_run,
       "There is no room for {} MB of samples in the folder {} ({}); set TMPDIR to another folder.",
       bytes >> 20, folder.string(), std::generic_category().message(error == 0 ? errno : error));
}

ScratchMemory::~ScratchMemory() {
  if (bytes_ > 0) ::munmap(data_, bytes_);
}

}  // namespace knotwork::files
