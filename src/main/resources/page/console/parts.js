// @ts-check
/** What screens are made of: forms whose fields show the server's refusals, lists, questions, secrets shown once. */
import { html, nothing, render, svg } from "../lib/lit-html/lit-html.js";
import { ApiError, asRefusal } from "./api.js";
import { fill, formatTime, messages } from "./messages.js";

export { html, nothing, svg };

let draw = () => {};
const PICTURES = "image/png,image/jpeg,image/webp,image/svg+xml";
const TYPING = 400; // milliseconds without a key
const ANNOUNCED_FOR = 8000; // milliseconds; not longer, since it covers the page below

let announced = "";
let announcedAt = ""; // the address of its screen
/** @type {string | undefined} */
let announcedIn; // its language, if it is not that of the page
/** @type {number | undefined} */
let silenceTimer;
/** @type {{ text: string, yes: string, run: () => void, from: Element | null } | null} */
let question = null;

/**
 * The page sets the function that draws it, once.
 * @param {() => void} drawPage
 */
export function drawWith(drawPage) {
  draw = drawPage;
}

export function update() {
  queueMicrotask(() => draw());
}

/**
 * Says a sentence to everybody, screen readers included; a failure stays until there is something else to say.
 * @param {string} text
 * @param {{ stays?: boolean, lang?: string }} [manner]
 */
export function announce(text, { stays = false, lang } = {}) {
  announced = text;
  announcedAt = location.hash;
  announcedIn = lang;
  clearTimeout(silenceTimer);
  if (text !== "" && !stays) {
    silenceTimer = setTimeout(() => announce(""), ANNOUNCED_FOR);
  }
  update();
}

/** A notice leaves with its screen; one about what led to this screen stays. */
export function leaveScreen() {
  if (announcedAt !== location.hash) {
    announce("");
  }
}

/** Below the bar, where it moves the page down instead of covering it. */
export const statusView = () => html`<div class="said" ?hidden=${announced === ""}>
    <p role="status" lang=${announcedIn ?? nothing}>${announced}</p>
    ${announced === ""
      ? nothing
      : html`<button type="button" class="plain" aria-label=${messages.close} @click=${() => announce("")}>×</button>`}
  </div>`;

/**
 * A refusal marked with its own language, or a text in the page's language.
 * @param {{ message: string, lang?: string } | string | null} refused
 */
export function alertView(refused) {
  const { message, lang } = typeof refused === "string" ? { message: refused } : (refused ?? {});
  return message ? html`<p class="wrong" role="alert" lang=${lang ?? nothing}>${message}</p>` : nothing;
}

/**
 * @param {TextField | LinesField | SelectField} field
 * @param {string} id
 * @param {string} described
 * @param {boolean} isWrong
 */
function inputView(field, id, described, isWrong) {
  const initial = field.value ?? "";
  const describedBy = described || nothing;
  const invalid = isWrong ? "true" : nothing;
  if (field.type === "select") {
    return html`<select name=${field.name} id=${id} aria-describedby=${describedBy} aria-invalid=${invalid}>
      ${field.options.map(
        ([value, text]) => html`<option value=${value} .defaultSelected=${value === initial}>${text}</option>`,
      )}
    </select>`;
  }
  if (field.type === "lines") {
    return html`<textarea
      name=${field.name}
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
    name=${field.name}
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

const UNITS = { second: 1, minute: 60, hour: 3600, day: 86400 };

/**
 * A number and its unit: the largest in which the duration is a whole number.
 * @param {DurationField} field
 * @param {string} id
 * @param {string} described
 * @param {boolean} isWrong
 */
function durationView(field, id, described, isWrong) {
  const entries = Object.entries(UNITS);
  const [unit, seconds] = entries.filter(([, factor]) => (field.value || 60) % factor === 0).slice(-1)[0];
  return html`<div class="duration">
    <input
      name=${field.name}
      id=${id}
      inputmode="numeric"
      autocomplete="off"
      aria-describedby=${described || nothing}
      aria-invalid=${isWrong ? "true" : nothing}
      .defaultValue=${field.value == null ? "" : String(field.value / seconds)}
    />
    <select name="${field.name}.unit" aria-label=${`${field.label}: ${messages.unit}`}>
      ${entries.map(
        ([name]) =>
          html`<option value=${name} .defaultSelected=${name === unit}>
            ${messages.units[/** @type {keyof typeof UNITS} */ (name)]}
          </option>`,
      )}
    </select>
  </div>`;
}

/**
 * @param {ChoicesField} field
 * @param {string} id
 * @param {string} described
 * @param {boolean} isWrong
 */
function choicesView(field, id, described, isWrong) {
  return html`<fieldset class="field" aria-describedby=${described || nothing}>
    <legend>${field.label}</legend>
    <div class="choices ${field.name}">
      ${field.options.map(
        ([value, text]) =>
          html`<label class="check" for="${id}-${value}"
            ><input
              type="checkbox"
              name=${field.name}
              id="${id}-${value}"
              value=${value}
              aria-invalid=${isWrong ? "true" : nothing}
              .defaultChecked=${field.value.includes(value)}
            />${text}</label
          >`,
      )}
    </div>
  </fieldset>`;
}

/**
 * @param {Field} field
 * @param {string} key
 * @param {{ message: RefusedField["message"], lang?: string } | undefined} wrong
 */
function fieldView(field, key, wrong) {
  const id = `${key}-${field.name}`;
  const help = field.help ? `${id}-help` : "";
  const error = wrong ? `${id}-wrong` : "";
  const described = [error, help].join(" ").trim();
  const isWrong = wrong !== undefined;
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
          aria-describedby=${described || nothing}
          .defaultChecked=${field.value === true}
        />${field.label}</label
      >${texts}
    </div>`;
  }
  if (field.type === "choices") {
    return html`${choicesView(field, id, described, isWrong)} ${texts}`;
  }
  if (field.type === "own") {
    return html`<div class="field">
      ${field.view({ id, describedBy: described || nothing, invalid: isWrong ? "true" : nothing })} ${texts}
    </div>`;
  }
  return html`<div class="field">
    <label for=${id}>${field.label}</label>
    ${field.type === "duration" ? durationView(field, id, described, isWrong) : inputView(field, id, described, isWrong)}
    ${texts}
  </div>`;
}

