// SPDX-License-Identifier: MIT
// Something that can be timed.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bench {

struct Job {
  std::function<void()> run;  // one repetition
  // Writes what it computes into a folder, so that it can be compared; not all can.
  std::function<void(const std::filesystem::path&)> write = {};
  std::string remark = {};  // for the reader of the table
};

// A job from its words, e.g. "gradient 8-5-1 14448 spline float 1". Each file knows some first
// words and returns an empty job for others; throws when the rest makes no sense.
using Words = std::span<const std::string>;
Job make_network_job(Words words);
Job make_data_job(Words words);
Job make_kernel_job(Words words);
Job make_training_job(Words words);

std::vector<std::string> words_of(const std::string& line);
std::size_t number(const std::string& word);
// Raw bytes, in the order of the machine.
template <class T>
void write_file(const std::filesystem::path& path, std::span<const T> values);

// The result must be computed even though nobody looks at it.
template <class T>
void keep(T&& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

// How often the process has allocated memory so far.
std::size_t allocations();

// A process of its own: trains on a table of floats and prints the largest memory it had.
int peak_memory(Words words);

}  // namespace bench
