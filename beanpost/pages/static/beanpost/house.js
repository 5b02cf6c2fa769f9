// What helps at a table, for browsers that run scripts. Every page works without.
(() => {
  "use strict";
  const one = (what) => document.querySelector(what);
  const all = (what) => [...document.querySelectorAll(what)];

  // Choosing: a second tap lets a piece go, a group whose answers are all hidden is hidden with its heading, and what
  // was chosen stays in sight.
  const taps = all(".piece input");
  let chosen = new Set();
  const tidy = () => {
    for (const group of all(".moves li")) {
      group.hidden = false;
      const answers = [...group.querySelectorAll("button")];
      group.hidden = answers.length > 0 && answers.every((answer) => !answer.checkVisibility());
    }
    chosen = new Set(taps.filter((tap) => tap.checked));
  };
  for (const tap of taps) {
    tap.addEventListener("click", () => {
      if (chosen.has(tap)) tap.checked = false;
      tidy();
      const hidden = tap.getBoundingClientRect().bottom - one(".moves").getBoundingClientRect().top;
      if (tap.checked && hidden > 0) scrollBy(0, hidden + 12); // its moves lie over the foot of the page
    });
  }
  one("#tap")?.addEventListener("reset", () => setTimeout(tidy));

  // The clock: after the deadline, how long there still is, kept right while one thinks.
  const due = one("time[data-left]");
  if (due) {
    const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
    const spans = [["day", 864e5], ["hour", 36e5], ["minute", 6e4]];
    const tell = () => {
      const left = new Date(due.dateTime) - Date.now();
      const [unit, size] = spans.find(([, size]) => Math.abs(left) >= 2 * size) || spans[2];
      due.textContent = `, ${words.format(Math.round(left / size), unit)}`;
    };
    tell();
    setInterval(tell, 30_000);
  }

  // Somebody has moved: say so, and let the reader look when ready. What was typed is never lost.
  const watch = one("[data-watch]");
  if (watch) {
    const ask = async () => {
      if (document.hidden) return;
      try {
        const answer = await fetch(watch.dataset.watch, { cache: "no-store" });
        if (answer.ok && (await answer.text()).trim() !== watch.dataset.length) watch.hidden = false;
      } catch { /* the line is down: the next look will tell */ }
    };
    setInterval(ask, 20_000);
    document.addEventListener("visibilitychange", ask);
  }

  // A table that fits is no stop for the tab key; one that does not is, and its keys push it sideways.
  const fitting = new ResizeObserver((sizes) => {
    for (const { target } of sizes) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const table of all(".sideways")) fitting.observe(table);

  // Stepping through a match with the arrow keys.
  const KEYS_OF_THEIR_OWN = "input, select, textarea, .sideways[tabindex]";
  document.addEventListener("keydown", (press) => {
    if (press.altKey || press.ctrlKey || press.metaKey || press.target.closest(KEYS_OF_THEIR_OWN)) return;
    const step = { ArrowLeft: "prev", ArrowRight: "next" }[press.key];
    if (step) one(`a[rel~="${step}"]`)?.click();
  });
})();
