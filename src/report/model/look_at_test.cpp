// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "parallel/test_monitors.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/inspection.hpp>
#include <knotwork/model_report.hpp>
#include <knotwork/neurons.hpp>
#include <knotwork/training.hpp>

namespace knotwork {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const Table& friedman() {
  static const Table table = make_builtin("friedman1", 300);
  return table;
}

TrainOptions small_options() {
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 20;
  return options;
}

ModelReport look(const Model& model, const Table* table, ReportOptions options = {}) {
  options.table = table;
  return look_at(model, options);
}

TEST(LookAt, WithoutRowsItShowsTheCurvesAlone) {
  const Model model = train(friedman(), {}, small_options());
  const ModelReport report = look(model, nullptr);
  EXPECT_EQ(report.title, "A model of y");
  EXPECT_EQ(report.data, "");
  EXPECT_FALSE(report.check);
  EXPECT_FALSE(report.importance);
  EXPECT_THAT(report.dependence, IsEmpty());
  EXPECT_THAT(report.notes, IsEmpty());
  ASSERT_THAT(report.neurons, SizeIs(4));  // three hidden neurons and the output
  const NeuronReport& neuron = report.neurons[1];
  EXPECT_EQ(neuron.neuron, 1u);
  EXPECT_EQ(neuron.activation, "spline");
  EXPECT_THAT(neuron.received.counts, IsEmpty());
  EXPECT_EQ(neuron.control_points.size(), 21u);
  EXPECT_NEAR(neuron.learned.front().x, -1.8, 1e-12);
  EXPECT_NEAR(neuron.learned.back().x, 1.8, 1e-12);
  for (const FigurePoint& point : neuron.learned) {
    EXPECT_DOUBLE_EQ(point.y, model.members[0].activate(0, 1, point.x));
  }
  for (const FigurePoint& point : neuron.initial) EXPECT_NEAR(point.y, std::tanh(point.x), 0.003);
}

TEST(LookAt, TellsWhatOtherPartsOfTheLibraryTell) {
  const Model model = train(friedman(), {}, small_options());
  const ModelReport report = look(model, &friedman());
  const std::vector<LayerUse> use = knot_use(model, friedman());
  for (const NeuronReport& neuron : report.neurons) {
    const NeuronUse& own = use[neuron.layer].neurons[neuron.neuron];
    EXPECT_EQ(neuron.left_tail, own.left_tail);
    EXPECT_EQ(neuron.right_tail, own.right_tail);
    EXPECT_EQ(neuron.untouched, own.untouched);
    EXPECT_EQ(neuron.dead, own.dead);
    const auto& counts = neuron.received.counts;
    EXPECT_DOUBLE_EQ(std::accumulate(counts.begin(), counts.end(), 0.0), 300);
    ASSERT_TRUE(neuron.closest);
    EXPECT_LE(neuron.closest->r2, 1);
  }
  for (const MovedActivation& moved : moved_activations(model)) {
    for (const NeuronReport& neuron : report.neurons) {
      if (neuron.layer != moved.layer || neuron.neuron != moved.neuron) continue;
      EXPECT_NEAR(neuron.moved, moved.distance, 0.01 * moved.distance);
    }
  }
  ASSERT_TRUE(report.check);
  EXPECT_EQ(report.check->scores.nrmse, model.evaluate(friedman()).nrmse);
  EXPECT_EQ(report.data, "all 300 rows of builtin:friedman1");
  ASSERT_TRUE(report.importance);
  ASSERT_THAT(report.dependence, SizeIs(6));
  EXPECT_EQ(report.dependence[0].column, report.importance->columns[0].column);
  EXPECT_THAT(report.notes, Contains(HasSubstr("Partial dependence is shown for 6 of")));
}

TEST(LookAt, OnlyTheGivenRowsCount) {
  const Model model = train(friedman(), {}, small_options());
  ReportOptions options;
  options.rows = {3, 5, 8, 13, 21};
  options.rows_name = "five rows";
  const ModelReport report = look(model, &friedman(), options);
  EXPECT_EQ(report.check->rows, 5u);
  EXPECT_EQ(report.data, "five rows of builtin:friedman1");
  const auto& counts = report.neurons[0].received.counts;
  EXPECT_DOUBLE_EQ(std::accumulate(counts.begin(), counts.end(), 0.0), 5);
}

TEST(LookAt, CurvesReachWhereInputsFallButNotWithoutLimit) {
  TrainOptions options = small_options();
  options.spline.range = 0.5;
  const Model model = train(friedman(), {}, options);
  const ModelReport report = look(model, &friedman());
  const double begin = -0.45, end = 0.45, most = 0.45;
  bool wider = false;
  for (const NeuronReport& neuron : report.neurons) {
    EXPECT_LE(neuron.learned.front().x, begin);
    EXPECT_GE(neuron.learned.front().x, begin - most - 1e-12);
    EXPECT_LE(neuron.learned.back().x, end + most + 1e-12);
    wider = wider || neuron.learned.back().x > end + 0.1;
  }
  EXPECT_TRUE(wider);
}

TEST(LookAt, LargeNetworksAreSampledAndThatIsSaid) {
  TrainOptions options = small_options();
  options.hidden = {40};
  options.iterations = 5;
  const Model model = train(friedman(), {}, options);
  ReportOptions look_options;
  look_options.limits.neurons = 10;
  look_options.limits.rows = 100;
  const ModelReport report = look(model, &friedman(), look_options);
  ASSERT_THAT(report.neurons, SizeIs(10));
  EXPECT_EQ(report.neurons_in_all, 41u);
  EXPECT_THAT(report.notes,
              Contains(HasSubstr("Of 41 learned activations, the page shows the 10 that moved")));
  EXPECT_THAT(report.notes, Contains(HasSubstr("from 100 of the 300 rows")));
  double least = 1e9;
  for (const NeuronReport& neuron : report.neurons) least = std::min(least, neuron.moved);
  const ModelReport all = look(model, nullptr);
  const auto farther = std::count_if(all.neurons.begin(), all.neurons.end(),
                                     [&](const auto& neuron) { return neuron.moved > least; });
  EXPECT_EQ(farther, 9);
}

TEST(LookAt, NeuronsThatAllMovedAlikeAreStillShown) {
  TrainOptions options = small_options();
  options.hidden = {8};
  options.iterations = 0;
  options.spline.init_noise = 0;
  ReportOptions look_options;
  look_options.limits.neurons = 3;
  const ModelReport report = look(train(friedman(), {}, options), nullptr, look_options);
  EXPECT_THAT(report.neurons, SizeIs(3));
}

TEST(LookAt, ASharedActivationIsShownOnceWithAllThatItReceives) {
  TrainOptions options = small_options();
  options.hidden = {3, 3};
  options.output_activation = "identity";
  for (const auto& [sharing, shown, neurons] :
       {std::tuple{Sharing::layer, 2u, 3.0}, std::tuple{Sharing::network, 1u, 6.0}}) {
    options.sharing = sharing;
    const ModelReport report = look(train(friedman(), {}, options), &friedman());
    ASSERT_THAT(report.neurons, SizeIs(shown));
    for (const NeuronReport& neuron : report.neurons) {
      const auto& counts = neuron.received.counts;
      EXPECT_NEAR(std::accumulate(counts.begin(), counts.end(), 0.0), 300 * neurons, 1e-6);
      EXPECT_LE(neuron.left_tail + neuron.right_tail, 1);
    }
  }
}

TEST(LookAt, EveryLearnedActivationHasACurveAndFixedOnesHaveNone) {
  for (const std::string& name : builtin_activations().names()) {
    TrainOptions options = small_options();
    options.activation = name;
    options.output_activation = "identity";
    options.iterations = 3;
    const Model model = train(friedman(), {}, options);
    const ModelReport report = look(model, &friedman());
    const auto tensors = model.members[0].layers()[0].activation->tensors();
    const bool learns = std::any_of(tensors.begin(), tensors.end(),
                                    [](const ActivationTensor& tensor) { return tensor.trained; });
    EXPECT_THAT(report.neurons, SizeIs(learns ? 3 : 0)) << name;
    for (const NeuronReport& neuron : report.neurons) {
      EXPECT_EQ(neuron.activation, name);
      EXPECT_EQ(neuron.learned.size(), neuron.initial.size());
      for (const FigurePoint& point : neuron.learned) {
        ASSERT_DOUBLE_EQ(point.y, model.members[0].activate(0, neuron.neuron, point.x)) << name;
      }
    }
  }
}

TEST(LookAt, CoursesAreTheCurvesOfTheSnapshots) {
  TrainOptions options = small_options();
  options.snapshots = 6;
  options.ensemble = 2;
  options.halve_step = 1;
  const Model model = train(friedman(), {}, options);
  const ModelReport report = look(model, &friedman());
  ASSERT_THAT(report.snapshots, SizeIs(2));
  for (const NeuronReport& neuron : report.neurons) {
    const SnapshotTimes& times = report.snapshots[neuron.member];
    EXPECT_EQ(times.member, neuron.member);
    EXPECT_EQ(times.iterations.front(), 0u);
    ASSERT_EQ(neuron.course.size(), times.iterations.size());
    std::size_t k = 0;
    for (const Snapshot& snapshot : model.training.snapshots) {
      if (snapshot.member != neuron.member) continue;
      EXPECT_EQ(times.iterations[k], snapshot.iteration);
      const FigurePoint& place = neuron.learned[7];
      EXPECT_EQ(neuron.course[k][7],
                snapshot.network.activate(neuron.layer, neuron.neuron, place.x));
      ++k;
    }
  }
}

TEST(LookAt, TruthIsShownForPlantedAlone) {
  TrainOptions options = small_options();
  options.hidden = {4};
  options.output_activation = "identity";
  options.lambda_w = 1e-5;
  options.lambda_curvature = 1e-5;
  options.iterations = 600;
  options.seed = 1;
  const Table planted = make_builtin("planted");
  const Model model = train(planted, {}, options);
  const ModelReport found = look(model, nullptr);
  EXPECT_THAT(found.neurons, Contains(Field(&NeuronReport::truth, Not(IsEmpty()))));
  EXPECT_THAT(look(train(friedman(), {}, small_options()), nullptr).neurons,
              Each(Field(&NeuronReport::truth, IsEmpty())));
}

TEST(LookAt, ATableWithoutTheTargetStillShowsDependence) {
  const Model model = train(friedman(), {}, small_options());
  Table table = friedman();
  table.names.pop_back();
  table.columns.pop_back();
  const ModelReport report = look(model, &table);
  EXPECT_FALSE(report.check);
  EXPECT_FALSE(report.importance);
  EXPECT_THAT(report.dependence, SizeIs(6));
  EXPECT_THAT(report.notes, Contains(HasSubstr("has no column for the target")));
}

TEST(LookAt, ThreadsChangeNothing) {
  const Model model = train(friedman(), {}, small_options());
  ReportOptions options;
  options.threads = 1;
  const ModelReport one = look(model, &friedman(), options);
  options.threads = 3;
  EXPECT_EQ(report_page(look(model, &friedman(), options)), report_page(one));
}

TEST(LookAt, CanBeStoppedInEveryPart) {
  const Model model = train(friedman(), {}, small_options());
  ReportOptions options;
  options.table = &friedman();
  parallel::expect_stops(5, [&](const std::shared_ptr<Monitor>& monitor) {
    options.monitor = monitor;
    look_at(model, options);
  });
}

TEST(LookAt, ClassesAndQuantilesAreLookedAtToo) {
  TrainOptions options = small_options();
  TableTask task;
  const Table spirals = make_builtin("spirals", 200);
  const ModelReport classes = look(train(spirals, task, options), &spirals);
  ASSERT_TRUE(classes.check && classes.importance);
  EXPECT_TRUE(classes.check->scores.classes);
  EXPECT_THAT(classes.check->reliability, SizeIs(1));
  options.loss = "quantile";
  const ModelReport quantiles = look(train(friedman(), task, options), &friedman());
  ASSERT_TRUE(quantiles.check);
  EXPECT_THAT(quantiles.check->numbers[0].predicted, SizeIs(3));
}

TEST(LookAt, RowsThatAreAlikeSayNothingAboutDeadNeurons) {
  const Model model = train(friedman(), {}, small_options());
  ReportOptions options;
  options.rows = {7};
  for (const NeuronReport& neuron : look(model, &friedman(), options).neurons) {
    EXPECT_FALSE(neuron.dead);
  }
}

TEST(LookAt, RowsWithoutATargetAreLeftOutOfTheScores) {
  const Model model = train(friedman(), {}, small_options());
  Table table = friedman();
  table.columns.back()[3] = table.columns.back()[9] = std::nan("");
  const ModelReport report = look(model, &table);
  ASSERT_TRUE(report.check);
  EXPECT_EQ(report.check->rows, 298u);
  EXPECT_THAT(report.notes, Contains("2 rows without a target are not scored."));
}

TEST(LookAt, TheTableOfTheTrainingIsCalledThat) {
  const Model model = train(friedman(), {}, small_options());
  EXPECT_THAT(look(model, &friedman()).notes, Contains(HasSubstr("has seen most of these rows")));
  ReportOptions options;
  options.rows = {1, 2, 3, 4, 5, 6};
  EXPECT_THAT(look(model, &friedman(), options).notes,
              Not(Contains(HasSubstr("has seen most of these rows"))));
}

// A model of a text with many levels and of a date; rows in which every level occurs twice.
std::pair<Model, Table> with_levels(std::size_t count) {
  auto levels = std::make_shared<std::vector<std::string>>();
  for (std::size_t k = 0; k < count; ++k) levels->push_back("level " + std::to_string(10000 + k));
  Model model;
  InputColumn mean{.column = "model", .kind = InputKind::target_mean, .category = "y", .fill = 0};
  mean.levels = levels;
  for (std::size_t k = 0; k < count; ++k) mean.values.push_back(std::sin(static_cast<double>(k)));
  InputColumn frequency = mean;
  frequency.kind = InputKind::frequency;
  InputColumn elapsed{.column = "sold", .kind = InputKind::date};
  elapsed.scaling = {
      .kind = ScalingKind::standard, .offset = 15000, .scale = 1e-3, .quantiles = {}};
  model.inputs = {mean, frequency, elapsed};
  model.targets = {{.column = "y"}};
  model.members.push_back(make_network({3, 3, 1}, make_spline_activation(),
                                       builtin_activations().at("identity").make({})));
  model.members[0].initialize(1);
  Table table{.source = "made.csv",
              .names = {"model", "sold", "y"},
              .columns = {{}, {}, {}},
              .labels = {*levels, {}, {}},
              .dates = {false, true, false}};
  for (std::size_t r = 0; r < 2 * count; ++r) {
    table.columns[0].push_back(static_cast<double>(r % count));
    table.columns[1].push_back(86400.0 * static_cast<double>(14000 + r * 37 % 2000));
    table.columns[2].push_back(std::sin(static_cast<double>(r % count)) +
                               static_cast<double>(r * 37 % 2000) / 1000);
  }
  return {std::move(model), std::move(table)};
}

TEST(LookAt, AtThousandsOfLevelsThePageStaysSmall) {
  const auto page_of = [](std::size_t count) {
    const auto [model, table] = with_levels(count);
    const ModelReport report = look(model, &table);
    EXPECT_THAT(report.importance->columns, SizeIs(2));
    return report_page(report);
  };
  const std::string few = page_of(30), many = page_of(3000);
  EXPECT_LT(many.size(), few.size() + 300'000);
  EXPECT_THAT(many, Not(HasSubstr("level 12345")));
}

TEST(LookAt, DependenceIsShownForDatesAndForFrequentTexts) {
  const auto [model, table] = with_levels(40);
  ModelReport report = look(model, &table);
  report.dependence = {partial_dependence(model, table, "model"),
                       partial_dependence(model, table, "sold")};
  const std::string page = report_page(report);
  EXPECT_THAT(page, HasSubstr("Of 40 texts, the figure shows the 12 most frequent."));
  EXPECT_THAT(page, HasSubstr(">2010</text>"));
  EXPECT_THAT(page, HasSubstr(" date\""));
  EXPECT_THAT(page, HasSubstr("model: mean of y"));
}

}  // namespace
}  // namespace knotwork
