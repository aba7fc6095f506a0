// SPDX-License-Identifier: MIT
// A Job is something that can be timed.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bench {

struct Job {
  std::function<void()> run;  // one repetition
  // Writes its results into a folder for comparison; empty if the job cannot.
  std::function<void(const std::filesystem::path&)> write = {};
  std::string remark = {};  // for the reader of the table
};

// A job from its words, e.g. "gradient 8-5-1 14448 spline float 1". Each file handles some first
// words and returns an empty job for others; throws when the other words are invalid.
using Words = std::span<const std::string>;
Job make_network_job(Words words);
Job make_data_job(Words words);
Job make_kernel_job(Words words);
Job make_training_job(Words words);

std::vector<std::string> words_of(const std::string& line);
std::size_t number(const std::string& word);
// Raw bytes, in the machine's byte order.
template <class T>
void write_file(const std::filesystem::path& path, std::span<const T> values);

// Forces the result to be computed although it is not used.
template <class T>
void keep(T&& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

// Number of allocations of the process so far.
std::size_t allocations();

// Runs as a separate process: trains on a table of floats and prints its peak memory.
int peak_memory(Words words);

}  // namespace bench
