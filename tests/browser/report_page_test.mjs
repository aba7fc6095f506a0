// SPDX-License-Identifier: MIT
// Tests the pages of models in a browser: in all widths and both themes, with mouse and keyboard.
// Screenshots are kept beside the pages.
//
//   node report_page_test.mjs SAMPLE_PAGES FOLDER [KNOTWORK]
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { closeBrowser, openPage } from "./browser.mjs";
import { contrastOffences, unnamedControls } from "./accessibility.mjs";

const [samplePages, folder, knotwork] = process.argv.slice(2);
const names = ["regression", "ensemble", "quantiles", "classes", "bare", "large", "hostile"];
const pathOf = (name) => join(folder, `${name}.html`);
const screenshots = join(folder, "screenshots");

// A short training that has everything that a page can show.
const training = ["train", "builtin:planted", "--hidden", "6", "--ensemble", "1", "--iterations",
  "80", "--snapshots", "10", "--quiet"];
const comparison = ["compare", "builtin:friedman1", "--activations", "spline,tanh", "--hidden", "4",
  "--folds", "3", "--budget", "0", "--iterations", "20"];

before(() => {
  mkdirSync(screenshots, { recursive: true });
  execFileSync(samplePages, [folder]);
  if (knotwork === undefined) return;
  execFileSync(knotwork, [...training, "--out", join(folder, "planted.safetensors"),
    "--report", pathOf("planted")]);
  names.push("planted");
  execFileSync(knotwork, [...comparison, "--report", pathOf("comparison")]);
});
after(closeBrowser);

// Runs `use` on a page and reports every complaint.
async function visit(name, use, options = {}) {
  const opened = await openPage(pathOf(name), options);
  try {
    await use(opened.page);
    assert.deepEqual(opened.complaints, []);
  } finally {
    await opened.close();
  }
}

const shownCards = (page) => page.locator(".neuron:not([hidden])");
const learnedPath = (page) =>
  page.locator('.neuron path[data-name="learned"]').first().getAttribute("d");

// Browsers do not draw cards outside the window, but a screenshot of the whole page needs them.
const drawEverything = (page) => page.evaluate(() => {
  for (const card of document.querySelectorAll(".neuron")) card.style.contentVisibility = "visible";
});

// A figure shows something if data are drawn within its frame, or anywhere if it has no frame. The
// background, the frame, the grid and the ticks do not count as data.
const emptyFigures = (page) => page.evaluate(() => [...document.querySelectorAll("svg")]
  .filter((svg) => {
    const { width, height } = svg.getBoundingClientRect();
    if (width < 20 || height < 10) return true;
    const frame = svg.querySelector("rect.frame");
    if (!frame) {
      const shapes = svg.closest(".legend") ? "path, circle, line" : "path, circle";
      return svg.querySelectorAll(shapes).length === 0;
    }
    const inner = frame.getBoundingClientRect();
    const marks = [...svg.querySelectorAll("path, circle, polygon, rect:not(.frame)")]
      .filter((mark) => !mark.closest("defs, clipPath")).map((mark) => mark.getBoundingClientRect())
      .filter((mark) => mark.width < inner.width + 8 && mark.right > inner.left &&
        mark.left < inner.right && mark.bottom > inner.top && mark.top < inner.bottom &&
        (mark.width > 0.5 || mark.height > 0.5));
    return marks.length === 0;
  })
  .map((svg) => svg.outerHTML.slice(0, 300)));

test("every page fits every width and both themes", async () => {
  for (const name of knotwork === undefined ? names : [...names, "comparison"]) {
    for (const width of [320, 390, 768, 1440]) {
      for (const colorScheme of ["light", "dark"]) {
        const where = `${name} ${width} ${colorScheme}`;
        await visit(name, async (page) => {
          const [needed, given] = await page.evaluate(() => [
            document.documentElement.scrollWidth, document.documentElement.clientWidth]);
          assert.equal(given, width, where);
          assert.equal(needed, given, `${where} is too wide`);
          assert.ok(await page.locator("svg").count() > 0, where);
          await drawEverything(page);
          assert.deepEqual(await emptyFigures(page), [], where);
          assert.deepEqual(await contrastOffences(page), [], where);
          // With thousands of neurons, the first ones are enough.
          const path = join(screenshots, `${name}-${width}-${colorScheme}.png`);
          await page.screenshot({ path, fullPage: name !== "large" });
        }, { viewport: { width, height: 900 }, colorScheme });
      }
    }
  }
});

