// SPDX-License-Identifier: MIT
// Checks whether a page is accessible to people with low or no vision.

// Controls without a name for assistive technology, according to the browser.
export async function unnamedControls(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const roles = ["button", "link", "checkbox", "combobox", "searchbox", "slider", "textbox", "image",
    "region", "table"];
  return nodes
    .filter((node) => !node.ignored && roles.includes(node.role?.value) && !node.name?.value)
    .map((node) => node.role.value);
}

// Texts whose contrast to their background is below 4.5 : 1 (WCAG 2.2, 1.4.3). Figures are left out,
// because their colors are chosen for paper and inverted as a whole.
export async function contrastOffences(page) {
  return page.evaluate(() => {
    const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
    const luminance = (colour) => {
      const [r, g, b] = numbers(colour).slice(0, 3).map((level) => {
        const share = level / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const isOpaque = (colour) => numbers(colour).length === 3 || numbers(colour)[3] === 1;
    const behind = (element) => {
      for (let one = element; one; one = one.parentElement) {
        const colour = getComputedStyle(one).backgroundColor;
        if (isOpaque(colour)) return colour;
      }
      return "rgb(255, 255, 255)";
    };
    const hasText = (element) => [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
    const offences = new Set();
    for (const element of document.body.querySelectorAll("*")) {
      if (element.closest("svg, script, noscript, [hidden]") || !hasText(element)) continue;
      const levels = [getComputedStyle(element).color, behind(element)].map(luminance);
      const ratio = (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05);
      if (ratio < 4.5) {
        offences.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
      }
    }
    return [...offences];
  });
}
