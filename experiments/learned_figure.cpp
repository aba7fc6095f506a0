// SPDX-License-Identifier: MIT
#include "experiments/learned_figure.hpp"

#include <fmt/format.h>

#include "parallel/thread_pool.hpp"

#include <knotwork/figures.hpp>
#include <knotwork/neurons.hpp>

namespace knotwork::experiments {
namespace {

std::string draw(const Model& model, const Training& training, const std::string& title) {
  const PreparedData prepared = prepare_split(*training.dataset, training.split);
  const std::vector<NeuronInputs> received =
      neuron_inputs(model, training.dataset->table, prepared.partition().train);
  std::vector<ActivationPanel> panels;
  for (MovedActivation& moved : moved_activations(model, kFigurePanels)) {
    ActivationPanel panel;
    panel.title = moved.layer + 1 == model.members.front().layers().size()
                      ? "output"
                      : fmt::format("hidden neuron {}", moved.neuron + 1);
    panel.learned = std::move(moved.learned);
    panel.initial = std::move(moved.initial);
    panel.control_points = std::move(moved.control_points);
    for (const NeuronInputs& neuron : received) {
      if (neuron.layer == moved.layer && neuron.neuron == moved.neuron) {
        panel.received = neuron.received;
      }
    }
    panels.push_back(std::move(panel));
  }
  ActivationFigureOptions options;
  options.title = title;
  options.columns = 2;
  return activation_figure(panels, options);
}

}  // namespace

std::vector<Figure> learned_figures(const std::string& scenario,
                                    const std::vector<Training>& trainings, std::size_t threads,
                                    Tally& tally) {
  std::vector<Figure> figures(trainings.size());
  parallel::ThreadPool pool(threads);
  pool.run(trainings.size(), [&](std::size_t k, std::size_t) {
    const Training& training = trainings[k];
    const std::optional<Model> model = train_model(training, tally);
    if (!model) return;
    Figure& figure = figures[k];
    figure.file = fmt::format("{}-{}.svg", scenario, training.dataset->name);
    figure.title = fmt::format("{}: activations that changed most, split {}",
                               training.dataset->title, training.split);
    figure.svg = draw(*model, training, figure.title);
    tally.finished();
  });
  std::erase_if(figures, [](const Figure& figure) { return figure.svg.empty(); });
  return figures;
}

}  // namespace knotwork::experiments