test("the narrowest screens show all numbers of the scores and whole figures", async () => {
  await visit("regression", async (page) => {
    const beyond = await page.evaluate(() => [
      ...document.querySelectorAll("#scores td, .gallery svg")]
      .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth)
      .map((one) => one.textContent.slice(0, 60)));
    assert.deepEqual(beyond, []);
    assert.match(await page.locator("#scores tbody tr").first().innerText(), /0\.21/);
  }, { viewport: { width: 320, height: 700 } });
});

test("parts of a page can be told apart and controls have names", async () => {
  for (const name of names) {
    await visit(name, async (page) => {
      for (const landmark of ["banner", "navigation", "main", "contentinfo"]) {
        assert.equal(await page.getByRole(landmark).count(), 1, `${name} ${landmark}`);
      }
      assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
      assert.deepEqual(await unnamedControls(page), [], name);
    });
  }
});

test("the keyboard reaches everything and its place is visible", async () => {
  await visit("regression", async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    const reached = new Set();
    for (let k = 0; k < 60; ++k) {
      await page.keyboard.press("Tab");
      const { id, name, outline } = await page.evaluate(() => {
        const { id, className, tagName } = document.activeElement;
        return { id, name: className || tagName,
          outline: getComputedStyle(document.activeElement).outlineStyle };
      });
      reached.add(id).add(name);
      if (name !== "BODY") assert.notEqual(outline, "none", `${id} ${name}`);
    }
    for (const wanted of ["sort", "text-filter", "tails-filter", "dead-filter", "play", "time",
      "reader", "scroll", "SUMMARY"]) {
      assert.ok(reached.has(wanted) || reached.has(`${wanted} reading`), `Tab misses ${wanted}`);
    }
  });
});

test("neurons are sorted", async () => {
  await visit("regression", async (page) => {
    const order = (key) => page.locator(".neuron").evaluateAll(
      (cards, name) => cards.map((card) => Number(card.dataset[name] ?? "NaN")), key);
    const sort = page.getByRole("combobox", { name: "Sort by" });
    for (const [choice, key] of [["moved farthest", "moved"], ["most in the tails", "tails"],
      ["most unused points", "unused"], ["most like a known function", "r2"]]) {
      await sort.selectOption(choice);
      const numbers = (await order(key)).filter((number) => !Number.isNaN(number));
      assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a), choice);
      assert.notDeepEqual(await order("place"), [...Array(12).keys()], choice);
    }
    const without = (await order("r2")).map(Number.isNaN);
    assert.deepEqual(without, [...without].sort(), "what has no R² stands last");
    await sort.selectOption("order of the model");
    assert.deepEqual(await order("place"), [...Array(12).keys()]);
  });
});

test("neurons are filtered, and how many are left is said", async () => {
  await visit("regression", async (page) => {
    const status = page.locator("#shown");
    assert.equal(await status.textContent(), "All 12 cards are shown.");
    await page.getByRole("searchbox", { name: "Contains" }).pressSequentially("TANH");
    assert.equal(await status.textContent(), "2 of 12 cards are shown.");
    assert.match(await shownCards(page).first().textContent(), /tanh, R²/);
    await page.getByRole("searchbox").fill("1:4");
    assert.equal(await shownCards(page).evaluateAll((all) => all[0].id), "neuron-1-1-4");
    assert.equal(await status.textContent(), "1 of 12 cards are shown.");
    await page.getByRole("searchbox").fill("unused points");  // says every card
    assert.equal(await status.textContent(), "0 of 12 cards are shown.");
    await page.getByRole("searchbox").fill("");
    await page.getByLabel("only dead").check();
    assert.equal(await status.textContent(), "1 of 12 cards are shown.");
    assert.match(await shownCards(page).first().textContent(), /dead/);
    await page.getByLabel("only dead").uncheck();
    await page.getByLabel("only neurons with more than 5 % in the tails").check();
    const tails = await shownCards(page).evaluateAll((cards) => cards.map((c) => c.dataset.tails));
    assert.ok(tails.length > 0 && tails.every((share) => share > 0.05), tails.join());
  });
  await visit("ensemble", async (page) => {
    await page.getByRole("combobox", { name: "Network" }).selectOption("network 2");
    assert.equal(await page.locator("#shown").textContent(), "4 of 12 cards are shown.");
    assert.match(await shownCards(page).first().textContent(), /Network 2/);
  });
});

