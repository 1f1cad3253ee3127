"use strict";

// --- What can be known without a page -------------------------------------------------------------------

const PLAIN = /[^\p{L}\p{M}\p{N}_-]+/gu;

// Where on the circle of clips a listener begins, from 0 to 1: fixed by the listener's random id.
function startOf(id) {
  return parseInt(id.slice(0, 8), 16) / 0x100000000;
}

// The clips of the languages that a listener knows, each language begun at the listener's own place.
function orderFor(clips, known, start) {
  const langs = [...new Set(clips.map((clip) => clip.lang))].filter((lang) => known[lang] !== "none");
  return langs.flatMap((lang) => {
    const own = clips.filter((clip) => clip.lang === lang);
    const first = Math.floor(start * own.length);
    return [...own.slice(first), ...own.slice(0, first)];
  });
}

// "done", "part" or "open".
function stateOf(answer, axes) {
  if (!answer) return "open";
  if (answer.unplayable) return "done";
  const rated = axes.filter((axis) => answer[axis]).length;
  if (rated === axes.length) return "done";
  return rated || answer.wrong_words || answer.comment || answer.heard ? "part" : "open";
}

function firstOpen(order, answers, axes) {
  return order.findIndex((clip) => stateOf(answers[clip.id], axes) !== "done");
}

// What is saved: only what the listener did. A clip without any answer is not in it.
function exported(state, data, now) {
  const ratings = data.clips.filter((clip) => stateOf(state.answers[clip.id], data.axes) !== "open").map((clip) => {
    const answer = state.answers[clip.id];
    const rating = { clip: clip.id };
    for (const axis of data.axes) rating[axis] = answer[axis] || null;
    const judged = data.axes.some((axis) => answer[axis]) || answer.wrong_words;
    rating.wrong_words = judged ? Boolean(answer.wrong_words) : null;
    if (data.write) rating.heard = answer.shown ? answer.heard || "" : null;
    if (answer.comment) rating.comment = answer.comment;
    if (answer.unplayable) rating.unplayable = true;
    rating.listens = answer.listens || 0;
    return rating;
  });
  return { format: data.format, page: data.page, rater: state.rater, started: state.started, saved: now, ratings };
}

function fileName(name, page) {
  const plain = name.normalize("NFC").replace(PLAIN, "-").replace(/^-+|-+$/g, "");
  return `ratings-${plain || "anonymous"}-${page.slice(0, 6)}.json`;
}

// The state that a saved file stands for; an Error says why it is none.
function restored(text, data) {
  let file;
  try { file = JSON.parse(text); } catch { throw new Error("This file is not JSON."); }
  if (!file || file.format !== data.format || !Array.isArray(file.ratings) || !file.rater) {
    throw new Error("This file holds no ratings.");
  }
  if (file.page !== data.page) throw new Error("These ratings belong to another page.");
  const known = new Set(data.clips.map((clip) => clip.id));
  const answers = {};
  for (const { clip, ...answer } of file.ratings) {
    if (known.has(clip)) answers[clip] = { ...answer, shown: typeof answer.heard === "string" };
  }
  return { rater: file.rater, started: file.started, answers, at: 0 };
}

// What a key does: ["grade", 4], ["play"], ["wrong"], ["next"], ["back"], or null.
function actionOf(key) {
  if (/^[1-5]$/.test(key)) return ["grade", Number(key)];
  return { p: ["play"], w: ["wrong"], n: ["next"], b: ["back"] }[key.toLowerCase()] || null;
}

// Bytes of a base64 data URI, as something that every browser plays.
function blobOf(uri) {
  const [head, body] = uri.split(",", 2);
  const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type: head.slice(5).split(";")[0] });
}

if (typeof module !== "undefined") {
  module.exports = { startOf, orderFor, stateOf, firstOpen, exported, fileName, restored, actionOf };
}

// --- The page -------------------------------------------------------------------------------------------

