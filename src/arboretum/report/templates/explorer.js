// Curves that a reader moves along: pickers, a slider, a drawing, and the numbers at the place of the slider.
"use strict";
(function () {
  const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a"];
  const DASHES = ["", "7 3", "2 3", "9 3 2 3", "1 3", "12 4", "4 2"];
  const NAMESPACE = ["http:", "www.w3.org/2000/svg"].join("//");

  function draw(name, attributes, parent, text) {
    const element = document.createElementNS(NAMESPACE, name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  function ticks(low, high, wanted) {
    const raw = (high - low) / wanted, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw);
    const found = [];
    for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-6; value += step) found.push(Number(value.toPrecision(6)));
    return found;
  }

  function written(value) {
    return Math.abs(value) >= 10 ? value.toFixed(2) : value.toPrecision(4).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  }

  function scale(values, from, to, logarithmic) {
    const through = logarithmic ? Math.log : Number, low = Math.min(...values), high = Math.max(...values);
    const pad = logarithmic ? 0 : (high - low || 1) * 0.05;
    const bottom = through(logarithmic ? low : low - pad), span = through(logarithmic ? high : high + pad) - bottom || 1;
    const place = (value) => from + (to - from) * (through(value) - bottom) / span;
    place.ticks = logarithmic ? values : ticks(low - pad, high + pad, 5);
    return place;
  }

  function axes(svg, x, y, labels, box) {
    y.ticks.forEach((value) => {
      draw("line", { x1: box.left, x2: box.right, y1: y(value), y2: y(value), class: "grid" }, svg);
      draw("text", { x: box.left - 6, y: y(value) + 4, "text-anchor": "end" }, svg, value);
    });
    x.ticks.forEach((value) => draw("text", { x: x(value), y: box.bottom + 16, "text-anchor": "middle" }, svg, value));
    draw("path", { d: `M${box.left} ${box.top}V${box.bottom}H${box.right}`, class: "frame" }, svg);
    draw("text", { x: (box.left + box.right) / 2, y: box.bottom + 34, "text-anchor": "middle" }, svg, labels.x);
    draw("text", { transform: `translate(12 ${(box.top + box.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, svg, labels.y);
  }

  function stroke(data, line) {
    const place = data.lines.indexOf(line) % COLOURS.length;
    return { colour: COLOURS[place], dash: DASHES[place] };
  }

  function through(points) {
    return points.filter(Boolean).map(([x, y], place) => (place ? "L" : "M") + x.toFixed(1) + " " + y.toFixed(1)).join("");
  }

  function curves(data, pick, at) {
    const ours = data.ours[pick] || {}, printed = data.printed[pick] || {}, names = Object.keys(ours);
    const svg = document.createElementNS(NAMESPACE, "svg"), box = { left: 60, right: 500, top: 10, bottom: 290 };
    svg.setAttribute("viewBox", "0 0 640 330");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${data.labels.y} against ${data.labels.x}; the numbers are in the table below`);
    const all = [ours, printed].flatMap((side) => Object.values(side).flat()).filter((value) => value !== null);
    const logarithmic = data.x[0] > 0 && data.x[data.x.length - 1] / data.x[0] >= 8 && data.x.length < 10;
    const x = scale(data.x, box.left, box.right, logarithmic), y = scale(all, box.bottom, box.top);
    axes(svg, x, y, data.labels, box);
    draw("line", { x1: x(data.x[at]), x2: x(data.x[at]), y1: box.top, y2: box.bottom, class: "cursor" }, svg);
    const ends = [];
    names.forEach((line) => {
      const { colour, dash } = stroke(data, line), points = ours[line].map((value, place) => value === null ? null : [x(data.x[place]), y(value)]);
      draw("path", { d: through(points), class: "line", stroke: colour, "stroke-dasharray": dash }, svg);
      if (points[at]) draw("circle", { cx: points[at][0], cy: points[at][1], r: 4.5, fill: colour }, svg);
      const last = points.filter(Boolean).pop();
      if (last) ends.push({ line, colour, y: last[1] });
      (printed[line] || []).forEach((value, place) => {
        if (value !== null && (data.x.length < 15 || place === at)) {
          draw("path", { d: `M${x(data.x[place])} ${y(value) - 6}l6 6l-6 6l-6-6z`, class: "print", stroke: colour }, svg);
        }
      });
    });
    ends.sort((a, b) => a.y - b.y).forEach((end, place) => {
      if (place) end.y = Math.max(end.y, ends[place - 1].y + 15);
      draw("text", { x: box.right + 8, y: end.y + 4, class: "name", style: `fill: ${end.colour}` }, svg, end.line);
    });
    return svg;
  }

  function path(data, pick, at) {
    const lines = data.path.ours[pick];
    if (!lines) return null;
    const svg = document.createElementNS(NAMESPACE, "svg"), box = { left: 60, right: 390, top: 10, bottom: 290 };
    svg.setAttribute("viewBox", "0 0 400 330");
    svg.setAttribute("class", "path");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${data.path.labels.y} against ${data.path.labels.x}, one point for each ${data.labels.x}`);
    const all = Object.values(lines).flat();
    const x = scale(all.map((point) => point[0]), box.left, box.right), y = scale(all.map((point) => point[1]), box.bottom, box.top);
    axes(svg, x, y, data.path.labels, box);
    Object.entries(lines).forEach(([line, points]) => {
      const { colour, dash } = stroke(data, line), placed = points.map((point) => point[0] === null ? null : [x(point[0]), y(point[1])]);
      draw("path", { d: through(placed), class: "line", stroke: colour, "stroke-dasharray": dash }, svg);
      placed.filter(Boolean).forEach((point) => draw("circle", { cx: point[0], cy: point[1], r: 2, fill: colour }, svg));
      if (placed[at]) draw("circle", { cx: placed[at][0], cy: placed[at][1], r: 6, fill: colour }, svg);
    });
    return svg;
  }

  // the share of the second class in per cent: blue, white, orange
  function shade(share) {
    const ends = share < 50 ? [156, 201, 230] : [242, 194, 122], part = Math.abs(share - 50) / 50;
    return `rgb(${ends.map((end) => Math.round(255 + (end - 255) * part)).join(",")})`;
  }

  function plane(data, model, at) {
    const side = 300, { x1, x2, cases } = data.map, shares = data.map.shares[model][at], rows = x2.length;
    const figure = document.createElement("figure"), canvas = document.createElement("canvas"), name = document.createElement("figcaption");
    canvas.width = canvas.height = side;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Map of the ${model} at ${data.labels.x.split(",")[0]} ${data.x[at]}`);
    name.textContent = model;
    const pen = canvas.getContext("2d"), wide = side / x1.length, high = side / rows;
    const second = (column, row) => shares[column * rows + row] >= 50;
    const line = (x, y, toX, toY) => { pen.moveTo(x, y); pen.lineTo(toX, toY); };
    pen.beginPath();
    for (let column = 0; column < x1.length; column += 1) {
      for (let row = 0; row < rows; row += 1) {
        const left = column * wide, top = side - (row + 1) * high;
        pen.fillStyle = shade(shares[column * rows + row]);
        pen.fillRect(left, top, wide + 0.5, high + 0.5);
        if (column && second(column, row) !== second(column - 1, row)) line(left, top, left, top + high);
        if (row && second(column, row) !== second(column, row - 1)) line(left, top + high, left + wide, top + high);
      }
    }
    pen.lineWidth = 1.5;
    pen.stroke();
    const place = (value, grid) => (value - grid[0]) / (grid[grid.length - 1] - grid[0]) * (side - wide) + wide / 2;
    cases.forEach(([x, y, label]) => {
      const across = place(x, x1), down = side - place(y, x2);
      pen.beginPath();
      pen.strokeStyle = label ? "#d55e00" : "#0072b2";
      if (label) { pen.moveTo(across - 3, down + 2.5); pen.lineTo(across + 3, down + 2.5); pen.lineTo(across, down - 3); pen.closePath(); }
      else pen.arc(across, down, 2.6, 0, 2 * Math.PI);
      pen.stroke();
    });
    figure.append(canvas, name);
    return figure;
  }

  function tree(data, at) {
    const nodes = data.tree[at], svg = document.createElementNS(NAMESPACE, "svg"), inner = nodes.filter((node) => node[4] !== null).length;
    const leaves = Math.max(...data.tree.map((other) => other.filter((node) => node[4] === null).length));
    const deepest = Math.max(...data.tree.flat().map((node) => node[1])), step = 620 / leaves;
    const own = nodes.length - inner, shift = 10 + step * (leaves - own) / 2;
    const x = (node) => shift + step * (node[0] + 0.5), y = (node) => 8 + 190 * node[1] / deepest;
    svg.setAttribute("viewBox", "0 0 640 206");
    svg.setAttribute("class", "tree");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `The first tree: ${own} leaves, ${nodes.filter((node) => node[4]).length} of ${inner} tests deterministic`);
    nodes.forEach((node) => {
      const above = node[2] < 0 ? null : nodes[node[2]];
      if (above) draw("line", { x1: x(above), y1: y(above), x2: x(node), y2: y(node), class: above[4] ? "chosen" : "drawn" }, svg);
    });
    nodes.filter((node) => node[4] === null).forEach((node) => {
      draw("circle", { cx: x(node), cy: y(node), r: 3.2, fill: shade(100 * node[3]), class: "leaf" }, svg);
    });
    return svg;
  }

  function pictures(data, at) {
    const box = document.createElement("div");
    box.className = "maps";
    if (data.map) box.append(...Object.keys(data.map.shares).map((model) => plane(data, model, at)));
    return box;
  }

  function numbers(data, pick, at) {
    const ours = data.ours[pick] || {}, printed = data.printed[pick] || {}, names = Object.keys(ours).filter((line) => ours[line][at] !== null);
    const some = names.some((line) => printed[line] && printed[line][at] !== null);
    const values = names.map((line) => ours[line][at]), best = data.best === "highest" ? Math.max(...values) : Math.min(...values);
    const table = document.createElement("table"), head = table.createTHead().insertRow(), body = table.createTBody();
    function heading(text, scope, row) {
      const cell = document.createElement("th");
      cell.scope = scope;
      cell.textContent = text;
      if (scope === "col") cell.className = "number";
      row.append(cell);
    }
    head.insertCell();
    names.forEach((line) => heading(line, "col", head));
    [["ours", ours], ...(some ? [["printed", printed]] : [])].forEach(([side, lines]) => {
      const row = body.insertRow();
      heading(side, "row", row);
      names.forEach((line) => {
        const cell = row.insertCell(), value = lines[line] ? lines[line][at] : null;
        cell.textContent = value === null ? "–" : written(value);
        cell.className = side === "ours" && data.best && value === best ? "number best" : "number";
      });
    });
    const box = document.createElement("div");
    box.className = "box";
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Numbers at the place of the slider");
    box.append(table);
    return box;
  }

  document.querySelectorAll(".explorer").forEach((section, place) => {
    const data = JSON.parse(section.querySelector("script").textContent), prefix = place ? place + 1 + "." : "";
    const form = document.createElement("form"), shown = document.createElement("div");
    form.addEventListener("submit", (event) => event.preventDefault());
    const selects = data.picks.map((picked) => {
      const label = document.createElement("label"), select = document.createElement("select");
      select.name = prefix + picked.label;
      picked.values.forEach((value) => select.append(new Option(value, value)));
      const wanted = parameters.get(select.name);
      if (picked.values.includes(wanted)) select.value = wanted;
      label.append(picked.label + " ", select);
      if (picked.values.length < 2) label.hidden = true;
      form.append(label);
      return select;
    });
    const label = document.createElement("label"), slider = document.createElement("input"), output = document.createElement("output");
    Object.assign(slider, { type: "range", min: 0, max: data.x.length - 1, step: 1, name: prefix + "at" });
    const asked = data.x.indexOf(Number(parameters.get(slider.name)));
    slider.value = parameters.has(slider.name) && asked >= 0 ? asked : Math.floor((data.x.length - 1) / 2);
    label.append(data.labels.x.split(",")[0] + " ", slider, " ", output);
    form.append(label);
    function show() {
      const at = Number(slider.value), pick = selects.map((select) => select.value).join("|");
      const plots = document.createElement("div"), along = path(data, pick, at);
      output.textContent = data.x[at];
      slider.setAttribute("aria-valuetext", String(data.x[at]));
      plots.className = along ? "plots beside" : "plots";
      if (data.ours[pick]) plots.append(curves(data, pick, at), ...(along ? [along] : []));
      if (data.map) plots.append(pictures(data, at));
      if (data.tree) plots.append(tree(data, at));
      shown.replaceChildren(plots, data.ours[pick] ? numbers(data, pick, at) : "Not stored.");
    }
    form.addEventListener("input", () => {
      selects.forEach((select) => remember(select.name, select.value));
      remember(slider.name, String(data.x[Number(slider.value)]));
      show();
    });
    section.append(form, shown);
    section.hidden = false;
    show();
  });
  document.querySelectorAll(".scripted").forEach((item) => { item.hidden = false; });
})();