/**
 * The words for a device, with what it says of itself.
 * @param {Pick<Schemas["Session"], "deviceName" | "userAgent">} session
 */
export const deviceView = ({ deviceName, userAgent }) =>
  html`<span title=${userAgent ?? nothing}>${deviceName ?? messages.account.unknownDevice}</span>`;

/**
 * @param {string | null} text
 * @returns {text is string}
 */
export const isUrl = (text) => /^https?:\/\//.test(text ?? "");

/**
 * A field with a picture, which stays on this page until it is saved.
 * @param {string} label
 * @param {string} remove
 * @param {{ dataUrl: string | null }} picture
 * @returns {Pick<OwnField, "type" | "value" | "view">}
 */
export function pictureField(label, remove, picture) {
  /**
   * @param {string | null} dataUrl
   * @param {HTMLFormElement | null} form
   */
  function set(dataUrl, form) {
    picture.dataUrl = dataUrl;
    form?.dispatchEvent(new Event("input"));
    update();
  }

  /** @param {HTMLInputElement} input */
  function read(input) {
    const [file] = input.files ?? [];
    if (file) {
      const reader = new FileReader();
      reader.addEventListener("load", () => set(String(reader.result), input.form));
      reader.readAsDataURL(file);
    }
  }

  return {
    type: "own",
    value: () => picture.dataUrl,
    view: ({ id, describedBy, invalid }) => html`<label for=${id}>${label}</label>
      ${picture.dataUrl
        ? html`<p class="row">
            <img class="logo" src=${picture.dataUrl} alt=${label} /><button
              type="button"
              @click=${(/** @type {Event & { currentTarget: HTMLButtonElement }} */ event) =>
                set(null, event.currentTarget.form)}
            >
              ${remove}
            </button>
          </p>`
        : nothing}
      <input
        type="file"
        id=${id}
        accept=${PICTURES}
        aria-describedby=${describedBy}
        aria-invalid=${invalid}
        @change=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => read(event.currentTarget)}
      />`,
  };
}

/**
 * The forms of the screen that have something to save.
 * @type {Set<string>}
 */
const unsaved = new Set();

export const hasUnsaved = () => unsaved.size > 0;
export const forgetUnsaved = () => unsaved.clear();

addEventListener("beforeunload", (event) => {
  if (hasUnsaved()) {
    event.preventDefault(); // the browser asks
  }
});

/**
 * A form that keeps what was typed whatever happens. `submit` gets the values by name; if the server refuses a field, the
 * form says so at that field, and shows any other refusal above. `draft` gets the values too, a moment after each change,
 * and can also refuse.
 * @type {Form}
 */
