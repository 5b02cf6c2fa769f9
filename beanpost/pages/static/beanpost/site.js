// Conveniences at a table. Every page works without scripts.
(() => {
  "use strict";
  const one = (what) => document.querySelector(what);
  const all = (what) => [...document.querySelectorAll(what)];

  // Choosing a piece: a second tap deselects it; a group whose answers are all hidden is hidden with its heading; and
  // the chosen piece stays in view. Listeners are on the document, because a live table replaces its pieces.
  let chosen = new Set();
  const tidy = () => {
    for (const group of all(".moves li")) {
      group.hidden = false;
      const answers = [...group.querySelectorAll("button, summary")];
      group.hidden = answers.length > 0 && answers.every((answer) => !answer.checkVisibility());
    }
    chosen = new Set(all(".piece input:checked"));
  };
  document.addEventListener("click", ({ target: tap }) => {
    if (!tap.matches?.(".piece input")) return;
    if (chosen.has(tap)) tap.checked = false;
    tidy();
    if (getComputedStyle(one(".moves")).position !== "fixed") return;
    const hidden = tap.getBoundingClientRect().bottom - one(".moves").getBoundingClientRect().top;
    if (tap.checked && hidden > 0) scrollBy(0, hidden + 12); // its moves cover the bottom of the page
  });
  document.addEventListener("reset", () => setTimeout(tidy));

  // Cards wanted in an offer: a tap adds one, up to three, and then clears the number. More can be typed.
  document.addEventListener("click", (tap) => {
    const card = tap.target.closest?.(".counts label");
    if (!card) return;
    tap.preventDefault();
    card.control.value = card.control.value >= 3 ? "" : Number(card.control.value) + 1;
  });

  // A standing order that is being built: show the whole sentence.
  document.addEventListener("change", ({ target: piece }) => {
    const built = piece.closest?.(".built");
    if (built) built.querySelector("output").textContent = new FormData(built).getAll("piece").join("");
  });

  // The clock: show the remaining time after the deadline, and update it.
  const spans = [["day", 864e5], ["hour", 36e5], ["minute", 6e4]];
  const tell_time = () => {
    const due = one("time[data-left]");
    if (!due) return;
    const left = new Date(due.dateTime) - Date.now();
    const [unit, size] = spans.find(([, size]) => Math.abs(left) >= 2 * size) || spans[2];
    const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
    due.textContent = `, ${words.format(Math.round(left / size), unit)}`;
  };
  tell_time();
  setInterval(tell_time, 30_000);

  // A live table: ask for the length of the log, and show the table anew when it has grown. What the reader is composing
  // stays: then only the table changes, and if the question is another by now, a link says so.
  const LOOK = 10_000, ACTIVE = 120_000, TELL = 60_000;
  let active = Date.now(), told = 0;
  for (const what of ["pointerdown", "keydown", "scroll"]) addEventListener(what, () => { active = Date.now(); }, { passive: true });

  const chosen_first = (select) => Math.max([...select.options].findIndex((option) => option.defaultSelected), 0);
  const is_changed = (field) =>
    field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked
      : field.tagName === "SELECT" ? field.selectedIndex !== chosen_first(field)
        : field.value !== field.defaultValue;
  // Nor does a table change under a finger that is about to confirm a costly move.
  const is_busy = (own) => "keep" in own.dataset || own.querySelector(".moves details[open]") || [...own.querySelectorAll("input:not([type=hidden]), select, textarea")].some(is_changed);

  const say_stale = () => {
    one("[data-watch] .said").textContent = "";
    one("[data-watch] .stale").hidden = false;
  };
  const show_anew = async (page) => {
    const answer = await fetch(page, { cache: "no-store" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [own, next] = [one(".own"), fresh.querySelector(".own")];
    const open = fresh.querySelector(".public [data-watch]");
    const keep = own && is_busy(own);
    if (answer.ok && !own && !(open && !next)) return location.reload();
    if (!answer.ok || !open || !next !== !own) return keep || page === location.pathname ? say_stale() : location.assign(page);
    if (!keep && next?.querySelector("script")) return location.assign(page);
    const tapped = all(".public input:checked").map((tap) => tap.id);
    one(".public").replaceWith(document.adoptNode(fresh.querySelector(".public")));
    const is_same = own?.dataset.question === next?.dataset.question;
    if (!keep && own) {
      own.replaceWith(document.adoptNode(next));
      history.replaceState(null, "", page);
    } else if (is_same) {
      for (const id of tapped) if (document.getElementById(id)) document.getElementById(id).checked = true;
    }
    document.title = fresh.title;
    one("[data-watch]").hidden = false;
    one("[data-watch] .said").textContent = one("[data-watch] .said").dataset.updated;
    if (keep && !is_same) say_stale();
    tidy();
    tell_time();
  };
  const tell_presence = () => {
    const { here } = one("[data-watch]").dataset, now = Date.now(), token = one("[name=csrfmiddlewaretoken]");
    if (!here || !token || document.hidden || now - active >= ACTIVE || now - told < TELL) return;
    told = now;
    fetch(here, { method: "POST", headers: { "X-CSRFToken": token.value } }).catch(() => {});
  };
  const watch = async () => {
    const table = one("[data-watch]");
    if (!table || document.hidden) return;
    try {
      tell_presence();
      const { length, page } = table.dataset;
      const pulse = await fetch(table.dataset.watch, { cache: "no-cache" });
      if (pulse.ok && (await pulse.text()).trim() !== length && one("[data-watch] .stale").hidden) await show_anew(page);
    } catch { /* offline: try again next time */ }
  };
  if (one("[data-watch]")) {
    one("[data-watch]").hidden = false;
    one("[data-watch] .said").textContent = one("[data-watch] .said").dataset.live;
    tell_presence();
    setInterval(watch, LOOK);
    document.addEventListener("visibilitychange", watch);
  }

  // The time zone: kept in a cookie for pages that know no player, and guessed in forms that ask for it.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) {
    const is_kept = () => document.cookie.split("; ").some((kept) => kept.startsWith("zone="));
    const is_new = !is_kept();
    if (is_new) document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
    // Public pages of matches and leagues act on nothing, so they can be loaded again with the right times.
    // A browser that keeps no cookies would load them for ever.
    if (is_new && is_kept() && zone !== document.body.dataset.zone && /^\/(match|league)\//.test(location.pathname)) location.reload();
    for (const guess of all("[data-guess]")) {
      if (guess.tagName === "SELECT" && ![...guess.options].some((option) => option.value === zone)) continue;
      guess.value = zone;
    }
    const asking = one("#ask-zone");
    if (asking && zone !== "UTC") asking.hidden = false;
  }

  // A table wider than the page can be focused, so that arrow keys scroll it; one that fits is no tab stop.
  const fitting = new ResizeObserver((sizes) => {
    for (const { target } of sizes) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const table of all(".sideways")) fitting.observe(table);

  // Step through a replay with the arrow keys.
  const KEYS_OF_THEIR_OWN = "input, select, textarea, .sideways[tabindex]";
  document.addEventListener("keydown", (press) => {
    if (press.altKey || press.ctrlKey || press.metaKey || press.target.closest(KEYS_OF_THEIR_OWN)) return;
    const step = { ArrowLeft: "prev", ArrowRight: "next" }[press.key];
    if (step) one(`a[rel~="${step}"]`)?.click();
  });
})();
