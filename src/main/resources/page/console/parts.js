/** What screens are made of: forms whose fields show the server's refusals, lists, questions, secrets shown once. */
import { html, nothing, render, svg } from "../lib/lit-html/lit-html.js";
import { t } from "./messages.js";

export { html, nothing, svg };

let draw = () => {};
const TYPING = 400; // milliseconds without a key
const SAID_FOR = 8000; // milliseconds, since it covers what is below it

let said = "";
let saidIn; // its language, where it is not that of the page
let silence;
let question = null;

/** The page gives what draws it, once. */
export function drawnBy(page) {
  draw = page;
}

export function update() {
  queueMicrotask(() => draw());
}

/** Says a sentence to everybody, screen readers included; what went wrong stays until there is something else to say. */
export function say(text, { stays = false, lang } = {}) {
  said = text;
  saidIn = lang;
  clearTimeout(silence);
  if (text !== "" && !stays) {
    silence = setTimeout(() => say(""), SAID_FOR);
  }
  update();
}

export const status = () => html`<p class="said" role="status" lang=${saidIn ?? nothing}>${said}</p>`;

/** A refusal in the language that it is in, or a text in that of the page. */
export function alert(refused) {
  const { message, lang } = typeof refused === "string" ? { message: refused } : (refused ?? {});
  return message ? html`<p class="wrong" role="alert" lang=${lang ?? nothing}>${message}</p>` : nothing;
}

function input(field, id, described, isWrong) {
  const common = { name: field.name, id };
  const initial = field.value ?? "";
  const describedBy = described || nothing;
  const invalid = isWrong ? "true" : nothing;
  if (field.type === "select") {
    return html`<select name=${common.name} id=${id} aria-describedby=${describedBy} aria-invalid=${invalid}>
      ${field.options.map(
        ([value, text]) => html`<option value=${value} .defaultSelected=${value === initial}>${text}</option>`,
      )}
    </select>`;
  }
  if (field.type === "lines") {
    return html`<textarea
      name=${common.name}
      id=${id}
      rows=${field.rows ?? 3}
      spellcheck="false"
      aria-describedby=${describedBy}
      aria-invalid=${invalid}
      .defaultValue=${initial}
    ></textarea>`;
  }
  return html`<input
    type=${field.type ?? "text"}
    name=${common.name}
    id=${id}
    autocomplete=${field.autocomplete ?? "off"}
    autocapitalize="none"
    spellcheck="false"
    inputmode=${field.inputmode ?? nothing}
    aria-describedby=${describedBy}
    aria-invalid=${invalid}
    aria-required=${field.required ? "true" : nothing}
    list=${field.suggestions ? `${id}-list` : nothing}
    .defaultValue=${String(initial)}
  />${field.suggestions
    ? html`<datalist id="${id}-list">${field.suggestions.map((text) => html`<option value=${text}></option>`)}</datalist>`
    : nothing}`;
}

/** Any number of checkboxes, whose value is a list. */
function choices(field, id, described, isWrong) {
  return html`<fieldset class="field" aria-describedby=${described || nothing}>
    <legend>${field.label}</legend>
    <div class="choices">
      ${field.options.map(
        ([value, text]) =>
          html`<label class="check" for="${id}-${value}"
            ><input
              type="checkbox"
              name=${field.name}
              id="${id}-${value}"
              value=${value}
              aria-invalid=${isWrong ? "true" : nothing}
              .defaultChecked=${(field.value ?? []).includes(value)}
            />${text}</label
          >`,
      )}
    </div>
  </fieldset>`;
}

function row(field, key, wrong) {
  const id = `${key}-${field.name}`;
  const help = field.help ? `${id}-help` : "";
  const error = wrong ? `${id}-wrong` : "";
  const texts = html`
    ${field.help ? html`<p class="help" id=${help}>${field.help}</p>` : nothing}
    ${wrong ? html`<p class="wrong" id=${error} lang=${wrong.lang ?? nothing}>${wrong.message}</p>` : nothing}
  `;
  if (field.type === "checkbox") {
    return html`<div class="field">
      <label class="check" for=${id}
        ><input
          type="checkbox"
          name=${field.name}
          id=${id}
          aria-describedby=${[error, help].join(" ").trim() || nothing}
          .defaultChecked=${field.value === true}
        />${field.label}</label
      >${texts}
    </div>`;
  }
  if (field.type === "choices") {
    return html`${choices(field, id, [error, help].join(" ").trim(), wrong)} ${texts}`;
  }
  if (field.type === "own") {
    return html`<div class="field">
      ${field.view({ id, describedBy: [error, help].join(" ").trim() || nothing, invalid: wrong ? "true" : nothing })} ${texts}
    </div>`;
  }
  return html`<div class="field">
    <label for=${id}>${field.label}</label>
    ${input(field, id, [error, help].join(" ").trim(), wrong)} ${texts}
  </div>`;
}

/**
 * A form that keeps what was typed whatever happens. `submit` gets the values by their names; the server's refusal of a field
 * is shown at it, and any other one above. `draft` gets them too, a moment after each change, and may refuse as well.
 */