// Compares the cursor's values with the browser's own geometry of the curve.
const curveAt = (page, share) => page.evaluate((place) => {
  const svg = document.querySelector(".neuron svg");
  const path = svg.querySelector('path[data-name="learned"]');
  const frame = svg.querySelector("rect.frame");
  const number = (key) => Number(frame.getAttribute(key));
  const x = number("x") + place * number("width");
  let low = 0;
  let high = path.getTotalLength();
  for (let k = 0; k < 50; ++k) {
    const middle = (low + high) / 2;
    if (path.getPointAtLength(middle).x < x) low = middle; else high = middle;
  }
  const [bottom, top] = frame.dataset.y.split(" ").map(Number);
  const up = (number("y") + number("height") - path.getPointAtLength(low).y) / number("height");
  return bottom + (top - bottom) * up;
}, share);

test("the cursor reads values by pointer and by keyboard", async () => {
  await visit("regression", async (page) => {
    const reader = page.locator(".neuron .reader").first();
    const readout = reader.locator(".readout");
    // On a busy machine cards are still being laid out: hover() waits until this one stays in place.
    const box = await reader.boundingBox();
    await reader.hover({ position: { x: 0.75 * box.width, y: 0.5 * box.height } });
    await readout.waitFor({ state: "visible" });
    const read = async () => Number(
      (await readout.textContent()).match(/learned: (\u2212?[\d.]+)/)[1].replace("\u2212", "-"));
    assert.ok(Math.abs(await read() - await curveAt(page, 0.75)) < 0.01);
    assert.match(await readout.textContent(), /x = [\d.]+.*initial: /);
    await page.mouse.move(0, 0);
    await readout.waitFor({ state: "hidden" });

    await reader.focus();
    const text = () => reader.getAttribute("aria-valuetext");
    await page.keyboard.press("Home");
    const begin = await page.locator(".neuron rect.frame").first().getAttribute("data-x");
    const first = Number((await text()).match(/x = (\S+?)(,|$)/)[1].replace("\u2212", "-"));
    assert.ok(Math.abs(first - Number(begin.split(" ")[0])) < 1e-3);
    for (let k = 0; k < 30; ++k) await page.keyboard.press("ArrowRight");
    assert.equal(await reader.getAttribute("aria-valuenow"), "30");
    assert.ok(Math.abs(await read() - await curveAt(page, 0.3)) < 0.01);
    await page.keyboard.press("Escape");
    await readout.waitFor({ state: "hidden" });
  });
});

test("the cursor knows logarithmic axes", async () => {
  await visit("regression", async (page) => {
    const figure = page.locator("#course figure").first();
    assert.match(await figure.locator("rect.frame").getAttribute("data-y"), / log$/);
    const reader = figure.locator(".reader");
    await reader.focus();
    await page.keyboard.press("Home");
    for (let k = 0; k < 3; ++k) await page.keyboard.press("ArrowRight");
    // The axis begins 3 % before iteration 0, where the penalty of the weights is 0.01.
    assert.match(await reader.getAttribute("aria-valuetext"), /weights: 0\.01(,|$|00)/);
  });
});

test("the slider shows how activations formed", async () => {
  await visit("regression", async (page) => {
    const final = await learnedPath(page);
    const time = page.getByRole("slider", { name: "How the activations formed" });
    const text = page.locator("#time-text");
    assert.equal(await text.textContent(), "as trained");
    await time.focus();
    await page.keyboard.press("Home");
    assert.equal(await text.textContent(), "iteration 0");
    assert.equal(await time.getAttribute("aria-valuetext"), "iteration 0");
    assert.notEqual(await learnedPath(page), final);
    // Before the first iteration the learned curve is the initial one, which is drawn at the ends.
    const ends = (d) => d.trim().split(/[ML ]+/).filter(Boolean)
      .map((point) => point.split(",").map(Number)).filter((_, k, all) => k % (all.length - 1) === 0);
    const initial = await page.locator('.neuron path[data-name="initial"]').first()
      .getAttribute("d");
    ends(await learnedPath(page)).forEach(([x, y], k) => {
      assert.ok(Math.abs(x - ends(initial)[k][0]) < 0.02);
      assert.ok(Math.abs(y - ends(initial)[k][1]) < 0.02);
    });
    await page.keyboard.press("ArrowRight");
    assert.equal(await text.textContent(), "iteration 20");
    await page.keyboard.press("End");
    assert.equal(await learnedPath(page), final);
    // The last snapshot was taken before the end.
    await page.keyboard.press("ArrowLeft");
    assert.equal(await text.textContent(), "iteration 220");
    assert.notEqual(await learnedPath(page), final);
    const seen = new Set();
    for (let k = 0; k < 12; ++k) {
      seen.add(await learnedPath(page));
      await page.keyboard.press("ArrowLeft");
    }
    assert.equal(seen.size, 12);
  });
});

