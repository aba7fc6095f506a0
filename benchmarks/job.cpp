// SPDX-License-Identifier: MIT
#include "job.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace bench {

std::size_t number(const std::string& word) {
  std::size_t end = 0;
  const std::size_t value = std::stoull(word, &end);
  if (end != word.size()) throw std::invalid_argument("'" + word + "' is no number");
  return value;
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

template <class T>
void write_file(const std::filesystem::path& path, std::span<const T> values) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size_bytes()));
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}
template void write_file(const std::filesystem::path&, std::span<const float>);
template void write_file(const std::filesystem::path&, std::span<const double>);

}  // namespace bench