export function formView(key, { fields, button, submit, draft, isDanger, isFilter }) {
  /** @type {number | undefined} */
  let typingTimer;
  /** @type {Record<string, { message: RefusedField["message"], lang?: string }>} */
  let wrong = {};
  /** @type {Refusal | null} */
  let refusal = null;
  let isBusy = false;
  let submits = 0;

  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  async function onSubmit(event) {
    event.preventDefault();
    const element = event.currentTarget;
    if (isBusy) {
      return;
    }
    isBusy = true;
    submits++;
    wrong = {};
    refusal = null;
    announce("");
    try {
      await submit(readValues(element), element);
      unsaved.delete(key);
    } catch (failure) {
      showRefusal(asRefusal(failure));
      queueMicrotask(() =>
        setTimeout(() => /** @type {HTMLElement | null} */ (element.querySelector("[aria-invalid]"))?.focus()),
      );
    } finally {
      isBusy = false;
      update();
    }
  }

  /** @param {Refusal} refused */
  function showRefusal(refused) {
    const names = new Set(currentFields().map((field) => field.name));
    const named = (refused.details ?? []).filter((detail) => names.has(detail.field));
    wrong = Object.fromEntries(named.map((detail) => [detail.field, { message: detail.message, lang: refused.lang }]));
    refusal = named.length > 0 ? null : refused;
  }

  /** @param {Event & { currentTarget: HTMLFormElement }} event */
  function onInput(event) {
    const element = event.currentTarget;
    if (button === messages.save) {
      unsaved.add(key);
    }
    if (!draft) {
      return;
    }
    clearTimeout(typingTimer);
    const before = submits;
    const change = setTimeout(async () => {
      /** @type {unknown} */
      let failure = null;
      try {
        await draft(readValues(element));
      } catch (thrown) {
        failure = thrown;
      }
      if (change !== typingTimer) {
        return; // a later draft is under way
      }
      if (before === submits) { // what the server has said since then stays
        wrong = {};
        refusal = null;
        if (failure !== null) {
          showRefusal(asRefusal(failure));
        }
      }
      update();
    }, TYPING);
    typingTimer = change;
  }

  const currentFields = () => (typeof fields === "function" ? fields() : fields);

  /** @param {HTMLFormElement} element */
  function readValues(element) {
    return /** @type {Values<any>} */ (
      Object.fromEntries(currentFields().map((field) => [field.name, readValue(field, element)]))
    );
  }

  return () => html`<form
    novalidate
    class=${isFilter ? "filter" : nothing}
    @submit=${onSubmit}
    @input=${onInput}
    aria-busy=${isBusy ? "true" : "false"}
  >
    ${alertView(refusal)} ${currentFields().map((field) => fieldView(field, key, wrong[field.name]))}
    <button type="submit" class=${isDanger ? "danger" : isFilter ? nothing : "main"} aria-disabled=${isBusy ? "true" : "false"}>
      ${button}
    </button>
  </form>`;
}

/**
 * @param {Field} field
 * @param {HTMLFormElement} form
 */
function readValue(field, form) {
  if (field.type === "own") {
    return field.value();
  }
  if (field.type === "choices") {
    const boxes = /** @type {HTMLInputElement[]} */ ([...form.elements]);
    return boxes.filter((box) => box.name === field.name && box.checked).map((box) => box.value);
  }
  const control = /** @type {HTMLInputElement} */ (form.elements.namedItem(field.name));
  if (field.type === "duration") {
    const unit = /** @type {HTMLSelectElement} */ (form.elements.namedItem(`${field.name}.unit`));
    return secondsOf(control.value.trim(), UNITS[/** @type {keyof typeof UNITS} */ (unit.value)]);
  }
  return field.type === "checkbox" ? control.checked : control.value;
}

/**
 * Text that is not a number goes to the server as it is, which says what is wrong.
 * @param {string} text
 * @param {number} unit in seconds
 */
const secondsOf = (text, unit) => (text === "" ? null : /^\d+$/.test(text) ? Number(text) * unit : text);

/**
 * For a field that holds a list.
 * @param {string} text
 */
export const wordsOf = (text) => text.split(/[\s,]+/).filter((word) => word !== "");

/**
 * Whether two values would be sent as the same.
 * @param {unknown} left
 * @param {unknown} right
 */
export const isSame = (left, right) => JSON.stringify(left) === JSON.stringify(right);

/**
 * Loads the module of a screen, which a server that is away cannot send.
 * @template Module
 * @param {() => Promise<Module>} load
 * @returns {Promise<Module>}
 */
export const loadModule = (load) =>
  load().catch(() => {
    throw new ApiError(0, messages.offline);
  });

/**
 * Loads data for a screen: shows that it is loading, and offers to try again after an error.
 * @template Data
 * @param {() => Promise<Data>} load
 * @param {(data: Data, reload: () => Promise<void>) => Template} view
 * @returns {View}
 */
export function loadedView(load, view) {
  /** @type {Data | undefined} */
  let data;
  /** @type {Refusal | null} */
  let refusal = null;
  async function reload() {
    try {
      data = await load();
      refusal = null;
    } catch (failure) {
      refusal = asRefusal(failure);
    }
    update();
  }
  reload();
  return () => {
    if (refusal) {
      const isGone = refusal.status === 404;
      return html`<div role="alert" class="wrong">
        <h2>${messages.problem}</h2>
        <p lang=${isGone ? nothing : (refusal.lang ?? nothing)}>${isGone ? messages.notFound : refusal.message}</p>
        <button type="button" @click=${reload}>${messages.tryAgain}</button>
      </div>`;
    }
    return data === undefined ? html`<p role="status">${messages.loading}</p>` : view(data, reload);
  };
}