export function form(key, { fields, button, submit, draft, isDanger, isFilter }) {
  let typed;
  let wrong = {};
  let refusal = null;
  let isBusy = false;

  async function onSubmit(event) {
    event.preventDefault();
    const element = event.currentTarget;
    if (isBusy) {
      return;
    }
    isBusy = true;
    wrong = {};
    refusal = null;
    update();
    try {
      await submit(values(element), element);
    } catch (refused) {
      refuse(refused);
      queueMicrotask(() => setTimeout(() => element.querySelector("[aria-invalid]")?.focus()));
    } finally {
      isBusy = false;
      update();
    }
  }

  function refuse(refused) {
    const names = new Set(list().map((field) => field.name));
    const named = (refused.details ?? []).filter((detail) => names.has(detail.field));
    wrong = Object.fromEntries(named.map((detail) => [detail.field, { message: detail.message, lang: refused.lang }]));
    refusal = named.length > 0 ? null : refused;
  }

  function onInput(event) {
    const element = event.currentTarget;
    clearTimeout(typed);
    typed = setTimeout(async () => {
      const change = typed;
      try {
        await draft(values(element));
        if (change !== typed) {
          return; // there is a later one
        }
        wrong = {};
        refusal = null;
      } catch (refused) {
        if (change !== typed) {
          return;
        }
        refuse(refused);
      }
      update();
    }, TYPING);
  }

  const list = () => (typeof fields === "function" ? fields() : fields);

  function values(element) {
    return Object.fromEntries(
      list().map(({ name, type, value }) => {
        if (type === "own") {
          return [name, value()];
        }
        if (type === "choices") {
          return [name, [...element.elements].filter((one) => one.name === name && one.checked).map((one) => one.value)];
        }
        const control = element.elements.namedItem(name);
        return [name, type === "checkbox" ? control.checked : control.value];
      }),
    );
  }

  return () => html`<form
    novalidate
    class=${isFilter ? "filter" : nothing}
    @submit=${onSubmit}
    @input=${draft ? onInput : nothing}
    aria-busy=${isBusy ? "true" : "false"}
  >
    ${alert(refusal)} ${list().map((field) => row(field, key, wrong[field.name]))}
    <button type="submit" class=${isDanger ? "danger" : isFilter ? nothing : "main"} aria-disabled=${isBusy ? "true" : "false"}>
      ${button}
    </button>
  </form>`;
}

/** What is loaded for a screen: the state between nothing and something, and the way back from an error. */
export function loaded(load, view) {
  let data;
  let error = null;
  async function reload() {
    try {
      data = await load();
      error = null;
    } catch (refused) {
      error = refused;
    }
    update();
  }
  reload();
  const draw = () => {
    if (error) {
      return html`<div role="alert" class="wrong">
        <h2>${t.problem}</h2>
        <p lang=${error.status === 404 ? nothing : (error.lang ?? nothing)}>${error.status === 404 ? t.notFound : error.message}</p>
        <button type="button" @click=${reload}>${t.tryAgain}</button>
      </div>`;
    }
    return data === undefined ? html`<p role="status">${t.loading}</p>` : view(data, reload);
  };
  return draw;
}

/** An action of a button: it says what became of it. */
export function action(run, done) {
  return async () => {
    try {
      await run();
      if (done) {
        say(done);
      }
    } catch (refused) {
      say(refused.message, { stays: true, lang: refused.lang });
    }
  };
}

/** Asks before something that cannot be taken back. */
export function ask(text, yes, run) {
  question = { text, yes, run, from: document.activeElement };
  update();
  queueMicrotask(() => setTimeout(() => document.getElementById("question")?.showModal()));
}

function closeQuestion() {
  document.getElementById("question")?.close();
}

export function questionView() {
  return html`<dialog
    id="question"
    aria-labelledby="question-text"
    @close=${() => {
      question?.from?.focus();
      question = null;
      update();
    }}
  >
    <p id="question-text">${question?.text}</p>
    <div class="row">
      <button type="button" @click=${closeQuestion}>${t.cancel}</button>
      <button
        type="button"
        class="danger"
        @click=${() => {
          const run = question.run;
          closeQuestion();
          run();
        }}
      >
        ${question?.yes}
      </button>
    </div>
  </dialog>`;
}

export function secret(label, value) {
  return html`<div class="secret">
    <span class="label">${label}</span><code>${value}</code
    ><button
      type="button"
      aria-label=${`${t.copy}: ${label}`}
      @click=${action(() => navigator.clipboard.writeText(value), t.copied)}
    >
      ${t.copy}
    </button>
  </div>`;
}

export function table(label, heads, rows) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head || html`<span class="unseen">${t.actions}</span>`}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A list that grows by pages of the server's. `page(offset)` gets {items, total}. */
export function pages(page, view) {
  let items = [];
  let total = 0;
  async function load(offset) {
    const next = await page(offset);
    items = offset === 0 ? next.items : [...items, ...next.items];
    total = next.total;
    return { items, total };
  }
  return loaded(
    () => load(0),
    (data, reload) => html`${view(items, reload)}
    ${total > items.length
      ? html`<div class="row">
          <span>${t.of(items.length, total)}</span
          ><button type="button" @click=${action(async () => (await load(items.length), update()))}>${t.more}</button>
        </div>`
      : nothing}`,
  );
}

export function show(template, element) {
  render(template, element);
}
