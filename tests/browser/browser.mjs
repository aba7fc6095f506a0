// SPDX-License-Identifier: MIT
// A real browser for tests of pages: Chromium, driven by playwright-core. If one of the two is
// missing, the test is skipped with a message.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const skipped = 77;

function skip(reason) {
  console.log(`Skipped: ${reason}; scripts/setup test installs it.`);
  process.exit(skipped);
}

function findChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    const folder = folders.find((one) => existsSync(join(one, name)));
    if (folder !== undefined) return join(folder, name);
  }
  return skip("there is no Chromium");
}

function loadPlaywright() {
  try {
    return createRequire(new URL("../node/package.json", import.meta.url))("playwright-core");
  } catch {
    return skip("the package playwright-core is not in tests/node");
  }
}

const { chromium } = loadPlaywright();
const executablePath = findChromium();
// Chromium's sandbox does not run as root, for example in containers.
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium.launch({ executablePath, args });

export const closeBrowser = () => browser.close();

// Opens a file without a network. `complaints` collects everything that a page must not cause:
// errors, warnings, dialogs, and requests for other files.
export async function openPage(path, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 }, offline: true, ...options,
  });
  const page = await context.newPage();
  const complaints = [];
  const url = pathToFileURL(path).href;
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (request.url() !== url) complaints.push(`request: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}