/**
 * Runs the action of a button, and says how it ended.
 * @param {() => unknown} run
 * @param {string} [done]
 */
export function reported(run, done) {
  return async () => {
    announce("");
    try {
      await run();
      if (done) {
        announce(done);
      }
    } catch (failure) {
      const { message, lang } = asRefusal(failure);
      announce(message, { stays: true, lang });
    }
  };
}

const questionDialog = () => /** @type {HTMLDialogElement | null} */ (document.getElementById("question"));

/**
 * Asks before an action that cannot be undone.
 * @param {string} text
 * @param {string} yes
 * @param {() => void} run
 */
export function askFirst(text, yes, run) {
  question = { text, yes, run, from: document.activeElement };
  update();
  queueMicrotask(() => setTimeout(() => questionDialog()?.showModal()));
}

export function questionView() {
  return html`<dialog
    id="question"
    aria-labelledby="question-text"
    @close=${() => {
      /** @type {HTMLElement | null | undefined} */ (question?.from)?.focus();
      question = null;
      update();
    }}
  >
    <p id="question-text">${question?.text}</p>
    <div class="row">
      <button type="button" @click=${() => questionDialog()?.close()}>${messages.cancel}</button>
      <button
        type="button"
        class="danger"
        @click=${() => {
          const run = question?.run;
          questionDialog()?.close();
          run?.();
        }}
      >
        ${question?.yes}
      </button>
    </div>
  </dialog>`;
}

/**
 * A person's picture, or the first letter of the name.
 * @param {{ email?: string | null, displayName?: string | null, avatarUrl?: string | null }} person
 */
export const avatarView = ({ email, displayName, avatarUrl }) =>
  avatarUrl?.startsWith("https:")
    ? html`<img class="initial" src=${avatarUrl} alt="" referrerpolicy="no-referrer" loading="lazy" />`
    : html`<span class="initial" aria-hidden="true">${[...(displayName || email || "?")][0].toUpperCase()}</span>`;

/**
 * @param {string} label
 * @param {string} value
 */
const copyButton = (label, value) => html`<button
  type="button"
  aria-label=${`${messages.copy}: ${label}`}
  @click=${reported(() => navigator.clipboard.writeText(value), messages.copied)}
>
  ${messages.copy}
</button>`;

/**
 * In a table, where it stays in one line.
 * @param {string | null | undefined} timestamp
 */
export const timeView = (timestamp) => html`<time datetime=${timestamp ?? nothing}>${formatTime(timestamp)}</time>`;

/**
 * An id, which people copy more often than they read it.
 * @param {string} label
 * @param {string} value
 */
export const idView = (label, value) => html`<p class="id">${label} <code>${value}</code> ${copyButton(label, value)}</p>`;

/**
 * @param {string} label
 * @param {string} value
 */
export function secretView(label, value) {
  return html`<div class="secret">
    <span class="label">${label}</span><code>${value}</code>${copyButton(label, value)}
  </div>`;
}

/**
 * A column without a name holds the actions. On a narrow screen each row is a card, which names the columns itself; the roles
 * are written out because browsers forget them when a table is not laid out as one.
 * @param {string} label
 * @param {string[]} heads
 * @param {unknown[][]} rows
 */
export function tableView(label, heads, rows) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${heads.map(
            (head) =>
              html`<th scope="col" role="columnheader">${head || html`<span class="unseen">${messages.actions}</span>`}</th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (cells) =>
            html`<tr role="row">
              ${cells.map((cell, index) => html`<td role="cell" data-label=${heads[index] || nothing}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/**
 * A list that grows page by page.
 * @template Item
 * @param {(offset: number) => Promise<{ items: Item[], total: number }>} loadPage
 * @param {(items: Item[], reload: () => Promise<void>) => Template} view
 */
export function pagedView(loadPage, view) {
  /** @type {Item[]} */
  let items = [];
  let total = 0;
  /** @param {number} offset */
  async function load(offset) {
    const page = await loadPage(offset);
    items = offset === 0 ? page.items : [...items, ...page.items];
    total = page.total;
    return items;
  }
  return loadedView(
    () => load(0),
    (_, reload) => html`${view(items, reload)}
    ${total > items.length
      ? html`<div class="row">
          <span>${fill(messages.of, { shown: items.length, total })}</span
          ><button type="button" @click=${reported(async () => (await load(items.length), update()))}>${messages.more}</button>
        </div>`
      : nothing}`,
  );
}

/**
 * @param {Template} template
 * @param {HTMLElement} element
 */
export function renderInto(template, element) {
  render(template, element);
}
