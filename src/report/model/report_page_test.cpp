// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <knotwork/version.hpp>

#include "figures/drawing/test_xml.hpp"
#include "report/figures/model_figures.hpp"
#include "report/model/test_reports.hpp"
#include "report/page_files.hpp"

namespace knotwork::report {
namespace {

using figures::Element;
using figures::elements_named;
using figures::XmlReader;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;

// The page without its first line and the scripts, which are not XML.
std::string page_xml(std::string page) {
  page.erase(0, page.find('\n') + 1);
  for (std::size_t at = page.find("<script"); at != std::string::npos;
       at = page.find("<script", at + 1)) {
    const std::size_t begin = page.find('>', at) + 1;
    page.erase(begin, page.find("</script>", begin) - begin);
  }
  return page;
}

std::vector<std::string> values_of(const std::string& xml, const char* name, const char* key) {
  std::vector<std::string> values;
  for (const Element& element : elements_named(xml, name)) {
    const auto found = element.attributes.find(key);
    if (found != element.attributes.end()) values.push_back(found->second);
  }
  return values;
}

std::vector<std::string> sections_of(const ModelReport& report) {
  return values_of(page_xml(report_page(report)), "section", "id");
}

std::vector<ModelReport> all_reports() {
  return {regression_report(),           ensemble_report(), quantiles_report(), classes_report(),
          classes_report({"no", "yes"}), bare_report(),     hostile_report()};
}

std::vector<Element> cards_of(const std::string& xml) {
  std::vector<Element> cards;
  for (Element& item : elements_named(xml, "li")) {
    const auto found = item.attributes.find("class");
    if (found != item.attributes.end() && found->second == "neuron") cards.push_back(item);
  }
  return cards;
}

TEST(ReportPage, IsWellFormedWhateverTheModelIs) {
  for (const ModelReport& report : all_reports()) {
    const std::string page = report_page(report);
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    EXPECT_NO_THROW(XmlReader::read(page_xml(page))) << report.title;
    EXPECT_THAT(page_xml(page), Not(HasSubstr("nan")));
  }
}

TEST(ReportPage, HasTheSectionsThatItsContentCanFill) {
  const std::vector<std::string> all = {"scores",  "predictions", "columns", "course",
                                        "network", "neurons",     "making"};
  EXPECT_EQ(sections_of(regression_report()), all);
  EXPECT_EQ(sections_of(classes_report()), all);
  EXPECT_THAT(sections_of(bare_report()), ElementsAre("network", "neurons", "making"));
  ModelReport without_neurons = bare_report();
  without_neurons.neurons.clear();
  EXPECT_THAT(sections_of(without_neurons), ElementsAre("network", "making"));
}

TEST(ReportPage, LinksOnlyToItsOwnPartsAndAllOfThem) {
  for (const ModelReport& report : all_reports()) {
    const std::string xml = page_xml(report_page(report));
    std::set<std::string> ids;
    for (const Element& element : XmlReader::read(xml)) {
      const auto id = element.attributes.find("id");
      if (id == element.attributes.end()) continue;
      EXPECT_TRUE(ids.insert(id->second).second) << id->second << " twice";
    }
    for (const std::string& link : values_of(xml, "a", "href")) {
      EXPECT_TRUE(link.starts_with("#") && ids.contains(link.substr(1))) << link;
    }
    for (const std::string& id : values_of(xml, "section", "id")) {
      EXPECT_THAT(values_of(xml, "a", "href"), Contains("#" + id));
    }
    for (const std::string& id : values_of(xml, "label", "for"))
      EXPECT_TRUE(ids.contains(id)) << id;
  }
}

// Everything that could load or run something.
TEST(ReportPage, NeedsNoOtherFileAndNoNetwork) {
  for (const ModelReport& report : all_reports()) {
    std::string page = report_page(report);
    for (const Element& element : XmlReader::read(page_xml(page))) {
      for (const char* name :
           {"img", "link", "iframe", "object", "embed", "base", "image", "use"}) {
        EXPECT_NE(element.name, name);
      }
      for (const auto& [key, value] : element.attributes) {
        EXPECT_TRUE(key != "src" && key != "style" && !key.starts_with("on")) << key << value;
      }
    }
    for (const PageFile& style : {page_style(), report_style()}) {
      EXPECT_EQ(style.text.find("url("), std::string_view::npos);
      EXPECT_EQ(style.text.find("@import"), std::string_view::npos);
    }
    for (const std::string name :
         {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http-equiv"}) {
      for (auto at = page.find(name); at != std::string::npos; at = page.find(name, at)) {
        page.erase(at, name.size());
      }
    }
    EXPECT_EQ(page.find("http"), std::string::npos);
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  }
}

TEST(ReportPage, TakesNamesForTexts) {
  const std::string page = report_page(hostile_report());
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("\x01")));
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)"));
  EXPECT_THAT(values_of(page_xml(page), "script", "type"), IsEmpty());
  EXPECT_THAT(elements_named(page_xml(page), "script"), SizeIs(1));
}

