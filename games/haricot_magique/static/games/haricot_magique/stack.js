// Touch controls for a stack: arrows for the order, sliders for the aims, and a new preview after each change.
// The form works without them: its selects hold the values, and the script presses its preview button.
"use strict";

(() => {
  const form = document.getElementById("stack");
  const list = form && form.querySelector(".dice");
  if (!list) return;
  const words = list.dataset;
  const rows = [...list.children].map((row) => ({ row, selects: [...row.querySelectorAll("select")] }));
  let waiting, asking;

  const make = (tag, given, ...children) => {
    const element = Object.assign(document.createElement(tag), given);
    element.append(...children);
    return element;
  };
  const press = (sign, label, act) => {
    const button = make("button", { type: "button", className: "nudge", textContent: sign, onclick: act });
    button.ariaLabel = label;
    return button;
  };
  const chosen = (select) => select.selectedOptions[0].text;

  function build(die, place) {
    const [face, aim] = die.selects;
    die.name = make("strong", {});
    die.told = make("output", { className: "small" });
    die.slider = make("input", { type: "range", min: aim.options[0].value, max: aim.options[aim.length - 1].value });
    die.slider.oninput = () => steer(die, die.slider.valueAsNumber);
    const nudge = (by) => () => steer(die, die.slider.valueAsNumber + by);
    die.sooner = press("↑", "", () => swap(place, place - 1));
    die.later = press("↓", "", () => swap(place, place + 1));
    die.left = press("◀", "", nudge(-1));
    die.right = press("▶", "", nudge(1));
    die.sooner.disabled = place === 0;
    die.later.disabled = place === rows.length - 1;
    for (const child of die.row.children) child.hidden = true;
    die.row.append(
      make("div", { className: "order" }, make("span", {}, die.name, die.told), die.sooner, die.later),
      make("div", { className: "aim" }, die.left, die.slider, die.right),
    );
    face.onchange = aim.onchange = show;
  }

  function steer(die, aim) {
    die.selects[1].value = Math.max(die.slider.min, Math.min(die.slider.max, aim));
    changed();
  }

  function swap(one, other) {
    rows[one].selects.forEach((select, n) => {
      const twin = rows[other].selects[n];
      [select.value, twin.value] = [twin.value, select.value];
    });
    const { sooner, later } = rows[other]; // keep the focus on the moved die
    (other > one ? (later.disabled ? sooner : later) : sooner.disabled ? later : sooner).focus();
    changed();
  }

  function show() {
    rows.forEach((die, place) => {
      const [face, aim] = die.selects;
      const name = `${place + 1} ${chosen(face)}`;
      die.name.textContent = name;
      die.told.textContent = ` ${chosen(aim)}`;
      die.slider.value = aim.value;
      die.slider.ariaLabel = name;
      die.slider.ariaValueText = chosen(aim);
      for (const way of ["sooner", "later", "left", "right"]) die[way].ariaLabel = `${name}: ${words[way]}`;
    });
  }

  function changed() {
    show();
    clearTimeout(waiting);
    waiting = setTimeout(preview, 120);
  }

  async function preview() {
    if (asking) asking.abort();
    asking = new AbortController();
    const body = new FormData(form);
    body.set("preview", "stack");
    try {
      const answer = await fetch(form.action, { method: "POST", body, signal: asking.signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const plan = page.getElementById("plan");
      if (plan) document.getElementById("plan").replaceChildren(...plan.children);
    } catch (trouble) {
      if (trouble.name !== "AbortError") form.querySelector("[name=preview]").hidden = false;
    }
  }

  rows.forEach(build);
  list.classList.add("handy");
  form.querySelector("[name=preview]").hidden = true;
  show();
})();
