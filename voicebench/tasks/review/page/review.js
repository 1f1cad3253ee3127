"use strict";

// --- What can be known without a page -------------------------------------------------------------------

const PLAIN = /[^\p{L}\p{M}\p{N}_-]+/gu;

const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean).join("\n");
const same = (field, text) => (field.kind === "values" ? lines(text) === lines(field.text) : text.trim() === field.text.trim());

// What a person wrote that is not what stood there, by the field's key.
function corrected(item, answer) {
  const found = {};
  for (const field of item.fields) {
    const text = ((answer || {}).texts || {})[field.key];
    if (text !== undefined && !field.fixed && !same(field, text)) found[field.key] = text;
  }
  return found;
}

// The verdict as it stands, or "open"; corrections alone ask for a verdict.
const stateOf = (answer) => (answer && answer.verdict) || "open";

// The text of a field as it would be: corrected, or as it is.
const textOf = (field, answer) => {
  const text = ((answer || {}).texts || {})[field.key];
  return text === undefined ? field.text : text;
};

// Whether the words for a value stand in what the user says.
function isSaid(item, answer, words) {
  const asked = item.fields.filter((field) => field.kind === "turn" && field.label === "User");
  return asked.some((field) => textOf(field, answer).includes(words.trim()));
}

// The items that a filter leaves, by their place.
function visible(items, answers, { find, kind, state }) {
  const wanted = (find || "").trim().toLocaleLowerCase().normalize("NFC");
  const left = [];
  items.forEach((item, at) => {
    if (kind && item.task !== kind) return;
    if (state && stateOf(answers[item.id]) !== state) return;
    const said = [item.id, ...item.calls.map(([name]) => name), ...item.fields.flatMap((f) => [f.text, f.source || "", textOf(f, answers[item.id])])];
    if (wanted && !said.join("\n").toLocaleLowerCase().normalize("NFC").includes(wanted)) return;
    left.push(at);
  });
  return left;
}

// What is saved: only what was judged, corrected or noted.
function exported(state, data) {
  const items = [];
  for (const item of data.items) {
    const answer = state.answers[item.id] || {}, changes = corrected(item, answer);
    const row = { id: item.id, seen: item.seen };
    if (answer.verdict) row.verdict = answer.verdict;
    if (Object.keys(changes).length) row.corrected = changes;
    if ((answer.notes || "").trim()) row.notes = answer.notes.trim();
    if (Object.keys(row).length > 2) items.push(row);
  }
  return { format: data.format, lang: data.lang, page: data.page, reviewer: state.reviewer, items };
}

function fileName(alias, lang) {
  const plain = alias.normalize("NFC").replace(PLAIN, "-").replace(/^-+|-+$/g, "");
  return `review-${lang}-${plain || "anonymous"}.json`;
}

// The state that a saved file stands for; an Error says why it is none. Items that have changed are left out.
function restored(text, data) {
  let file;
  try { file = JSON.parse(text); } catch { throw new Error("This file is not JSON."); }
  if (!file || file.format !== data.format || !Array.isArray(file.items) || !file.reviewer) throw new Error("This file holds no corrections.");
  if (file.lang !== data.lang) throw new Error("These corrections are of another language.");
  const seen = new Map(data.items.map((item) => [item.id, item.seen]));
  const answers = {};
  for (const row of file.items) {
    if (seen.get(row.id) === row.seen) answers[row.id] = { verdict: row.verdict, texts: row.corrected || {}, notes: row.notes || "" };
  }
  return { reviewer: file.reviewer, answers, at: 0 };
}

// What a key does: ["verdict", "ok"], ["next"], ["back"], ["write"], ["find"], or null.
function actionOf(key, verdicts) {
  if (/^[1-9]$/.test(key) && verdicts[Number(key) - 1]) return ["verdict", verdicts[Number(key) - 1]];
  return { n: ["next"], b: ["back"], e: ["write"], "/": ["find"] }[key.toLowerCase()] || null;
}

if (typeof module !== "undefined") {
  module.exports = { corrected, stateOf, isSaid, visible, exported, fileName, restored, actionOf };
}

// --- The page -------------------------------------------------------------------------------------------

