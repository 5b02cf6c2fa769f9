// List the faults of a page, as its reader's browser sees it, in sentences. The part is "layout", "colours" or, if left out, both.
(part) => {
  const wrong = [];
  const all = (what) => [...document.querySelectorAll(what)];
  const seen = (element) => element.checkVisibility();
  const named = (e) => `${e.tagName.toLowerCase()} “${(e.textContent || e.name || "").trim().slice(0, 40)}”`;

  if (part !== "colours") {
    // the page as a whole
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) wrong.push(`is ${page.scrollWidth - page.clientWidth} pixels too wide`);
    if (!page.lang) wrong.push("names no language");
    if (!document.title.trim()) wrong.push("has no title");
    for (const what of ["header", "main", "footer"])
      if (all(what).length !== 1) wrong.push(`has ${all(what).length} of ${what}`);

    for (const within of all("main aside, main main, main > header, main > footer")) wrong.push(`hides a landmark: ${named(within)}`);

    // headings in order, those of a letter that stands on the page among them
    const within = (root) => [...root.querySelectorAll("*")].flatMap((e) => (e.shadowRoot ? within(e.shadowRoot) : [e]));
    const headings = within(document).filter((element) => /^H[1-6]$/.test(element.tagName));
    const first = headings.filter((heading) => heading.tagName === "H1").length;
    if (first !== 1) wrong.push(`has ${first} of h1`);
    let level = 0;
    for (const heading of headings.filter(seen)) {
      const next = Number(heading.tagName[1]);
      if (next > level + 1) wrong.push(`skips a heading before ${named(heading)}`);
      level = next;
    }

    // names and labels
    const ids = all("[id]").map((element) => element.id);
    for (const id of new Set(ids.filter((id, n) => ids.indexOf(id) !== n))) wrong.push(`has two of #${id}`);
    for (const element of all("[aria-describedby], [aria-labelledby]")) {
      const named_by = `${element.getAttribute("aria-describedby") || ""} ${element.getAttribute("aria-labelledby") || ""}`;
      for (const id of named_by.trim().split(/\s+/))
        if (!document.getElementById(id)) wrong.push(`describes ${named(element)} by #${id}, which is not there`);
    }
    for (const field of all("input:not([type=hidden]), select, textarea"))
      if (!field.labels.length && !field.ariaLabel) wrong.push(`does not label ${named(field)}`);
    for (const image of all("img:not([alt])")) wrong.push(`shows ${image.src} without a text`);

    for (const card of all(".card").filter(seen))
      if (card.scrollWidth > card.clientWidth) wrong.push(`prints more on a card than fits: ${named(card)}`);

    for (const element of all("[tabindex]"))
      if (element.tabIndex > 0) wrong.push(`has a tab order of its own at ${named(element)}`);

    // what a thumb can hit
    const targets = "button, a.button, header a, .boxes a, .mail a, select, summary, input:not([type=hidden])";
    for (const target of all(targets).filter(seen)) {
      const pressed = /checkbox|radio/.test(target.type) ? target.closest(".field, label, li") || target : target;
      if (pressed.getBoundingClientRect().height < 43.5) wrong.push(`has a small target: ${named(target)}`);
    }
  }

  if (part !== "layout") {
    // what an eye can read: WCAG's contrast
    const numbers = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
    const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
    const ground = (element) => {
      for (; element; element = element.parentElement) {
        const colour = numbers(getComputedStyle(element).backgroundColor);
        if (colour[3] !== 0) return colour;
      }
      return [255, 255, 255];
    };
    const speaks = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    for (const element of all("body *").filter((e) => speaks(e) && seen(e) && !e.closest("svg, .skip"))) {
      const pair = [light(numbers(getComputedStyle(element).color)), light(ground(element))];
      const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
      if (contrast < 4.5) wrong.push(`is hard to read at ${named(element)}: ${contrast.toFixed(1)}`);
    }
  }
  return wrong;
}
