// SPDX-License-Identifier: MIT
// This header runs other programs in a temporary folder, for tests of exported models.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <stdlib.h>

namespace knotwork::testing_export {

class Folder {
 public:
  Folder() {
    std::string path = (std::filesystem::temp_directory_path() / "knotwork-export-XXXXXX").string();
    path_ = mkdtemp(path.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  // Runs a shell command in the folder; its output is read("said").
  bool run(const std::string& command) const {
    const std::string line = "cd '" + path_.string() + "' && (" + command + ") >said 2>&1";
    return std::system(line.c_str()) == 0;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace knotwork::testing_export
