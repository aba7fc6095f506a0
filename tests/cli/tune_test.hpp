// SPDX-License-Identifier: MIT
// This header defines searches of a few small trainings.
#pragma once

#include "cli_test.hpp"

namespace knotwork::testing {

class TuneTest : public CliTest {
 protected:
  TuneTest() { folder_.write("t.csv", small_table()); }
  // A search in t.csv whose folds take a moment each.
  static Words words(const Words& more, const std::string& study = "s.db") {
    Words all = {"tune", "t.csv", "--study", study, "--iterations", "4", "--hidden", "3"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Json tuned(const Words& more, const std::string& study = "s.db") const {
    return document(words(more, study));
  }
};

// The parts of the document that must not depend on how a search was run.
inline Json essence(Json document) {
  for (const char* key : {"study", "evaluated", "seconds"}) document.erase(key);
  return document;
}

}  // namespace knotwork::testing