if (typeof document !== "undefined") (() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const place = `voicebench-listening:${data.page}`;
  let state = null, order = [], url = null, saved = true, kept = true;

  // --- Progress that outlives the page ---

  function keep() {
    saved = false;
    store();
  }

  function store() {
    try { localStorage.setItem(place, JSON.stringify(state)); }
    catch {
      if (kept) say("This browser does not keep your ratings. Save them before you close the page.");
      kept = false;
    }
  }

  function earlier() {
    try {
      const found = JSON.parse(localStorage.getItem(place));
      return found && found.rater && found.answers ? found : null;
    } catch { return null; }
  }

  function say(text) {
    $("notice").textContent = text;
    $("notice").hidden = !text;
  }

  // --- Which part is seen ---

  function show(part) {
    for (const id of ["start", "card", "end"]) $(id).hidden = id !== part;
    const begun = part !== "start";
    for (const id of ["progress", "all", "save-now", "other"]) $(id).hidden = !begun;
    if (!begun) return;
    progress();
    window.scrollTo(0, 0);
  }

  function begin() {
    order = orderFor(data.clips, state.rater.languages, startOf(state.rater.id));
    if (!order.length) { state = null; say("There is no clip in a language that you know."); return; }
    say("");
    overview();
    state.at = Math.min(state.at || 0, order.length);
    go(state.at);
  }

  function go(to) {
    state.at = Math.max(0, Math.min(to, order.length));
    store();
    $("audio").pause();
    if (state.at === order.length) { end(); return; }
    card(order[state.at]);
    show("card");
    $("where").focus({ preventScroll: true });
  }

  function end() {
    const open = order.filter((clip) => stateOf(state.answers[clip.id], data.axes) !== "done").length;
    $("left").textContent = open
      ? `${open} of ${order.length} clips ${open === 1 ? "is" : "are"} not wholly rated.` : `All ${order.length} clips are rated.`;
    $("to-open").parentElement.hidden = !open;
    $("end-title").textContent = open ? "That was the last clip" : "Done";
    show("end");
    $("end-title").focus({ preventScroll: true });
  }

  function progress() {
    const done = order.filter((clip) => stateOf(state.answers[clip.id], data.axes) === "done").length;
    $("bar").max = order.length;
    $("bar").value = done;
    $("done").textContent = `${done} of ${order.length} rated`;
    order.forEach((clip, i) => {
      const button = $("overview").children[i], is = stateOf(state.answers[clip.id], data.axes);
      button.className = is;
      button.setAttribute("aria-label", `Clip ${i + 1}, ${{ done: "rated", part: "partly rated", open: "open" }[is]}`);
      if (i === state.at) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
    });
  }

  function overview() {
    $("overview").replaceChildren(...order.map((clip, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = i + 1;
      button.addEventListener("click", () => go(i));
      return button;
    }));
  }

  // --- One clip ---

  const answer = () => (state.answers[order[state.at].id] ||= {});
  const radios = (axis) => [...document.querySelectorAll(`input[name="${axis}"]`)];

  function card(clip) {
    const now = answer();
    const many = Object.values(state.rater.languages).filter((level) => level !== "none").length > 1;
    $("where").textContent = `Clip ${state.at + 1} of ${order.length}${many ? `, ${data.langs[clip.lang]}` : ""}`;
    if (url) URL.revokeObjectURL(url);
    url = clip.sound.startsWith("data:") ? URL.createObjectURL(blobOf(clip.sound)) : null;
    $("broken").hidden = true;
    $("audio").src = url || clip.sound;
    $("made").textContent = clip.made || "";
    $("made").hidden = !clip.made;
    $("said").lang = $("written").lang = $("comment").lang = clip.lang;
    for (const axis of data.axes) for (const radio of radios(axis)) radio.checked = now[axis] === Number(radio.value);
    $("wrong").checked = Boolean(now.wrong_words);
    $("comment").value = now.comment || "";
    if (data.write) { $("heard").value = now.heard || ""; $("heard").lang = clip.lang; }
    $("back").disabled = state.at === 0;
    $("open").textContent = "";
    unlock();
  }

  // Questions open once the clip was begun, words once it was heard to the end (and written down).
  function unlock() {
    const now = answer(), clip = order[state.at];
    const begun = Boolean(now.begun || now.listens), heard = Boolean(now.listens);
    const shown = heard && (!data.write || Boolean(now.shown));
    for (const input of document.querySelectorAll("#ratings input")) input.disabled = !begun;
    $("ratings").classList.toggle("locked", !begun);
    if (data.write) {
      $("heard").readOnly = shown;
      $("show").disabled = !heard;
      $("show").hidden = shown;
      $("hidden").textContent = heard
        ? "Write down what you heard, then look at the words." : "The words stay hidden until you have heard the clip once.";
    }
    $("hidden").hidden = shown;
    $("should").hidden = !shown;
    $("said").textContent = shown ? clip.said : "";
    $("said").hidden = !shown;
    $("written").textContent = shown && clip.written ? clip.written : "";
    $("as-written").hidden = !(shown && clip.written);
  }

  function grade(axis, value) {
    answer()[axis] = value;
    for (const radio of radios(axis)) radio.checked = Number(radio.value) === value;
    changed();
  }

  function changed() {
    keep();
    progress();
    const open = data.axes.filter((axis) => !answer()[axis]).length;
    $("open").textContent = open && open < data.axes.length ? `${open} of ${data.axes.length} still open` : "";
  }

  // --- Save and load ---

  function save() {
    const file = exported(state, data, new Date().toISOString());
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1) + "\n"], { type: "application/json" }));
    link.download = fileName(state.rater.name, data.page);
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
    begin();
    const open = firstOpen(order, state.answers, data.axes);
    go(open < 0 ? order.length : open);
  }

  // --- What people do ---

  $("who").addEventListener("submit", (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const languages = {};
    for (const lang of Object.keys(data.langs)) languages[lang] = form.get(`lang-${lang}`);
    const id = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    state = { rater: { id, name: form.get("name").trim(), languages }, started: new Date().toISOString(), answers: {}, at: 0 };
    begin();
  });
  $("audio").addEventListener("playing", () => {
    Object.assign(answer(), { begun: true, unplayable: false });
    unlock();
  });
  $("audio").addEventListener("ended", () => {
    answer().listens = (answer().listens || 0) + 1;
    keep();
    unlock();
  });
  $("audio").addEventListener("error", () => {
    if (!state || state.at >= order.length) return;
    answer().unplayable = true;
    $("broken").hidden = false;
    keep();
    progress();
  });
  for (const axis of data.axes) for (const radio of radios(axis)) {
    radio.addEventListener("change", () => grade(axis, Number(radio.value)));
  }
  $("wrong").addEventListener("change", () => { answer().wrong_words = $("wrong").checked; changed(); });
  $("comment").addEventListener("input", () => { answer().comment = $("comment").value.trim(); keep(); });
  if (data.write) {
    $("heard").addEventListener("input", () => { answer().heard = $("heard").value.trim(); keep(); });
    $("show").addEventListener("click", () => { answer().shown = true; keep(); unlock(); });
  }
  $("back").addEventListener("click", () => go(state.at - 1));
  $("next").addEventListener("click", () => go(state.at + 1));
  $("to-open").addEventListener("click", () => go(firstOpen(order, state.answers, data.axes)));
  for (const button of document.querySelectorAll(".save")) button.addEventListener("click", save);
  $("load").addEventListener("change", load);
  $("anew").addEventListener("click", () => {
    if (!saved && !confirm("Your ratings in this browser will be gone. Save them first. Start anew all the same?")) return;
    try { localStorage.removeItem(place); } catch { /* nothing was kept */ }
    saved = true;
    location.reload();
  });
  document.addEventListener("keydown", (event) => {
    if (!state || $("card").hidden || !$("shortcuts").checked) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("textarea, select, input:not([type=radio])")) return;
    const action = actionOf(event.key);
    if (!action) return;
    event.preventDefault();
    const [what, value] = action;
    if (what === "play") { if ($("audio").paused) $("audio").play(); else $("audio").pause(); }
    else if (what === "next") go(state.at + 1);
    else if (what === "back") go(state.at - 1);
    else if ($("wrong").disabled) return;
    else if (what === "wrong") $("wrong").click();
    else {
      const focused = event.target.name;
      const axis = data.axes.includes(focused) ? focused : data.axes.find((one) => !answer()[one]) || data.axes[0];
      grade(axis, value);
      const next = data.axes.find((one) => !answer()[one]);
      const at = next ? radios(next)[2] : $("next");
      at.focus();
    }
  });
  window.addEventListener("beforeunload", (event) => { if (state && !saved && !kept) event.preventDefault(); });

  state = earlier();
  if (state) begin(); else show("start");
})();
