// @ts-check
/** From a new project to its first user: steps that tick themselves, and samples with the project's own values. */
import { call } from "../api.js";
import { iconView } from "../icons.js";
import { fill, messages } from "../messages.js";
import { announce, formView, html, loadedView, nothing, reported, secretView, update } from "../parts.js";
import { SAMPLE_NAMES, needsCallback, sampleOf } from "./snippets.js";

const texts = messages.quickstart;
const PAUSE = 4000; // milliseconds
const LOCAL_APP = "http://localhost:3000/signed-in"; // where most apps are at first

/**
 * The address that apps know the server by, as the server itself says it.
 * @param {string} redirectUri
 */
const serverOf = (redirectUri) => redirectUri.slice(0, redirectUri.lastIndexOf("/v1/"));

/** @param {string | null} url */
function pathOf(url) {
  const path = url && URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, "") : "";
  return path || "/signed-in";
}

/**
 * Where the app listens on the machine of its developer.
 * @param {string | null} url
 */
const portOf = (url) => (url && URL.canParse(url) && new URL(url).port) || "3000";

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
export function quickstartView(context) {
  const place = location.hash;
  /** @type {typeof SAMPLE_NAMES[number]} */
  let chosen = "curl";

  async function load() {
    const [{ keys }, { total }, { providers, redirectUri }] = await Promise.all([
      call("GET", `${context.path}/keys?limit=100`),
      call("GET", `dashboard/users?projectId=${context.id}&limit=1`),
      call("GET", `${context.path}/providers`),
    ]);
    return {
      key: keys.find(({ kind }) => kind === "publishable")?.key ?? null,
      server: serverOf(redirectUri),
      hasUser: total > 0,
      isUsed: keys.some(({ lastUsedAt }) => lastUsedAt !== null),
      hasProvider: providers.some(({ enabled }) => enabled),
    };
  }
  /** @typedef {Awaited<ReturnType<typeof load>>} State */

  const callback = formView("quickstart", {
    fields: () => [
      {
        name: "callbackUrl",
        type: "url",
        label: messages.settings.callbackUrl,
        value: context.project.callbackUrl ?? LOCAL_APP,
        required: true,
      },
    ],
    button: messages.save,
    submit: async ({ callbackUrl }) => {
      context.project = (await call("PATCH", context.path, { callbackUrl: callbackUrl.trim() || null })).project;
      announce(messages.saved);
    },
  });

  /**
   * @param {boolean} isDone
   * @param {string} title
   * @param {string} help
   * @param {unknown} content
   */
  const stepView = (isDone, title, help, content) => html`<li>
    <section>
      <span class="tick ${isDone ? "done" : ""}">
        ${iconView(isDone ? "done" : "todo")}<span class="unseen">${isDone ? texts.done : texts.todo}</span>
      </span>
      <h2>${title}</h2>
      <p>${help}</p>
      ${content}
    </section>
  </li>`;

  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  function onTabKey(event) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step !== 0) {
      const { length } = SAMPLE_NAMES;
      chosen = SAMPLE_NAMES[(SAMPLE_NAMES.indexOf(chosen) + step + length) % length];
      update();
      const tabs = event.currentTarget;
      setTimeout(() => /** @type {HTMLElement | null} */ (tabs.querySelector("[aria-selected=true]"))?.focus());
    }
  }

  /** @param {State} state */
  function samplesView({ server, key }) {
    const { callbackUrl } = context.project;
    const isMissing = needsCallback(chosen, callbackUrl);
    const sample = sampleOf(chosen, {
      server,
      key: key ?? "pk_…",
      projectId: context.id,
      callbackPath: pathOf(callbackUrl),
      port: portOf(callbackUrl),
      missing: isMissing ? LOCAL_APP : null,
    });
    return html`<div class="tabs" role="tablist" aria-label=${texts.sample} @keydown=${onTabKey}>
        ${SAMPLE_NAMES.map(
          (name) =>
            html`<button
              type="button"
              role="tab"
              id="tab-${name}"
              aria-controls="sample"
              aria-selected=${name === chosen ? "true" : "false"}
              tabindex=${name === chosen ? "0" : "-1"}
              @click=${() => ((chosen = name), update())}
            >
              ${name}
            </button>`,
        )}
      </div>
      ${isMissing ? html`<p class="note">${fill(texts.noCallback, { url: LOCAL_APP })}</p>` : nothing}
      <div class="snippet">
        <pre id="sample" role="tabpanel" tabindex="0" aria-labelledby="tab-${chosen}"><code>${sample}</code></pre>
        <button type="button" @click=${reported(() => navigator.clipboard.writeText(sample), messages.copied)}>
          ${messages.copy}
        </button>
      </div>`;
  }

  let isWaiting = false;

  /**
   * Looks again for as long as there is something left to tick and the screen is there.
   * @param {() => Promise<void>} reload
   */
  async function waitForMore(reload) {
    if (isWaiting) {
      return;
    }
    isWaiting = true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    isWaiting = false;
    if (location.hash !== place) {
      return;
    }
    if (document.visibilityState === "visible" && document.querySelector("dialog[open]") === null) {
      await reload();
    } else {
      update();
    }
  }

  const steps = loadedView(load, (state, reload) => {
    const { callbackUrl, slug } = context.project;
    const ticks = [state.key !== null, Boolean(callbackUrl), state.hasUser, state.isUsed];
    if (ticks.includes(false)) {
      waitForMore(reload);
    }
    const done = ticks.filter(Boolean).length;
    const progress = fill(texts.progress, { done, total: ticks.length });
    return html`<div class="progress">
        <progress aria-label=${messages.project.quickstart} max=${ticks.length} .value=${done}></progress>
        <span role="status">${progress}</span>
      </div>
      <ol class="steps">
        ${stepView(
          ticks[0],
          texts.key,
          texts.keyHelp,
          state.key ? secretView(messages.projects.publishableKey, state.key) : html`<p class="wrong">${texts.noKey}</p>`,
        )}
        ${stepView(
          ticks[1],
          texts.callback,
          texts.callbackHelp,
          context.isDeveloper ? callback() : html`<code>${callbackUrl ?? messages.none}</code>`,
        )}
        ${stepView(
          ticks[2],
          texts.user,
          texts.userHelp,
          html`<a class="button" href="../p/${slug}/" target="_blank" rel="noopener"
            >${messages.project.signInPage} ${iconView("outward")}</a
          >`,
        )}
        ${stepView(ticks[3], texts.code, texts.codeHelp, samplesView(state))}
        ${stepView(
          state.hasProvider,
          texts.more,
          texts.moreHelp,
          html`<div class="buttons">
            <a class="button" href="#/projects/${context.id}/providers">${messages.project.providers}</a>
            <a class="button" href="#/projects/${context.id}/factors">${messages.project.factors}</a>
          </div>`,
        )}
      </ol>`;
  });
  return () => html`<h1>${messages.project.quickstart}</h1>
    <p>${texts.help}</p>
    ${steps()}`;
}