test("the slider plays and pauses", async () => {
  await visit("regression", async (page) => {
    const final = await learnedPath(page);
    const text = page.locator("#time-text");
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => document.getElementById("time").value === "2");
    await page.getByRole("button", { name: "Pause" }).click();
    assert.match(await text.textContent(), /^iteration \d+$/);
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(
      () => document.getElementById("time-text").textContent === "as trained");
    await page.getByRole("button", { name: "Play" }).waitFor();
    assert.equal(await learnedPath(page), final);
  });
  await visit("regression", async (page) => {
    const step = page.getByRole("button", { name: "Step" });
    await step.click();
    await step.click();
    assert.equal(await page.locator("#time-text").textContent(), "iteration 20");
  }, { reducedMotion: "reduce" });
});

test("the slider knows when the snapshots of each network were taken", async () => {
  await visit("ensemble", async (page) => {
    const time = page.getByRole("slider", { name: "How the activations formed" });
    const text = page.locator("#time-text");
    await time.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.equal(await text.textContent(), "iterations 20 to 22");
    await page.getByRole("combobox", { name: "Network" }).selectOption("network 3");
    assert.equal(await text.textContent(), "iteration 22");
  });
});

test("a page says what is missing without its script", async () => {
  await visit("ensemble", async (page) => {
    assert.ok(await page.getByText("need JavaScript").isVisible());
    assert.ok(!await page.locator("#controls").isVisible());
    assert.ok(!await page.locator("#player").isVisible());
    assert.equal(await shownCards(page).count(), 12);
  }, { javaScriptEnabled: false });
});

test("pages print on white without controls", async () => {
  await visit("regression", async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const look = await page.evaluate(() => ({
      paper: getComputedStyle(document.body).backgroundColor,
      filter: getComputedStyle(document.querySelector("svg")).filter,
      controls: getComputedStyle(document.getElementById("controls")).display,
    }));
    assert.deepEqual(look, { paper: "rgb(255, 255, 255)", filter: "none", controls: "none" });
    const paper = await page.pdf({ format: "A4", path: join(screenshots, "regression.pdf") });
    assert.ok(paper.length > 20000);
  });
});

test("thousands of neurons are a page that works", async () => {
  await visit("large", async (page) => {
    assert.equal(await shownCards(page).count(), 240);
    const sort = page.getByRole("combobox", { name: "Sort by" });
    assert.equal(await sort.inputValue(), "moved");
    await sort.selectOption("order of the model");
    const time = page.getByRole("slider", { name: "How the activations formed" });
    await time.focus();
    await page.keyboard.press("Home");
    assert.equal(await page.locator(".neuron.past").count(), 240);
    await page.getByRole("searchbox").fill("gaussian");
    assert.equal(await page.locator("#shown").textContent(), "40 of 240 cards are shown.");
  });
});

test("a page of the program shows a training from end to end", async (context) => {
  if (knotwork === undefined) return context.skip("no program was given");
  return visit("planted", async (page) => {
    const parts = await page.locator("section").evaluateAll((all) => all.map((one) => one.id));
    assert.deepEqual(parts,
      ["scores", "predictions", "columns", "course", "network", "neurons", "making"]);
    assert.equal(await shownCards(page).count(), 6);
    const time = page.getByRole("slider", { name: "How the activations formed" });
    await time.focus();
    await page.keyboard.press("Home");
    assert.equal(await page.locator(".neuron.past").count(), 6);
  });
});

test("a page that compares can be told apart into parts", async (context) => {
  if (knotwork === undefined) return context.skip("no program was given");
  return visit("comparison", async (page) => {
    for (const landmark of ["main", "contentinfo"]) {
      assert.equal(await page.getByRole(landmark).count(), 1, landmark);
    }
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
    assert.deepEqual(await unnamedControls(page), []);
    assert.match(await page.locator("tbody").innerText(), /tanh/);
  });
});
