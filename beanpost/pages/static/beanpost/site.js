// Conveniences at a table. Every page works without scripts.
(() => {
  "use strict";
  const one = (what) => document.querySelector(what);
  const all = (what) => [...document.querySelectorAll(what)];

  // Choosing a piece: a second tap deselects it; a group whose answers are all hidden is hidden with its heading; and
  // the chosen piece stays in view.
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
      if (getComputedStyle(one(".moves")).position !== "fixed") return;
      const hidden = tap.getBoundingClientRect().bottom - one(".moves").getBoundingClientRect().top;
      if (tap.checked && hidden > 0) scrollBy(0, hidden + 12); // its moves cover the bottom of the page
    });
  }
  one("#tap")?.addEventListener("reset", () => setTimeout(tidy));

  // The clock: show the remaining time after the deadline, and update it.
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

  // Say that somebody has moved, but don't reload: the reader may have typed something.
  const watch = one("[data-watch]");
  if (watch) {
    const ask = async () => {
      if (document.hidden) return;
      try {
        const answer = await fetch(watch.dataset.watch, { cache: "no-store" });
        if (answer.ok && (await answer.text()).trim() !== watch.dataset.length) watch.hidden = false;
      } catch { /* offline: try again next time */ }
    };
    setInterval(ask, 20_000);
    document.addEventListener("visibilitychange", ask);
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
