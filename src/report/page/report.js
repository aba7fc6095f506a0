// SPDX-License-Identifier: MIT
// The interactive parts of a page: sorting and filtering neurons, reading values off figures, and
// playing how the activations formed. All numbers come from the page itself: places on a figure from
// its paths and the extents of its frame, facts about neurons from the attributes of their cards.
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);

  // Four significant digits.
  const shortNumber = (value) => {
    if (!Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    const text = size !== 0 && (size < 1e-4 || size >= 1e7)
      ? value.toExponential(3) : String(Number(value.toPrecision(4)));
    return text.replace("-", "\u2212");
  };

  // --- Figures -------------------------------------------------------------------------------

  // The date that is this many seconds after 1970-01-01 UTC, to the minute.
  const dateText = (seconds) => {
    const date = new Date(1000 * seconds);
    if (Number.isNaN(date.getTime())) return "–";
    return date.toISOString().slice(0, 16).replace("T", " ");
  };

  // An axis of a frame, "-2 2 linear", "0.1 100 log" or "0 86400 date", that runs from one place to
  // another.
  class Axis {
    constructor(extent, from, to) {
      const [low, high, kind] = extent.split(" ");
      this.log = kind === "log";
      this.textOf = kind === "date" ? dateText : shortNumber;
      this.low = this.scaled(Number(low));
      this.high = this.scaled(Number(high));
      this.from = from;
      this.to = to;
    }
    scaled(value) { return this.log ? Math.log10(value) : value; }
    placeOf(value) {
      return this.from + (this.to - this.from) * (this.scaled(value) - this.low) /
        (this.high - this.low);
    }
    valueAt(place) {
      const scaled = this.low + (this.high - this.low) * (place - this.from) / (this.to - this.from);
      return this.log ? 10 ** scaled : scaled;
    }
  }

  const frameOf = (svg) => {
    const rect = svg.querySelector("rect.frame");
    if (!rect || !rect.dataset.x || !rect.dataset.y) return null;
    const [left, top, width, height] =
      ["x", "y", "width", "height"].map((key) => Number(rect.getAttribute(key)));
    return {
      left, top, width, height,
      x: new Axis(rect.dataset.x, left, left + width),
      y: new Axis(rect.dataset.y, top + height, top),
    };
  };

  // Points of a path as [x, y, begins]: where a piece begins, the line is interrupted.
  const pointsOf = (path) => {
    const points = [];
    const steps = path.getAttribute("d").matchAll(/([ML]?)\s*(-?[\d.]+)[\s,]+(-?[\d.]+)/g);
    for (const [, letter, x, y] of steps) points.push([Number(x), Number(y), letter === "M"]);
    return points;
  };

  // Where a path crosses the vertical line at x; nothing if it does not.
  const crossing = (path, x) => {
    const points = pointsOf(path);
    for (let k = 1; k < points.length; ++k) {
      const [x0, y0] = points[k - 1];
      const [x1, y1, begins] = points[k];
      if (begins || x < Math.min(x0, x1) || x > Math.max(x0, x1)) continue;
      return x1 === x0 ? y1 : y0 + (y1 - y0) * (x - x0) / (x1 - x0);
    }
    return undefined;
  };

  const element = (name, className, parent) => {
    const made = document.createElement(name);
    made.className = className;
    parent.append(made);
    return made;
  };

  // A cursor over the frame of a figure with named curves. For assistive technology it is a slider
  // whose text contains the values.
  class Reader {
    constructor(plot, svg, frame) {
      this.svg = svg;
      this.frame = frame;
      this.share = 0.5;
      const box = svg.viewBox.baseVal;
      const area = this.area = element("div", "reader", plot);
      area.style.left = `${100 * frame.left / box.width}%`;
      area.style.width = `${100 * frame.width / box.width}%`;
      area.style.top = `${100 * frame.top / box.height}%`;
      area.style.height = `${100 * frame.height / box.height}%`;
      this.hair = element("div", "hair", area);
      this.readout = element("div", "readout", area);
      this.dots = new Map();
      const card = plot.closest(".neuron");
      const title = (card ? card.querySelector("h3") : svg.querySelector("title")).textContent;
      const attributes = {
        role: "slider", tabindex: "0", "aria-label": `Values of ${title}`, "aria-valuemin": "0",
        "aria-valuemax": "100", "aria-valuenow": "50", "aria-valuetext": "Arrow keys read values",
      };
      for (const [key, value] of Object.entries(attributes)) area.setAttribute(key, value);
      this.readout.setAttribute("aria-hidden", "true");
      area.addEventListener("pointermove", (event) => this.point(event));
      area.addEventListener("pointerdown", (event) => this.point(event));
      area.addEventListener("pointerleave", () => this.hide());
      area.addEventListener("focus", () => { if (area.matches(":focus-visible")) this.show(); });
      area.addEventListener("blur", () => this.hide());
      area.addEventListener("keydown", (event) => this.key(event));
    }

    point(event) {
      const box = this.area.getBoundingClientRect();
      this.move((event.clientX - box.left) / box.width);
    }

    key(event) {
      const step = event.shiftKey ? 0.1 : 0.01;
      const moves = {
        ArrowRight: this.share + step, ArrowUp: this.share + step,
        ArrowLeft: this.share - step, ArrowDown: this.share - step,
        PageUp: this.share + 0.1, PageDown: this.share - 0.1, Home: 0, End: 1,
      };
      if (event.key === "Escape") this.hide();
      if (!(event.key in moves)) return;
      event.preventDefault();
      this.move(moves[event.key]);
    }

    move(share) {
      this.share = Math.min(1, Math.max(0, share));
      this.show();
    }

    dotOf(path) {
      if (!this.dots.has(path)) this.dots.set(path, element("div", "dot", this.area));
      return this.dots.get(path);
    }

    show() {
      const { frame } = this;
      const x = frame.left + this.share * frame.width;
      const lines = [`x = ${frame.x.textOf(frame.x.valueAt(x))}`];
      for (const path of this.svg.querySelectorAll("path[data-name]")) {
        const y = crossing(path, x);
        const dot = this.dotOf(path);
        dot.hidden = y === undefined;
        if (y === undefined) continue;
        lines.push(`${path.dataset.name}: ${shortNumber(frame.y.valueAt(y))}`);
        dot.style.left = `${100 * this.share}%`;
        dot.style.top = `${100 * (y - frame.top) / frame.height}%`;
      }
      this.hair.style.left = `${100 * this.share}%`;
      this.readout.replaceChildren(...lines.map((line) => {
        const row = document.createElement("div");
        row.textContent = line;
        return row;
      }));
      const right = this.share < 0.5;  // the side with more room
      this.readout.style.left = right ? `calc(${100 * this.share}% + 8px)` : "auto";
      this.readout.style.right = right ? "auto" : `calc(${100 - 100 * this.share}% + 8px)`;
      this.area.setAttribute("aria-valuenow", String(Math.round(100 * this.share)));
      this.area.setAttribute("aria-valuetext", lines.join(", "));
      this.area.classList.add("reading");
    }

    hide() { this.area.classList.remove("reading"); }

    refresh() { if (this.area.classList.contains("reading")) this.show(); }
  }

  const readers = [];
  for (const plot of document.querySelectorAll(".plot")) {
    const svg = plot.querySelector("svg");
    const frame = svg && frameOf(svg);
    if (frame && svg.querySelector("path[data-name]")) readers.push(new Reader(plot, svg, frame));
  }

  // --- Sorting and filtering -----------------------------------------------------------------

  const list = byId("neuron-list");
  if (!list) return;
  const cards = [...list.children];
  const controls = byId("controls");

  // Largest first, except for orders that count up; cards without a number come last.
  const sortCards = (choice) => {
    const descending = !["place", "layer", "-r2"].includes(choice);
    const key = choice.replace("-", "");
    const number = (card) => {
      const value = card.dataset[key];
      if (value === undefined) return Infinity;
      return descending ? -Number(value) : Number(value);
    };
    const difference = (a, b) => (a === b ? 0 : a - b);
    cards.sort((a, b) => difference(number(a), number(b)) || a.dataset.place - b.dataset.place);
    list.append(...cards);
  };

  const valueOf = (id) => byId(id)?.value ?? "";
  const isTicked = (id) => byId(id)?.checked ?? false;

  // "1:4" is the fourth neuron of the first layer, "2:1:4" that of the second network.
  const contains = (card, text) => (/^\d+(:\d+)+$/.test(text)
    ? `:${card.dataset.name}`.endsWith(`:${text}`) : card.dataset.words.includes(text));

  const filterCards = () => {
    const network = valueOf("network-filter");
    const layer = valueOf("layer-filter");
    const text = valueOf("text-filter").trim().toLowerCase();
    let shown = 0;
    for (const card of cards) {
      const stays = (!network || card.dataset.network === network) &&
        (!layer || card.dataset.layer === layer) &&
        (!isTicked("tails-filter") || Number(card.dataset.tails) > 0.05) &&
        (!isTicked("dead-filter") || card.dataset.dead !== undefined) &&
        (!text || contains(card, text));
      card.hidden = !stays;
      shown += stays ? 1 : 0;
    }
    byId("shown").textContent = shown === cards.length
      ? `All ${shown} cards are shown.` : `${shown} of ${cards.length} cards are shown.`;
  };

  for (const card of cards) {
    const words = [card.querySelector("h3"), ...card.querySelectorAll("dd")];
    card.dataset.words = words.map((part) => part.textContent).join(" ").toLowerCase();
  }
  byId("without-script").hidden = true;
  controls.hidden = false;
  controls.addEventListener("submit", (event) => event.preventDefault());
  byId("sort").addEventListener("change", () => sortCards(valueOf("sort")));
  controls.addEventListener("input", filterCards);
  filterCards();

  // --- How the activations formed ------------------------------------------------------------

  const data = byId("snapshots");
  if (!data) return;
  const { iterations, curves } = JSON.parse(data.textContent);
  const time = byId("time");
  const timeText = byId("time-text");
  const play = byId("play");
  const kGap = 65535;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  // After all snapshots comes the trained network, which the page shows at first.
  const last = Math.max(...Object.values(iterations).map((some) => some.length));

  // The learned curve of a card in every snapshot.
  // Each value has two bytes, which count from the lowest to the highest of all values; the values
  // are at the places of the drawn curve, or at every second place.
  class Film {
    constructor(card, [low, high, stride, text]) {
      this.card = card;
      this.path = card.querySelector('path[data-name="learned"]');
      this.final = this.path.getAttribute("d");
      this.places = pointsOf(this.path).map(([x]) => x).filter((_, k) => k % stride === 0);
      const { y } = frameOf(card.querySelector("svg"));
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      this.steps = new DataView(bytes.buffer);
      this.snapshots = bytes.length / 2 / this.places.length;
      this.placeOf = (step) => y.placeOf(low + (high - low) * step / (kGap - 1));
    }

    show(snapshot) {
      const past = snapshot < this.snapshots;
      this.card.classList.toggle("past", past);
      this.path.setAttribute("d", past ? this.pathOf(snapshot) : this.final);
    }

    pathOf(snapshot) {
      let d = "";
      let letter = "M";
      this.places.forEach((x, k) => {
        const step = this.steps.getUint16(2 * (snapshot * this.places.length + k), true);
        if (step !== kGap) d += `${letter}${x},${this.placeOf(step).toFixed(2)} `;
        letter = step === kGap ? "M" : "L";
      });
      return d || "M0,0";
    }
  }

  let films = null;  // made at first use

  const describe = (snapshot) => {
    const network = valueOf("network-filter");
    const times = Object.entries(iterations)
      .filter(([member]) => !network || member === network)
      .filter(([, some]) => snapshot < some.length)  // the other networks are trained already
      .map(([, some]) => some[snapshot]);
    if (times.length === 0) return "as trained";
    const low = Math.min(...times);
    const high = Math.max(...times);
    return low === high ? `iteration ${low}` : `iterations ${low} to ${high}`;
  };

  const showTime = () => {
    films ??= cards.filter((card) => card.id in curves)
      .map((card) => new Film(card, curves[card.id]));
    const snapshot = Number(time.value);
    for (const film of films) film.show(snapshot);
    for (const reader of readers) reader.refresh();
    timeText.textContent = describe(snapshot);
    time.setAttribute("aria-valuetext", timeText.textContent);
  };

  let timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = calm.matches ? "Step" : "Play";
  };
  const advance = () => {
    time.value = Number(time.value) + 1;
    showTime();
    if (Number(time.value) >= last) stop();
  };
  const start = () => {
    if (Number(time.value) >= last) {
      time.value = 0;
      showTime();
    }
    play.textContent = "Pause";
    timer = setInterval(advance, Math.min(400, Math.max(80, 6000 / last)));
  };

  time.max = String(last);
  time.value = String(last);
  timeText.textContent = describe(last);
  time.setAttribute("aria-valuetext", timeText.textContent);
  byId("player").hidden = false;
  stop();
  time.addEventListener("input", () => { stop(); showTime(); });
  // With reduced motion the reader steps from snapshot to snapshot.
  play.addEventListener("click", () => {
    if (timer !== null) {
      stop();
    } else if (!calm.matches) {
      start();
    } else {
      time.value = Number(time.value) >= last ? 0 : Number(time.value) + 1;
      showTime();
    }
  });
  calm.addEventListener("change", stop);
  byId("network-filter")?.addEventListener("change", () => {
    timeText.textContent = describe(Number(time.value));
  });
})();