TEST(ReportPage, HasAHeadingForEverythingInOrder) {
  for (const ModelReport& report : all_reports()) {
    int level = 0;
    for (const Element& element : XmlReader::read(page_xml(report_page(report)))) {
      if (element.name.size() != 2 || element.name[0] != 'h' || element.name[1] > '6') continue;
      const int own = element.name[1] - '0';
      if (own < 1) continue;
      EXPECT_LE(own, level + 1) << element.text;
      EXPECT_FALSE(element.text.empty());
      level = own;
    }
    EXPECT_THAT(elements_named(page_xml(report_page(report)), "h1"), SizeIs(1));
  }
}

TEST(ReportPage, PutsTheModelBesideItsBaselines) {
  std::vector<std::string> heads;
  for (const Element& head : elements_named(page_xml(report_page(regression_report())), "th")) {
    heads.push_back(head.text);
  }
  EXPECT_THAT(heads, IsSupersetOf({"this model", "linear", "tanh", "NRMSE", "R²"}));
  const std::string page = report_page(regression_report());
  EXPECT_THAT(page, HasSubstr("best baseline: tanh, 0.26"));
  EXPECT_THAT(report_page(classes_report()), AllOf(HasSubstr("95.3 %"), HasSubstr("log loss")));
  EXPECT_THAT(report_page(quantiles_report()), HasSubstr("87.3 % of 90 %"));
}

TEST(ReportPage, SaysWhetherTheModelIsBetterThanItsBaselines) {
  ModelReport report = regression_report();
  EXPECT_THAT(report_page(report),
              HasSubstr("better than every baseline: its NRMSE is 0.21, which is 19.2 % lower than "
                        "that of the best baseline (tanh, 0.26)."));
  EXPECT_THAT(report_page(report), Not(HasSubstr("overfitted")));
  report.model.training.test = report.check->scores = regression_scores(150, 0.3);
  EXPECT_THAT(report_page(report), HasSubstr("The baseline tanh is better than this model"));
  report.model.training.train = regression_scores(350, 0.1);
  EXPECT_THAT(report_page(report),
              HasSubstr("The model may be overfitted: its NRMSE is 0.1 on training rows"));
  report.model.training.train = regression_scores(350, 0.001);
  report.model.training.test = regression_scores(150, 0.004);
  EXPECT_THAT(report_page(report), Not(HasSubstr("overfitted")));
}

TEST(ReportPage, TellsTheScoreOfOtherRowsFirstAndOfTheSameRowsOnce) {
  ModelReport report = regression_report();
  report.check->scores.nrmse *= 1 + 1e-7;  // rounding
  EXPECT_THAT(report_page(report), Not(HasSubstr("rows of this report")));
  report.check->scores = regression_scores(500, 0.37);
  const std::string page = report_page(report);
  EXPECT_THAT(page, HasSubstr("NRMSE on the rows of this report</span> <span "
                              "class=\"value\">0.37"));
  EXPECT_LT(page.find("rows of this report</td>"), page.find("test</td>"));
}

