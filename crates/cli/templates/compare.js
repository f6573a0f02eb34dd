(() => {
  "use strict";
  const one = (selector) => document.querySelector(selector);
  const body = one("#skills tbody");
  if (!body) return;
  document.documentElement.classList.add("js");
  const rows = Array.from(body.rows, (row) => ({
    row,
    text: (row.cells[0].textContent + " " + row.cells[row.cells.length - 1].textContent).toLowerCase(),
    name: row.cells[0].textContent.trim(),
    cells: Array.from(row.querySelectorAll("td:not(.place)"), (cell) => cell.className),
    cuts: Array.from(row.querySelectorAll("td:not(.place)"), (cell) => -Number(cell.querySelector("small")?.textContent || 0)),
    problem: row.hasAttribute("data-problem"),
  }));
  const ranks = ["whole", "shortened", "name-only", "omitted", "hidden", "shadowed", "rejected", "absent"];
  const search = one("#search"), harness = one("#harness"), standing = one("#standing"), shown = one("#shown");

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const column = harness.value === "" ? -1 : Number(harness.value);
    const wanted = standing.value;
    let count = 0;
    for (const entry of rows) {
      const cells = column < 0 ? entry.cells : [entry.cells[column]];
      const fits = words.every((word) => entry.text.includes(word)) &&
        (wanted === "" || (wanted === "problem" ? (column < 0 ? entry.problem : cells.some((s) => ["shortened", "name-only", "omitted", "shadowed", "rejected"].includes(s))) : cells.includes(wanted)));
      entry.row.hidden = !fits;
      if (fits) count += 1;
    }
    shown.textContent = count + " of " + rows.length;
  };

  const keys = (column) => column < 0
    ? (entry) => [entry.name.toLowerCase(), 0]
    : (entry) => [ranks.indexOf(entry.cells[column]), entry.cuts[column]];
  const heads = Array.from(document.querySelectorAll("#skills thead th[aria-sort]"));
  heads.forEach((head) => head.querySelector("button").addEventListener("click", () => {
    const descending = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const key = keys(Number(head.dataset.column));
    const sorted = rows.map((entry, index) => ({ entry, index, key: key(entry) }));
    const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    sorted.sort((a, b) => (descending ? -1 : 1) * (order(a.key[0], b.key[0]) || order(a.key[1], b.key[1])) || a.index - b.index);
    const all = document.createDocumentFragment();
    sorted.forEach((item) => all.append(item.entry.row));
    body.append(all);
  }));

  const dialog = one("#about"), about = one("#about-text"), title = one("#about-title");
  body.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const inside = link && document.getElementById(link.getAttribute("href").slice(1));
    if (!inside || !dialog.showModal) return;
    event.preventDefault();
    const copy = inside.cloneNode(true);
    copy.removeAttribute("id");
    title.textContent = link.textContent;
    about.replaceChildren(copy);
    dialog.showModal();
  });
  one("#about-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  [search, harness, standing].forEach((control) => control.addEventListener("input", filter));
  filter();
})();