if (typeof document !== "undefined") (() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const place = `voicebench-review:${data.page}`;
  const verdicts = Object.keys(data.verdicts);
  const MARKS = { ok: "✓", change: "✎", drop: "✕", unsure: "?", open: "○" };
  let state = null, shown = [], saved = true, kept = true;

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== undefined && value !== "") made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null && child !== ""));
    return made;
  };

  // --- Progress that outlives the page ---

  function store() {
    try { localStorage.setItem(place, JSON.stringify(state)); }
    catch {
      if (kept) say("This browser does not keep what you write. Save it before you close the page.");
      kept = false;
    }
  }

  function keep() {
    saved = false;
    store();
    progress();
  }

  function earlier() {
    try {
      const found = JSON.parse(localStorage.getItem(place));
      return found && found.reviewer && found.answers ? found : null;
    } catch { return null; }
  }

  function say(text) {
    $("notice").textContent = text;
    $("notice").hidden = !text;
  }

  // --- Which part is seen ---

  function begin() {
    for (const id of ["progress", "work", "foot"]) $(id).hidden = false;
    $("start").hidden = true;
    if (window.matchMedia("(max-width: 60rem)").matches) $("list").open = false;
    filter();
    go(Math.min(state.at || 0, data.items.length - 1), false);
  }

  function progress() {
    const done = data.items.filter((item) => stateOf(state.answers[item.id]) !== "open").length;
    $("bar").max = data.items.length;
    $("bar").value = done;
    $("done").textContent = `${done} of ${data.items.length}`;
    for (const button of $("items").querySelectorAll("button")) mark(button);
  }

  function mark(button) {
    const at = Number(button.dataset.at), is = stateOf(state.answers[data.items[at].id]);
    const sign = button.querySelector(".mark");
    sign.textContent = MARKS[is];
    sign.className = `mark ${is}`;
    sign.title = is;
    if (at === state.at) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
  }

  function filter() {
    shown = visible(data.items, state.answers, { find: $("find").value, kind: $("kind").value, state: $("state").value });
    $("found").textContent = shown.length === data.items.length ? `${shown.length} items` : `${shown.length} of ${data.items.length} items`;
    $("items").replaceChildren(...shown.map((at) => {
      const item = data.items[at];
      const button = element("button", { type: "button", "data-at": at },
        element("span", { class: "mark" }), element("span", { class: "words", lang: item.lang, dir: "auto" }, item.fields[0].text),
        element("span", { class: "id" }, item.id));
      button.addEventListener("click", () => go(at));
      mark(button);
      return element("li", {}, button);
    }));
    moves();
  }

  // The next item that the filter leaves, from the present one, or -1.
  const after = () => shown.find((at) => at > state.at) ?? -1;
  const before = () => shown.filter((at) => at < state.at).pop() ?? -1;

  function moves() {
    $("back").disabled = before() < 0;
    $("next").disabled = after() < 0;
    const open = data.items.filter((item) => stateOf(state.answers[item.id]) === "open").length;
    $("left").textContent = open ? `${open} open` : "All have a verdict. Save your corrections and send the file back.";
  }

  function go(at, focus = true) {
    if (at < 0) return;
    state.at = at;
    store();
    card();
    progress();
    moves();
    const current = $("items").querySelector("[aria-current]");
    if (current && $("list").open) current.scrollIntoView({ block: "nearest" });
    if (!focus) return;
    window.scrollTo(0, window.matchMedia("(max-width: 60rem)").matches ? $("card").offsetTop - 130 : 0);
    $("where").focus({ preventScroll: true });
  }

  // --- One item ---

  const item = () => data.items[state.at];
  const answer = () => (state.answers[item().id] ||= {});

  function card() {
    const now = item();
    $("where").textContent = `Item ${state.at + 1} of ${data.items.length}`;
    const facts = [now.task, ...now.facts, now.id, now.review === "native" ? "reviewed before" : ""].filter(Boolean);
    $("facts").replaceChildren(...facts.map((fact) => element("span", {}, fact)));
    $("turns").replaceChildren(...now.fields.filter((field) => field.kind === "turn").map(pair));
    const calls = now.calls.map(([name, does], at) => element("div", { class: "call" },
      element("h3", {}, now.calls.length > 1 ? `${at + 1}. ` : "", element("code", {}, name)),
      element("p", { class: "does" }, does),
      ...now.fields.filter((field) => field.kind !== "turn" && (field.call || 0) === at).map(pair)));
    const outcome = now.outcome ? element("p", { class: "outcome" }, now.outcome) : null;
    const offered = now.offered.length > 1 ? element("details", { class: "offered" },
      element("summary", {}, `The assistant has ${now.offered.length} tools`), now.offered.join(", ")) : null;
    $("calls").replaceChildren(...[outcome, ...calls, offered].filter(Boolean));
    for (const radio of document.querySelectorAll("input[name=verdict]")) radio.checked = radio.value === answer().verdict;
    $("notes").value = answer().notes || "";
    warn();
  }

  function pair(field) {
    const names = { turn: element("b", {}, field.label), said: element("span", {}, "words for ", element("code", {}, field.label)) };
    const name = element("div", { class: "name" }, names[field.kind] || element("code", {}, field.label), field.help ? ` ${field.help}` : "");
    const source = field.source ? element("div", { class: "source", lang: "en", dir: "auto" }, field.source) : null;
    const kind = field.kind === "turn" ? field.label.toLowerCase() : field.kind;
    return element("div", { class: `pair ${kind}${source ? "" : " alone"}` }, name, source, field.fixed
      ? element("div", { class: "fixed", dir: "auto" }, field.text) : editor(field));
  }

  function editor(field) {
    const text = element("textarea", { rows: 1, lang: item().lang, dir: "auto", spellcheck: "false", "data-key": field.key,
      "aria-label": `${field.kind === "said" ? "words for " : ""}${field.label}` });
    text.value = textOf(field, answer());
    const undo = element("button", { type: "button", class: "undo" }, "Undo");
    const under = element("div", { class: "under" }, undo, element("span", { class: "warn" }));
    const fit = () => {
      text.rows = Math.max(1, text.value.split("\n").length);
      const changed = !same(field, text.value);
      text.classList.toggle("changed", changed);
      undo.hidden = !changed;
    };
    const write = () => {
      (answer().texts ||= {})[field.key] = text.value;
      fit();
      if (Object.keys(corrected(item(), answer())).length && [undefined, "ok"].includes(answer().verdict)) judge("change");
      else keep();
      warn();
    };
    text.addEventListener("input", write);
    undo.addEventListener("click", () => { text.value = field.text; write(); text.focus(); });
    fit();
    return element("div", {}, text, under);
  }

  // Words for a value that do not stand in the request are said to be so at once.
  function warn() {
    for (const field of item().fields) {
      const text = document.querySelector(`textarea[data-key="${CSS.escape(field.key)}"]`);
      if (!text) continue;
      const empty = !text.value.trim();
      const lost = field.kind === "said" && !empty && !isSaid(item(), answer(), text.value);
      text.parentElement.querySelector(".warn").textContent = empty ? "An empty text changes nothing." : lost ? "These words do not stand in the request." : "";
    }
  }

  function judge(verdict) {
    answer().verdict = verdict;
    for (const radio of document.querySelectorAll("input[name=verdict]")) radio.checked = radio.value === verdict;
    keep();
    moves();
  }

  // --- Save and load ---

  function save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(exported(state, data), null, 1) + "\n"], { type: "application/json" }));
    link.download = fileName(state.reviewer.alias, data.lang);
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    saved = true;
    say(`Saved as ${link.download}, among your downloads. Send this file back.`);
  }

  async function load(event) {
    const [file] = event.target.files;
    if (!file) return;
    try { state = restored(await file.text(), data); } catch (error) { say(error.message); return; }
    say("");
    store();
    begin();
  }

  // --- What people do ---

  for (const kind of [...new Set(data.items.map((one) => one.task))]) $("kind").append(element("option", { value: kind }, kind));
  for (const verdict of verdicts) {
    $("state").append(element("option", { value: verdict }, verdict));
    const radio = element("input", { type: "radio", name: "verdict", value: verdict });
    radio.addEventListener("change", () => judge(verdict));
    $("choices").append(element("label", {}, radio,
      element("span", { class: "choice" }, element("b", {}, verdict), element("small", {}, data.verdicts[verdict]))));
  }
  $("who").addEventListener("submit", (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    state = { reviewer: { alias: form.get("alias").trim(), native: form.get("native") === "yes" }, answers: {}, at: 0 };
    if (!state.reviewer.alias) { state = null; return; }
    store();
    begin();
  });
  for (const id of ["find", "kind", "state"]) $(id).addEventListener("input", filter);
  $("notes").addEventListener("input", () => { answer().notes = $("notes").value; keep(); });
  $("verdict").addEventListener("submit", (event) => event.preventDefault());
  $("back").addEventListener("click", () => go(before()));
  $("next").addEventListener("click", () => go(after()));
  for (const button of document.querySelectorAll(".save")) button.addEventListener("click", save);
  $("load").addEventListener("change", load);
  $("anew").addEventListener("click", () => {
    if (!saved && !confirm("What you wrote in this browser will be gone. Save it first. Start anew all the same?")) return;
    try { localStorage.removeItem(place); } catch { /* nothing was kept */ }
    saved = true;
    location.reload();
  });
  document.addEventListener("keydown", (event) => {
    if (!state || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("textarea, input:not([type=radio]), select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const action = actionOf(event.key, verdicts);
    if (!action) return;
    event.preventDefault();
    const [what, value] = action;
    if (what === "verdict") judge(value);
    else if (what === "next") go(after());
    else if (what === "back") go(before());
    else if (what === "find") { $("list").open = true; $("find").focus(); }
    else document.querySelector("#turns textarea").focus();
  });
  window.addEventListener("beforeunload", (event) => { if (state && !saved && !kept) event.preventDefault(); });

  if (!data.items.length) { say("There is nothing to review."); return; }
  state = earlier();
  if (state) begin(); else $("start").hidden = false;
})();
