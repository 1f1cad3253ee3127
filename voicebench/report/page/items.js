"use strict";
// The tasks: filters, a list that is drawn page by page, and each task's details when it is opened.
// Everything from the data enters the page as text (textContent), never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.getElementById("browser");
  const PAGE = 50;
  const GLYPHS = { right: "✓", wrong: "✗", unscored: "–", "not run": "·" };
  const VERDICTS = {
    ok: ["✓", "right"], wrong: ["✗", "wrong"], missing: ["∅", "missing"], unexpected: ["+", "not wanted"],
    type: ["✗", "wrong type"], coerced: ["≈", "right but for its type"],
  };
  const numbers = new Intl.NumberFormat("en");
  const fixed = (value) => value === null ? "–" : value.toFixed(2).replace(/^-/, "−");

  // An element: h("p.note", {lang: "hi"}, "text", child, [children]).
  function h(name, attributes, ...children) {
    const [tag, ...classes] = name.split(".");
    const element = document.createElement(tag);
    if (classes.length) element.className = classes.join(" ");
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === true) element.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return element;
  }

  const words = (text, lang) => h("bdi", { lang, dir: "auto" }, text);
  const mark = (verdict) => h("span.glyph." + verdict, {}, GLYPHS[verdict]);

  // --- The words that differ between what was said and what was heard -----------------------------------

  const LETTERS = /[\p{L}\p{N}]/u;
  const plain = (word) => word.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}\p{M}]/gu, "");

  function segments(text, lang) {
    if (window.Intl && Intl.Segmenter) {
      try {
        return Array.from(new Intl.Segmenter(lang, { granularity: "word" }).segment(text), (part) => part.segment);
      } catch { /* not a language code: split at spaces */ }
    }
    return text.split(/(\s+)/).filter(Boolean);
  }

  // Returns the words as {text, key}: the text with the marks and spaces that follow it, the key to compare by.
  function split(text, lang) {
    const found = [];
    let before = "";
    for (const part of segments(text, lang)) {
      if (LETTERS.test(part)) { found.push({ text: before + part, key: plain(part) }); before = ""; }
      else if (found.length) found[found.length - 1].text += part;
      else before += part;
    }
    if (found.length && /\s/.test(text.trim())) found[found.length - 1].text += " ";
    return found;
  }

  // Returns [["same" | "left out" | "heard", text], …], or null where the texts are too long to compare.
  function compare(said, heard, lang) {
    const x = split(said, lang), y = split(heard, lang);
    if (x.length * y.length > 250000) return null;
    const longest = Array.from({ length: x.length + 1 }, () => new Uint16Array(y.length + 1));
    for (let i = x.length - 1; i >= 0; i--) {
      for (let j = y.length - 1; j >= 0; j--) {
        longest[i][j] = x[i].key === y[j].key
          ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
      }
    }
    const parts = [];
    const add = (kind, text) => {
      const last = parts[parts.length - 1];
      if (last && last[0] === kind) last[1] += text;
      else parts.push([kind, text]);
    };
    let i = 0, j = 0;
    while (i < x.length || j < y.length) {
      const both = i < x.length && j < y.length;
      if (both && x[i].key === y[j].key) { add("same", y[j++].text); i++; }
      else if (j === y.length || (both && longest[i + 1][j] >= longest[i][j + 1])) add("left out", x[i++].text);
      else add("heard", y[j++].text);
    }
    return parts;
  }

  function heardText(said, heard, lang) {
    if (!heard.trim()) return h("p.heard.none", {}, "nothing");
    const parts = compare(said, heard, lang) || [["same", heard]];
    return h("p.heard", { lang, dir: "auto" }, parts.map(([kind, text]) => {
      if (kind === "same") return text;
      const word = text.trimEnd();
      const box = kind === "heard" ? h("ins", { title: "heard, not said" }, word)
        : h("del", { title: "said, not heard" }, word);
      return [box, text.slice(word.length) || " "];
    }));
  }

  // --- One task ----------------------------------------------------------------------------------------

  function player(clip) {
    const audio = h("audio", { controls: true, preload: "none", src: clip.at, "aria-label": "Clip, " + clip.condition });
    const broken = h("span.missing", { hidden: true }, "The clip is not there: " + clip.at);
    audio.addEventListener("error", () => { broken.hidden = false; });
    audio.addEventListener("play", () => {
      for (const other of root.querySelectorAll("audio")) if (other !== audio) other.pause();
    });
    const details = [clip.condition, clip.s === undefined ? null : fixed(clip.s) + " s", clip.voice, ...(clip.effects || [])].filter(Boolean);
    return h("div.clip", {}, audio, h("span.clip-facts", {}, details.join(" · ")), broken);
  }

  function turn(item, one) {
    const spoken = [...new Set((one.clips || []).map((clip) => clip.said))].filter((said) => said && said !== one.text);
    return h("li", {},
      h("span.role", {}, one.role === "user" ? "User" : "Agent"),
      h("div", {},
        h("p.said", { lang: item.lang, dir: "auto" }, one.text),
        spoken.map((said) => h("p.spoken", {}, "spoken as ", words(said, item.lang))),
        h("div.clips", {}, (one.clips || []).map(player))));
  }

  // The first accepted values; the others open on demand.
  function variants(accepted, lang) {
    const said = accepted.map((value, k) => [k ? h("span.or", {}, " or ") : null, words(value, lang)]);
    if (said.length <= 4) return said;
    const more = h("button.more", { type: "button" }, said.length - 3 + " more");
    more.addEventListener("click", () => more.replaceWith(...said.slice(3).flat().filter(Boolean)));
    return [said.slice(0, 3), more];
  }

  function gold(item) {
    if (item.refuse) return h("p", {}, "Refuse; call nothing.");
    const list = item.sequence ? "ol" : "ul";
    return [
      item.harmless ? h("p", {}, "Harmless: do it, don’t refuse.") : null,
      item.sequence ? h("p", {}, "In this order:") : null,
      h(list + ".calls", {}, (item.calls || []).map(([name, args]) => h("li", {}, h("code", {},
        name + "(", args.map(([parameter, accepted, optional], i) => [
          i ? ", " : "", h("span.parameter", {}, parameter), " = ",
          variants(accepted, item.lang),
          optional ? h("span.or", {}, accepted.length ? " or left out" : "left out") : null,
        ]), ")")))),
    ];
  }

  function args(item, result) {
    if (!result.args) return null;
    const several = new Set(result.args.map((line) => line[0])).size > 1;
    return h("table.args", {},
      h("thead", {}, h("tr", {}, ["Argument", "Wanted", "Got"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, result.args.map(([call, parameter, verdict, wanted, got, message]) => {
        const [glyph, text] = VERDICTS[verdict] || ["?", verdict];
        const kind = verdict === "ok" ? "right" : verdict === "coerced" ? "near" : "wrong";
        return h("tr", {},
          h("th", { scope: "row" }, several && call !== null ? h("span.call", {}, (call + 1) + ".") : null,
            h("code", {}, parameter)),
          h("td", {}, wanted === null ? "–" : words(wanted, item.lang)),
          h("td." + kind, {}, h("div.got", {}, h("span.glyph", { "aria-hidden": "true" }, glyph), h("span", {},
            got === null ? null : [words(got, item.lang), " "],
            h(verdict === "ok" ? "span.sr" : "span.verdict", {}, text + (message ? ": " + message : ""))))));
      })));
  }

  function heard(item, result) {
    if (!result.heard) return null;
    const said = item.turns ? item.turns.filter((one) => one.role === "user").map((one) => one.text) : [];
    const texts = result.heard.length === said.length ? result.heard : [result.heard.join("\n")];
    const against = texts.length === said.length ? said : [said.join("\n")];
    return [h("dt", {}, "Heard"), h("dd", {}, texts.map((text, i) => heardText(against[i], text, item.lang)))];
  }

  function answer(item, result) {
    const calls = (result.called || []).map((call) => h("code", {}, words(call, null)));
    if (calls.length) return [h("dt", {}, "Called"), h("dd", {}, calls)];
    if (result.text === undefined) return null;
    const text = result.text.trim() ? h("code", {}, words(result.text, item.lang)) : h("span.none", {}, "nothing");
    return [h("dt", {}, "Answered"), h("dd.answer", {}, text)];
  }

  function resultCard(item, result) {
    const figures = Object.entries(result.figures || {})
      .map(([key, value]) => h("span", {}, data.figures[key] + " ", h("b", {}, fixed(value))));
    const times = Object.entries(result.times || {}).filter(([key]) => data.moments[key])
      .map(([key, value]) => h("span", {}, data.moments[key] + " ", h("b", {}, fixed(value) + " s")));
    return h("div.result", {},
      h("h4", {}, mark(result.v), h("span", {}, data.conditions[result.c]),
        result.trial || item.results.some((other) => other.trial) ? h("span.trial", {}, "trial " + result.trial) : null,
        h("span.sr", {}, result.v)),
      h("dl", {},
        result.error ? [h("dt", {}, "Fault"), h("dd.error", {}, result.error)] : null,
        result.v === "unscored" && !result.error && result.why ? [h("dt", {}, "Unscored"), h("dd", {}, result.why)] : null,
        heard(item, result), answer(item, result),
        result.cause ? [h("dt", {}, "Lost to"), h("dd", {}, h("b", {}, data.causes[result.cause]), ": " + result.because)] : null,
        result.remarks ? [h("dt", {}, "Verdict"), h("dd", {}, result.remarks.map((remark) => h("p", {}, remark)))] : null),
      args(item, result),
      Object.values(result.figures || {}).some((value) => value !== null) ? h("p.figures", {}, figures) : null,
      times.length ? h("p.figures.times", {}, times) : null);
  }

  function details(item) {
    const agents = data.agents.map((name, a) => {
      const own = (item.results || []).filter((result) => result.a === a);
      return own.length ? h("section", {}, h("h3", {}, words(name, null)),
        h("div.results", {}, own.map((result) => resultCard(item, result)))) : null;
    });
    return h("div.details", {},
      item.turns ? h("ol.turns", {}, item.turns.map((one) => turn(item, one))) : null,
      h("div.wanted", {}, h("h3", {}, "What would be right"), gold(item)),
      item.tools ? h("p.tools", {}, "Tools offered: ", h("code", {}, item.tools.join(", "))) : null,
      item.date ? h("p.tools", {}, "Today is " + item.date + ".") : null,
      agents.some(Boolean) ? agents : h("p.none", {}, "Not run."));
  }

  // One mark for each agent and condition, also where nothing was run, so that places can be told apart.
  function strip(item) {
    return h("span.strip", {}, data.agents.map((name, a) => h("span.agent", {}, data.conditions.map((condition, c) => {
      const own = (item.results || []).filter((result) => result.a === a && result.c === c);
      const verdicts = own.length ? own.map((result) => result.v) : ["not run"];
      return verdicts.map((verdict) => h("span.glyph." + verdict.replace(" ", "-"), {
        title: [name, condition, verdict].join(" · "), role: "img", "aria-label": [name, condition, verdict].join(", "),
      }, GLYPHS[verdict]));
    }))));
  }

  function entry(item, open) {
    const last = item.turns ? item.turns[item.turns.length - 1].text : item.id;
    const box = h("details.item", { id: "task-" + item.id },
      h("summary", {},
        h("span.words", { lang: item.lang, dir: "auto" }, last.length > 240 ? last.slice(0, 240) + "…" : last),
        strip(item),
        h("span.meta", {}, [data.kinds[item.kind], data.langs[item.lang], item.id].join(" · "))));
    const fill = () => { if (box.open && box.childElementCount === 1) box.append(details(item)); };
    box.addEventListener("toggle", fill);
    if (open) { box.open = true; fill(); }
    return box;
  }

  // --- The list ----------------------------------------------------------------------------------------

  function choice(label, options) {
    const select = h("select", {}, options.map(([value, text]) => h("option", { value }, text)));
    return [select, h("label", {}, h("span", {}, label), select)];
  }

  const haystacks = new Map();
  function haystack(item) {
    if (!haystacks.has(item)) {
      const texts = [item.id, ...(item.turns || []).map((one) => one.text), JSON.stringify(item.calls || "")];
      for (const result of item.results || []) {
        texts.push(...(result.heard || []), ...(result.called || []), result.text || "", result.error || "");
      }
      haystacks.set(item, texts.join("\n").normalize("NFKC").toLowerCase());
    }
    return haystacks.get(item);
  }

  function browser() {
    if (!data.items.length) {
      root.append(h("p.empty", {}, "There are no tasks in this report."));
      return;
    }
    const [lang, langBox] = choice("Language", [["", "All"], ...Object.entries(data.langs)]);
    const [kind, kindBox] = choice("Kind", [["", "All"], ...Object.entries(data.kinds)]);
    const [agent, agentBox] = choice("Agent", [["", "All"], ...data.agents.map((name, i) => [i, name])]);
    const [condition, conditionBox] = choice("Condition", [["", "All"], ...data.conditions.map((name, i) => [i, name])]);
    const [verdict, verdictBox] = choice("Verdict",
      [["", "All"], ["right", "✓ right"], ["wrong", "✗ wrong"], ["unscored", "– unscored"]]);
    const [cause, causeBox] = choice("Lost to", [["", "All"], ...Object.entries(data.causes)]);
    const search = h("input", { type: "search", placeholder: "Words, id, call …", autocomplete: "off", spellcheck: "false" });
    const status = h("p.status", { role: "status" });
    const list = h("div.list");
    const more = h("button", { type: "button" }, "Show more");
    let found = [], drawn = 0;

    const matches = (item, text) =>
      (!lang.value || item.lang === lang.value) && (!kind.value || item.kind === kind.value) &&
      (!(agent.value || condition.value || verdict.value || cause.value) || (item.results || []).some((result) =>
        (!agent.value || result.a === Number(agent.value)) &&
        (!condition.value || result.c === Number(condition.value)) &&
        (!verdict.value || result.v === verdict.value) &&
        (!cause.value || result.cause === cause.value))) &&
      (!text || haystack(item).includes(text));

    function draw() {
      list.append(...found.slice(drawn, drawn + PAGE).map((item) => entry(item, found.length === 1)));
      drawn = Math.min(drawn + PAGE, found.length);
      more.hidden = drawn >= found.length;
      more.textContent = "Show " + Math.min(PAGE, found.length - drawn) + " more";
    }

    function update() {
      const text = search.value.trim().normalize("NFKC").toLowerCase();
      found = data.items.filter((item) => matches(item, text));
      drawn = 0;
      list.replaceChildren();
      const total = numbers.format(data.items.length);
      status.textContent = found.length === data.items.length
        ? total + (found.length === 1 ? " task" : " tasks") : numbers.format(found.length) + " of " + total + " tasks";
      if (!found.length) list.append(h("p.empty", {}, "No task fits these filters."));
      draw();
    }

    // A link to one task (report.html#task-parallel-hi-0007) shows that task alone, opened.
    function follow() {
      const id = decodeURIComponent(location.hash.slice(1));
      if (!id.startsWith("task-")) return;
      const item = data.items.find((one) => "task-" + one.id === id);
      if (!item) return;
      for (const control of [lang, kind, agent, condition, verdict, cause]) control.value = "";
      search.value = "";
      found = [item];
      drawn = 0;
      list.replaceChildren();
      status.replaceChildren("1 of " + numbers.format(data.items.length) + " tasks. ",
        h("a", { href: "#items" }, "Show all"));
      draw();
      root.scrollIntoView();
    }

    let waiting = 0;
    search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(update, 150); });
    for (const control of [lang, kind, agent, condition, verdict, cause]) control.addEventListener("change", update);
    more.addEventListener("click", draw);
    window.addEventListener("hashchange", () => (location.hash === "#items" ? update() : follow()));

    const many = (options) => Object.keys(options).length > 1;
    root.append(
      h("form.filters", { role: "search" },
        many(data.langs) ? langBox : null, many(data.kinds) ? kindBox : null, many(data.agents) ? agentBox : null,
        many(data.conditions) ? conditionBox : null, verdictBox, many(data.causes) ? causeBox : null, h("label.wide", {}, h("span", {}, "Search"), search)),
      h("p.legend", {}, h("span", {}, mark("right"), "right"), h("span", {}, mark("wrong"), "wrong"),
        h("span", {}, mark("unscored"), "unscored"), h("span", {}, h("span.glyph", {}, "·"), "not run"),
        h("span.order", {}, "In this order: " + data.agents.join(", then ") +
          (data.conditions.length > 1 ? "; each under " + data.conditions.join(", ") : ""))),
      status, list, more);
    root.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
    update();
    follow();
  }

  browser();

  // A table is a stop for the keyboard only while it is too wide for its box.
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
  });
  for (const box of document.querySelectorAll(".scroll")) watch.observe(box);

  // On paper everything is open.
  window.addEventListener("beforeprint", () => {
    for (const box of document.querySelectorAll("main > section > details")) box.open = true;
  });
})();
