// Sorting, filtering, search and permalinks. Without this script every page shows everything in the order of print.
"use strict";
const base = document.body.dataset.base;
const parameters = new URLSearchParams(location.search);

function remember(name, value) {
  if (value) parameters.set(name, value); else parameters.delete(name);
  const query = parameters.toString();
  history.replaceState(null, "", location.pathname + (query ? "?" + query : "") + location.hash);
}

// tables: a click on a heading sorts, and rows of means stay where they are
function value(row, column) {
  const cell = row.cells[column], number = Number(cell.dataset.v);
  if (cell.classList.contains("none") || row.classList.contains("summary")) return null;
  return cell.dataset.v && !isNaN(number) ? number : cell.textContent.trim().toLowerCase();
}

function sort(table, heading) {
  const column = Number(heading.dataset.column), down = heading.getAttribute("aria-sort") === "ascending";
  const rows = Array.from(table.tBodies[0].rows).sort((a, b) => {
    const x = value(a, column), y = value(b, column);
    if (x === null || y === null) return (x === null) - (y === null);
    const order = x < y ? -1 : x > y ? 1 : 0;
    return down ? -order : order;
  });
  table.querySelectorAll("th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  table.tBodies[0].append(...rows);
}

document.querySelectorAll("table.sortable").forEach((table) => {
  table.querySelectorAll("th[data-column]").forEach((heading) => {
    heading.tabIndex = 0;
    heading.addEventListener("keydown", (event) => { if (event.key === "Enter") heading.click(); });
    heading.addEventListener("click", () => sort(table, heading));
  });
});

// filters live in the address, so that a filtered page can be linked to
document.querySelectorAll("form.filter").forEach((form) => {
  const items = Array.from(document.querySelectorAll(form.dataset.items)), count = form.querySelector("output");
  const fields = Array.from(form.elements).filter((field) => field.name);
  form.hidden = false;
  fields.forEach((field) => { field.value = parameters.get(field.name) || ""; });
  function apply() {
    const verdict = form.elements.verdict ? form.elements.verdict.value : "";
    const words = form.elements.words.value.toLowerCase();
    let kept = 0;
    items.forEach((item) => {
      const fits = (!verdict || item.dataset.kind === verdict) && item.textContent.toLowerCase().includes(words);
      item.hidden = !fits;
      kept += fits;
    });
    count.textContent = kept + " of " + items.length;
  }
  form.addEventListener("input", () => { fields.forEach((field) => remember(field.name, field.value)); apply(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
});

// permalinks of rows, and where a row comes from
document.querySelectorAll("table.data tr[id] > th").forEach((cell) => {
  const link = document.createElement("a");
  link.href = "#" + cell.parentElement.id;
  link.className = "permalink";
  link.textContent = "#";
  link.setAttribute("aria-label", "Link to row " + cell.textContent.trim());
  cell.append(" ", link);
});

// evidence: the row that a claim rests on, with the names of its columns, where it comes from, and the claim's figure
const panel = document.createElement("aside");
panel.className = "evidence";
panel.hidden = true;
panel.setAttribute("aria-label", "Evidence");
document.body.append(panel);

function shut() {
  panel.hidden = true;
  panel.replaceChildren();
}

function make(tag, name, ...content) {
  const found = document.createElement(tag);
  if (name) found.className = name;
  found.append(...content);
  return found;
}

function origin(section, label) {
  if (!section.dataset.command || !section.dataset.sources) return "";
  const note = make("p", "note origin", "Row " + label + " comes from ");
  section.dataset.sources.split(" ").forEach((source) => {
    const link = make("a", "", source);
    link.href = "#parameters-" + source;
    note.append(link, ", ");
  });
  note.append("its tasks, seeds and raw rows: ", make("code", "", section.dataset.command + " --row '" + label.split(" / ")[0] + "'"));
  return note;
}

// the first figure that a claim rests on, as it is drawn on this page
function drawn(claim) {
  for (const link of claim ? claim.querySelectorAll("dd a[href*='#']") : []) {
    const figure = document.querySelector("section.item#" + CSS.escape(decodeURIComponent(link.hash.slice(1))) + " .drawing");
    if (figure) return make("figure", "", figure.cloneNode(true), make("figcaption", "", link.textContent));
  }
  return "";
}

function evidence(row, claim) {
  const section = row.closest(".item"), table = row.closest("table");
  if (!section) return;
  const label = row.cells[0].textContent.replace(/\s*#$/, "").trim();
  const copy = table.cloneNode(false), body = document.createElement("tbody"), kept = row.cloneNode(true);
  kept.className += " marked";
  copy.append(table.tHead.cloneNode(true), body);
  body.append(kept);
  copy.querySelectorAll("[id]").forEach((one) => one.removeAttribute("id"));
  copy.querySelectorAll(".permalink").forEach((one) => one.remove());
  const title = make("a", "", section.querySelector("h3").firstChild.textContent.trim()), close = make("button", "close", "×");
  title.href = "#" + section.id;
  close.setAttribute("aria-label", "Close the evidence");
  close.addEventListener("click", shut);
  const box = make("div", "box", copy);
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Row " + label);
  panel.replaceChildren(close, make("h2", "", title), box, origin(section, label), drawn(claim));
  panel.hidden = false;
  panel.scrollTop = 0;
}
panel.addEventListener("click", (event) => { if (event.target.closest("a")) shut(); });
addEventListener("keydown", (event) => { if (event.key === "Escape") shut(); });

let asking = parameters.get("claim") ? document.getElementById(parameters.get("claim")) : null;
document.addEventListener("click", (event) => {
  const link = event.target.closest("article.claim dd a[href^='#']");
  if (!link) return;
  asking = link.closest("article.claim");
  if (link.hash === location.hash) arrive();
});

function arrive() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.hidden) target.hidden = false;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (target.tagName === "DETAILS") target.open = true;
  if (target.tagName === "TR") evidence(target, asking); else shut();
  asking = null;
  target.scrollIntoView({ block: target.tagName === "TR" ? "center" : "start" });
}
addEventListener("hashchange", arrive);
arrive();

// the sentence of the square that is pointed at
document.querySelectorAll(".mosaic").forEach((mosaic) => {
  const said = mosaic.querySelector(".said"), start = said.textContent;
  function tell(event) {
    const square = event.target.closest(".square");
    said.textContent = square ? square.title : start;
  }
  mosaic.addEventListener("pointerover", tell);
  mosaic.addEventListener("focusin", tell);
});

// copy buttons
document.querySelectorAll("button[data-copies]").forEach((button) => {
  button.hidden = false;
  button.addEventListener("click", () => {
    const source = document.getElementById(button.dataset.copies), range = document.createRange();
    range.selectNodeContents(source);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    if (navigator.clipboard) navigator.clipboard.writeText(source.textContent).then(() => { button.textContent = "Copied"; }, () => {});
    else if (document.execCommand("copy")) button.textContent = "Copied";
  });
});

// search: the index is loaded when the field is first used
function load(name) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = base + name;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
}

let index = null;
async function searcher() {
  if (!index) {
    await Promise.all([load("minisearch.js"), load("search.js")]);
    index = new MiniSearch({ fields: ["title", "text"], storeFields: ["title", "text", "kind", "url"],
      searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: 0.2, combineWith: "AND" } });
    index.addAll(window.arboretumIndex);
  }
  return index;
}

document.querySelectorAll(".search").forEach((box) => {
  const input = box.querySelector("input"), found = box.querySelector(".found");
  box.hidden = false;
  async function show() {
    const words = input.value.trim();
    remember("search", words);
    const results = words ? (await searcher()).search(words).slice(0, 12) : [];
    if (words !== input.value.trim()) return;
    found.replaceChildren(...results.map((result) => {
      const link = document.createElement("a"), kind = document.createElement("small"), text = document.createElement("span");
      link.href = base + result.url;
      kind.textContent = result.kind;
      text.textContent = result.text.length > 110 ? result.text.slice(0, 110) + "…" : result.text;
      link.append(kind, " ", result.title, text);
      return link;
    }));
    if (words && !results.length) found.textContent = "Nothing found.";
    found.hidden = !words;
  }
  input.addEventListener("input", show);
  box.addEventListener("keydown", (event) => {
    const links = Array.from(found.querySelectorAll("a")), place = links.indexOf(document.activeElement);
    if (event.key === "Escape") { input.value = ""; show(); input.focus(); }
    else if (event.key === "ArrowDown" && links.length) { event.preventDefault(); links[Math.min(place + 1, links.length - 1)].focus(); }
    else if (event.key === "ArrowUp" && place >= 0) { event.preventDefault(); (links[place - 1] || input).focus(); }
    else if (event.key === "Enter" && place < 0 && links.length) links[0].click();
  });
  document.addEventListener("click", (event) => { if (!box.contains(event.target)) found.hidden = true; });
  found.addEventListener("click", () => { found.hidden = true; });
  if (parameters.get("search")) { input.value = parameters.get("search"); show(); }
});

// a figure alone on a page of its own size, for the browser to print or to save as PDF
document.querySelectorAll("button.pdf").forEach((button) => {
  button.hidden = false;
  button.addEventListener("click", () => {
    const frame = document.createElement("iframe");
    frame.className = "sheet-to-print";
    frame.title = button.textContent;
    frame.addEventListener("load", () => {
      const inside = frame.contentWindow, drawing = inside.document.createElement("img");
      drawing.alt = button.textContent;
      drawing.addEventListener("load", () => {
        const style = inside.document.createElement("style");
        style.textContent = `@page { size: ${drawing.naturalWidth + 24}px ${drawing.naturalHeight + 24}px; margin: 12px; } body { margin: 0; }`;
        inside.document.head.append(style);
        inside.addEventListener("afterprint", () => frame.remove());
        inside.print();
      });
      drawing.src = new URL(button.dataset.svg, location.href).href;
      inside.document.title = button.textContent;
      inside.document.body.append(drawing);
    }, { once: true });
    document.body.append(frame);
  });
});
