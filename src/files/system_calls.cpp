// SPDX-License-Identifier: MIT
#include "files/system_calls.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace knotwork::files {
namespace {

thread_local SystemCalls* replaced = nullptr;

}  // namespace

int SystemCalls::open(const char* path, int flags, mode_t mode) {
  return ::open(path, flags, mode);
}
ssize_t SystemCalls::read(int descriptor, void* bytes, std::size_t size) {
  return ::read(descriptor, bytes, size);
}
ssize_t SystemCalls::write(int descriptor, const void* bytes, std::size_t size) {
  return ::write(descriptor, bytes, size);
}
ssize_t SystemCalls::pread(int descriptor, void* bytes, std::size_t size, off_t offset) {
  return ::pread(descriptor, bytes, size, offset);
}
ssize_t SystemCalls::pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) {
  return ::pwrite(descriptor, bytes, size, offset);
}
int SystemCalls::fchmod(int descriptor, mode_t mode) {
  return ::fchmod(descriptor, mode);
}
int SystemCalls::fsync(int descriptor) {
  return ::fsync(descriptor);
}
int SystemCalls::close(int descriptor) {
  return ::close(descriptor);
}
int SystemCalls::rename(const char* from, const char* to) {
  return ::rename(from, to);
}
int SystemCalls::unlink(const char* path) {
  return ::unlink(path);
}

SystemCalls& system_calls() {
  static SystemCalls real;
  return replaced ? *replaced : real;
}

ReplacedSystemCalls::ReplacedSystemCalls(SystemCalls& calls) : before_(replaced) {
  replaced = &calls;
}
ReplacedSystemCalls::~ReplacedSystemCalls() {
  replaced = before_;
}

}  // namespace knotwork::files