TEST(ReportPage, CallsNoColumnImportantThatIsNot) {
  ModelReport report = regression_report();
  EXPECT_THAT(report_page(report), HasSubstr("most important column"));
  for (const double mean : {0.0, -0.1, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    for (ColumnImportance& column : report.importance->columns) column.mean = mean;
    const std::string page = report_page(report);
    EXPECT_THAT(page, Not(HasSubstr("most important column"))) << mean;
    EXPECT_THAT(page, HasSubstr("No column is important"));
    EXPECT_FALSE(importance_figure(report));
  }
}

TEST(ReportPage, NamesSeveralTargetsAndTellsTheirScoresOnce) {
  ModelReport report = regression_report();
  report.model.targets.push_back({.column = "rent"});
  report.model.members = {make_network({4, 8, 2}, make_spline_activation(),
                                       builtin_activations().at("identity").make({}))};
  report.dependence.clear();
  report.check->numbers.push_back(sample_target("rent"));
  for (const char* column : {"price", "rent"}) {
    report.check->targets.push_back({.column = column, .test = regression_scores(150, 0.2)});
    report.model.training.target_scores.push_back(
        {.column = column, .test = regression_scores(150, 0.2)});
  }
  const std::string page = report_page(report);
  EXPECT_THAT(page, AllOf(HasSubstr("Residuals: rent"), HasSubstr("Predicted against true: price"),
                          HasSubstr("Sizes of the residuals: rent")));
  EXPECT_THAT(page, Not(HasSubstr("rows of this report</td>")));
}

TEST(ReportPage, SpeaksOfControlPointsOnlyWhereThereAreSome) {
  ModelReport report = regression_report();
  EXPECT_THAT(report_page(report),
              AllOf(HasSubstr("outermost control points are off the curve"),
                    HasSubstr("most in the tails"), HasSubstr("id=\"tails-filter\"")));
  for (NeuronReport& neuron : report.neurons) {
    neuron.control_points.clear();
    neuron.left_tail = neuron.right_tail = 0;
    neuron.activation = "prelu";
  }
  const std::string page = report_page(report);
  const std::string part = page.substr(page.find("<section id=\"neurons\""));
  for (const char* word :
       {"control points are off", "most in the tails", "tails-filter\"/>", "unused points"}) {
    EXPECT_THAT(part, Not(HasSubstr(word)));
  }
  EXPECT_THAT(cards_of(page_xml(page))[0].text, AllOf(HasSubstr("moved"), HasSubstr("prelu")));
}

TEST(ReportPage, CardsHaveTheNamesOfTheProgramAndTheFarthestStandFirstIfThereAreMany) {
  const auto names = [](const ModelReport& report) {
    std::vector<std::string> all;
    for (const Element& card : cards_of(page_xml(report_page(report)))) {
      all.push_back(card.attributes.at("data-name"));
    }
    return all;
  };
  EXPECT_THAT(names(ensemble_report()), Contains("2:1:4"));
  EXPECT_THAT(names(regression_report(3)), ElementsAre("1:1", "1:2", "1:3"));
  const std::vector<Element> cards = cards_of(page_xml(report_page(regression_report(13))));
  ASSERT_THAT(cards, SizeIs(13));
  for (std::size_t k = 1; k < cards.size(); ++k) {
    EXPECT_GE(std::stod(cards[k - 1].attributes.at("data-moved")),
              std::stod(cards[k].attributes.at("data-moved")));
  }
  EXPECT_THAT(cards_of(page_xml(report_page(regression_report())))[2].text,
              HasSubstr("none (the curve is flat in the range of the inputs)"));
}

TEST(ReportPage, HasATableOfTheNetworksOfAnEnsemble) {
  const std::string page = report_page(ensemble_report());
  EXPECT_THAT(page, AllOf(HasSubstr("all together"), HasSubstr("network 3</th>")));
  EXPECT_THAT(page, HasSubstr("Network 2, layer 1, neuron 4"));
  EXPECT_THAT(report_page(regression_report()), Not(HasSubstr("all together")));
}

TEST(ReportPage, TellsOfEachNeuronWhatItDoes) {
  const std::string xml = page_xml(report_page(regression_report()));
  const std::vector<Element> cards = cards_of(xml);
  ASSERT_THAT(cards, SizeIs(8));
  EXPECT_EQ(cards[0].attributes.at("data-layer"), "1");
  EXPECT_EQ(cards[0].attributes.at("data-tails"), "0.112");
  EXPECT_THAT(cards[0].text, AllOf(HasSubstr("Layer 1, neuron 1"), HasSubstr("sine, R² 0."),
                                   HasSubstr("8.1 % left, 3.1 % right"), HasSubstr("0 of 21"),
                                   HasSubstr("many in the tails")));
  EXPECT_THAT(cards[2].text, AllOf(HasSubstr("dead zone"), Not(HasSubstr("R²"))));
  EXPECT_EQ(cards_of(page_xml(report_page(bare_report())))[0].text.find("tails"),
            std::string::npos);
}

TEST(ReportPage, CardsAreSmallAndHowManyThereAreIsSaid) {
  const std::string page = report_page(large_report());
  const std::string xml = page_xml(page);
  EXPECT_THAT(cards_of(xml), SizeIs(240));
  EXPECT_THAT(page, HasSubstr("The page shows 240 of 2000 learned activations."));
  EXPECT_THAT(page, HasSubstr("Of 1000000 rows 20000 were looked at."));
  EXPECT_LT(page.size(), 3'000'000u);
  const std::size_t begin = xml.find("<li class=\"neuron\""), end = xml.find("</ol>", begin);
  EXPECT_LT((end - begin) / 240, 6000u);
}

TEST(ReportPage, HasASliderWhereThereAreSnapshots) {
  EXPECT_THAT(report_page(regression_report()), Not(HasSubstr("id=\"player\"")));
  const std::string page = report_page(ensemble_report());
  EXPECT_THAT(page, HasSubstr("id=\"player\""));
  EXPECT_THAT(page, HasSubstr("\"iterations\":{\"1\":[0,20,40,60,80,100],\"2\":[1,21"));
  EXPECT_THAT(page, HasSubstr("\"neuron-3-1-4\":["));
}

TEST(ReportPage, OneSnapshotIsEnoughForASlider) {
  EXPECT_THAT(report_page(regression_report(3, 1)),
              AllOf(HasSubstr("id=\"player\""), HasSubstr("\"iterations\":{\"1\":[0]}")));
}

TEST(ReportPage, LeavesOutSnapshotsThatCannotBePlayed) {
  ModelReport report = regression_report(3, 4);
  report.neurons[0].learned[5].y = NAN;
  report.neurons[1].course[2].pop_back();
  report.neurons[2].course[2][7] = INFINITY;  // becomes a gap
  const std::string page = report_page(report);
  EXPECT_THAT(page, Not(HasSubstr("\"neuron-1-1-1\":[")));
  EXPECT_THAT(page, Not(HasSubstr("\"neuron-1-1-2\":[")));
  EXPECT_THAT(page, HasSubstr("\"neuron-1-1-3\":["));
}

TEST(ReportPage, IsUsableWithoutItsScript) {
  const std::string xml = page_xml(report_page(ensemble_report()));
  for (const Element& element : XmlReader::read(xml)) {
    const auto id = element.attributes.find("id");
    if (id == element.attributes.end() || (id->second != "controls" && id->second != "player")) {
      continue;
    }
    EXPECT_TRUE(element.attributes.contains("hidden")) << id->second;
  }
  EXPECT_THAT(xml, HasSubstr("need JavaScript; the figures do not"));
}

TEST(ReportPage, TellsHowTheModelWasMade) {
  const std::string page = report_page(regression_report());
  for (const char* text :
       {"houses.csv", "size, age, place", "350 to train on, 150 to test",
        "4 inputs → 8 splines → 1", "lbfgs, 300 iterations, 1.84 s",
        "because the objective hardly decreased any more", "Column 'id' looks like row numbers.",
        "lambda-curvature", "knotwork report houses.safetensors houses.csv",
        "Knotwork " KNOTWORK_VERSION_STRING}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
  EXPECT_THAT(report_page(bare_report()), HasSubstr("No rows were given"));
}

TEST(ReportPage, SaysWhatIsNotInTheFileOfAPrivateModel) {
  ModelReport report = regression_report();
  EXPECT_THAT(report_page(report), Not(HasSubstr("private")));
  report.model.training.is_private = true;
  report.model.training.data.clear();
  report.model.training.remarks.clear();
  EXPECT_THAT(report_page(report), AllOf(HasSubstr("left out of the file"),
                                         HasSubstr("The model was trained as private")));
}

}  // namespace
}  // namespace knotwork::report
