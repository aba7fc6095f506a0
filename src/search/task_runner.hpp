// SPDX-License-Identifier: MIT
// Independent tasks side by side, until they are done or someone asks them to stop.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace knotwork::searching {

// Calls body(task) once for each task, begun in their order, on so many threads (0: all cores). No
// task is begun once a stop is requested. An exception requests one, and is handed on when all
// threads have ended. Throws failed_run when threads cannot be started.
void run_side_by_side(std::size_t threads, std::size_t tasks, std::stop_source& stop,
                      const std::function<void(std::size_t task)>& body);

}  // namespace knotwork::searching
