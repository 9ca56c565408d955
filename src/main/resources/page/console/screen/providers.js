// @ts-check
/** The providers that users can sign in with: what each needs, what to enter there, and a test sign in. */
import { asRefusal, call, currentUser } from "../api.js";
import { fill, messages } from "../messages.js";
import {
  announce,
  askFirst,
  formView,
  html,
  isUrl,
  loadedView,
  nothing,
  pictureField,
  reported,
  secretView,
  tableView,
  update,
  wordsOf,
} from "../parts.js";

const texts = messages.providers;
const GUIDE = "../docs/sign-in-providers";
/** The guide's sections that are not named like the provider. */
/** @type {Record<string, string>} */
const SECTIONS = { oidc: "any-openid-provider" };
const GUIDED = ["google", "github", "apple", "microsoft", "facebook", "discord", "kakao", "naver", "line", "x", "oidc"];
const POLL = 1500; // milliseconds
const OWN = /^oidc-[a-z0-9][a-z0-9-]*$/;
const NAME_LENGTH = 40;
const TENANTS = ["common", "organizations", "consumers"];
const FLOWS = /** @type {const} */ (["auto", "popup", "redirect"]);

/** @typedef {Schemas["AvailableProvider"]} AvailableProvider */

/** @param {string} provider */
const kindOf = (provider) => (OWN.test(provider) ? "oidc" : provider);

/** @param {string} provider */
const markOf = (provider) => `../../hosted/mark/${GUIDED.includes(provider) ? provider : "any-provider"}.svg`;

/**
 * What is on its button of the sign-in page.
 * @param {string} provider
 * @param {string | null} [icon]
 */
const markView = (provider, icon) =>
  html`<img class="provider" src=${icon ?? new URL(markOf(kindOf(provider)), import.meta.url).href} alt="" />`;

/** @param {string} provider */
function guideOf(provider) {
  const kind = kindOf(provider);
  return GUIDED.includes(kind) ? `${GUIDE}#${SECTIONS[kind] ?? kind}` : GUIDE;
}

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
export function providersView(context) {
  const list = loadedView(
    () => call("GET", `${context.path}/providers`),
    ({ available, providers }) => {
      const known = available.map(({ provider, name }) => ({ provider, name }));
      // Providers that the operator has removed from the catalogue: their settings can only be removed.
      const unknown = providers
        .filter(({ provider }) => !known.some((one) => one.provider === provider))
        .map(({ provider }) => ({ provider, name: provider }));
      return tableView(
        messages.project.providers,
        [texts.provider, texts.state, texts.clientId],
        [...known, ...unknown].map(({ provider, name }) => {
          const settings = providers.find((one) => one.provider === provider);
          return [
            html`<span class="person"
              >${markView(provider, settings?.icon)}<a href="#/projects/${context.id}/providers/${provider}">${name}</a></span
            >`,
            html`<span class="tag ${settings?.enabled ? "good" : ""}">${stateOf(settings)}</span>`,
            settings ? html`<code>${settings.clientId}</code>` : "–",
          ];
        }),
      );
    },
  );
  const another = formView("another", {
    fields: [{ name: "shortName", label: texts.shortName, help: texts.shortNameHelp, required: true }],
    button: texts.next,
    submit: async ({ shortName }) => {
      const word = shortName.toLowerCase().match(/[a-z0-9]+/g)?.join("-");
      if (word) {
        location.hash = `#/projects/${context.id}/providers/${`oidc-${word}`.slice(0, NAME_LENGTH)}`;
      }
    },
  });
  return () => html`<h1>${messages.project.providers}</h1>
    <section>
    <p class="note">${texts.help}</p>
    ${list()}
  </section>
  ${context.isDeveloper
    ? html`<section>
      <h2>${texts.another}</h2>
      <p class="note">${texts.anotherHelp}</p>
      ${another()}
    </section>`
    : nothing}`;
}

/**
 * What one more provider needs, which the project has named but not set up.
 * @param {readonly AvailableProvider[]} available
 * @param {string} name
 * @returns {AvailableProvider | undefined}
 */
function notYetSetUp(available, name) {
  const oidc = OWN.test(name) ? available.find(({ provider }) => provider === "oidc") : undefined;
  return oidc && { ...oidc, provider: name, name, redirectUri: `${oidc.redirectUri}.${name}` };
}

/** @param {Schemas["ProviderSettings"] | undefined} settings */
const stateOf = (settings) => (settings ? (settings.enabled ? texts.on : texts.off) : texts.notSet);

/**
 * @param {ProjectContext} context
 * @param {string} name
 */
export function providerView(context, name) {
  return loadedView(
    async () => {
      const { available, providers } = await call("GET", `${context.path}/providers`);
      const settings = providers.find(({ provider }) => provider === name);
      const kind = available.find(({ provider }) => provider === name) ?? notYetSetUp(available, name);
      return kind
        ? knownProviderView(context, kind, settings)
        : unknownProviderView(context, name, settings !== undefined);
    },
    (view) => view(),
  );
}

/** @param {ProjectContext} context */
const crumbView = (context) =>
  html`<p class="crumb"><a href="#/projects/${context.id}/providers">${texts.back}</a></p>`;

/**
 * @param {ProjectContext} context
 * @param {string} name
 */
export const pathOf = (context, name) => /** @type {const} */ (`${context.path}/providers/${encodeURIComponent(name)}`);

/**
 * @param {ProjectContext} context
 * @param {string} id
 * @param {string} name
 */
function removeButton(context, id, name) {
  const remove = () =>
    askFirst(
      fill(texts.removeAsk, { name }),
      texts.remove,
      reported(async () => {
        await call("DELETE", pathOf(context, id));
        location.hash = `#/projects/${context.id}/providers`;
      }, texts.removed),
    );
  return html`<button type="button" class="danger" @click=${remove}>${fill(texts.removeOf, { name })}</button>`;
}

/**
 * @param {ProjectContext} context
 * @param {string} name
 * @param {boolean} isSetUp
 * @returns {View}
 */
const unknownProviderView = (context, name, isSetUp) => () => html`${crumbView(context)}
  <h1>${name}</h1>
  <section>
  <p>${isSetUp ? texts.gone : messages.notFound}</p>
  ${isSetUp && context.isDeveloper ? removeButton(context, name, name) : nothing}
</section>`;

/**
 * @param {ProjectContext} context
 * @param {AvailableProvider} kind
 * @param {Schemas["ProviderSettings"] | undefined} saved
 * @returns {View}
 */
function knownProviderView(context, kind, saved) {
  const path = pathOf(context, kind.provider);
  const isNamed = kindOf(kind.provider) === "oidc"; // by the project
  let own = saved;
  const icon = { dataUrl: saved?.icon ?? null };
  /** @type {string[]} */
  let warnings = [];
  const trial = trialView(path);

  const editor = formView("provider", {
    fields: () => [
      { name: "enabled", type: "checkbox", label: texts.enabled, value: own?.enabled ?? true },
      ...(isNamed
        ? /** @type {const} */ ([
            { name: "name", label: messages.name, help: texts.nameHelp, value: own?.name },
            { name: "icon", help: texts.iconHelp, ...pictureField(texts.icon, texts.removeIcon, icon) },
          ])
        : []),
      { name: "clientId", label: texts.clientId, help: clientIdHelp(kind.provider), value: own?.clientId, required: true },
      secretField(kind, own !== undefined),
      ...kind.settings.map((setting) => ({
        name: setting.name,
        type: /** @type {"url" | "text"} */ (setting.name === "issuer" ? "url" : "text"),
        label: texts[setting.name],
        help: SETTING_HELP[setting.name],
        value: own?.[setting.name] ?? setting.defaultValue,
        required: setting.defaultValue === null,
        suggestions: setting.name === "tenant" ? TENANTS : undefined,
      })),
      {
        name: "scopes",
        label: texts.scopes,
        help: kind.scopes.length > 0 ? fill(texts.scopesHelp, { scopes: kind.scopes.join(" ") }) : texts.noScopes,
        value: own?.scopes?.join(" "),
      },
      {
        name: "oauthFlow",
        type: "select",
        label: texts.flow,
        value: own?.oauthFlow ?? "auto",
        options: FLOWS.map((flow) => /** @type {const} */ ([flow, texts.flows[flow]])),
      },
      ...(kind.hasNativeSignIn
        ? /** @type {const} */ ([
            {
              name: "nativeClientIds",
              type: "lines",
              label: texts.nativeClientIds,
              help: texts.nativeClientIdsHelp,
              value: own?.nativeClientIds.join("\n"),
            },
          ])
        : []),
      { name: "storeTokens", type: "checkbox", label: texts.storeTokens, help: texts.storeTokensHelp, value: own?.storeTokens },
    ],
    button: messages.save,
    submit: async (values, element) => {
      const scopes = wordsOf(values.scopes);
      const change = {
        clientId: values.clientId.trim(),
        enabled: values.enabled,
        scopes: scopes.length > 0 ? scopes : null,
        oauthFlow: /** @type {Schemas["OauthFlow"]} */ (values.oauthFlow),
        storeTokens: values.storeTokens,
        ...Object.fromEntries(kind.settings.map(({ name }) => [name, values[name].trim() || null])),
        ...(isNamed ? { name: values.name.trim() || null, icon: icon.dataUrl } : {}),
        ...(kind.hasNativeSignIn ? { nativeClientIds: wordsOf(values.nativeClientIds) } : {}),
        ...(values.clientSecret.trim() ? { clientSecret: values.clientSecret.trim() } : {}),
      };
      ({ warnings, ...own } = await call("PUT", path, change));
      /** @type {HTMLInputElement} */ (element.elements.namedItem("clientSecret")).value = "";
      announce(messages.saved);
    },
  });

  const registrationView = () => html`<p>${fill(texts.register, { name: kind.registrationUrl ? kind.name : texts.yours })}</p>
    ${secretView(texts.redirectUri, kind.redirectUri)}
    <p class="links">
      ${isUrl(kind.registrationUrl)
        ? html`<a href=${kind.registrationUrl} target="_blank" rel="noopener noreferrer"
            >${fill(texts.toProvider, { name: kind.name })}</a
          >`
        : nothing}
      <a href=${guideOf(kind.provider)} target="_blank">${texts.guide}</a>
    </p>`;

  return () => html`${crumbView(context)}
      <div class="head">
        ${markView(kind.provider, own?.icon)}
        <h1>${own?.name ?? kind.name}</h1>
        <span class="tag ${own?.enabled ? "good" : ""}">${stateOf(own)}</span>
      </div>
      <section>
      ${context.isDeveloper ? registrationView() : own ? factsView(kind, own) : nothing}
    </section>
    ${context.isDeveloper
      ? html`<section>
            <h2>${own ? texts.change : texts.setUp}</h2>
            ${warnings.map((warning) => html`<p class="wrong" role="alert">${warning}</p>`)} ${editor()}
          </section>
          ${own
            ? html`<section>
                  <h2>${texts.test}</h2>
                  ${trial()}
                </section>
                <section class="dangerous">
                  <h2>${texts.remove}</h2>
                  <p>${texts.removeHelp}</p>
                  ${removeButton(context, kind.provider, own?.name ?? kind.name)}
                </section>`
            : nothing}`
      : nothing}`;
}

/** @param {string} provider */
const clientIdHelp = (provider) => /** @type {Record<string, string | undefined>} */ (texts.clientIds)[provider];

const SETTING_HELP = { issuer: texts.issuerHelp, tenant: texts.tenantHelp, teamId: undefined, keyId: undefined };

/**
 * @param {AvailableProvider} kind
 * @param {boolean} isSetUp
 * @returns {(TextField | LinesField) & { name: "clientSecret" }}
 */
function secretField(kind, isSetUp) {
  return kind.hasPrivateKey
    ? {
        name: "clientSecret",
        type: "lines",
        rows: 6,
        label: texts.privateKey,
        help: isSetUp ? texts.keepSecret : texts.privateKeyHelp,
      }
    : {
        name: "clientSecret",
        type: "password",
        autocomplete: "new-password",
        label: texts.clientSecret,
        help: isSetUp ? texts.keepSecret : undefined,
        required: !isSetUp,
      };
}

/**
 * What a viewer sees of the settings.
 * @param {AvailableProvider} kind
 * @param {Schemas["ProviderSettings"]} settings
 */
const factsView = (kind, settings) => html`<dl>
  <dt>${texts.clientId}</dt>
  <dd><code>${settings.clientId}</code></dd>
  ${kind.settings.map(
    ({ name }) =>
      html`<dt>${texts[name]}</dt>
        <dd>${settings[name] ?? messages.none}</dd>`,
  )}
  <dt>${texts.scopes}</dt>
  <dd>${(settings.scopes ?? kind.scopes).join(" ") || messages.none}</dd>
</dl>`;

/**
 * A real sign in at the provider in another window; the server reports the outcome.
 * @param {ReturnType<typeof pathOf>} path
 * @returns {View}
 */
export function trialView(path) {
  /** @type {Schemas["ProviderTest"] | "over" | "replaced" | null} */
  let trial = null;
  /** @type {string | null} */
  let url = null;
  const page = location.hash;

  /** @param {string} begunAt */
  const isWaitedFor = (begunAt) =>
    currentUser() !== null &&
    location.hash === page &&
    typeof trial === "object" &&
    trial?.begunAt === begunAt &&
    trial.status === "pending";

  /** @param {string} begunAt */
  async function waitForOutcome(begunAt) {
    while (isWaitedFor(begunAt)) {
      await new Promise((resolve) => setTimeout(resolve, POLL));
      if (!isWaitedFor(begunAt)) {
        return;
      }
      try {
        const now = await call("GET", `${path}/test`);
        trial = now.begunAt === begunAt ? now : "replaced";
      } catch (failure) {
        const refused = asRefusal(failure);
        if (refused.status === 404) {
          trial = "over";
        } else if (refused.status !== 0) {
          trial = null;
          announce(refused.message, { stays: true, lang: refused.lang });
        }
      }
      update();
    }
  }

  const begin = reported(async () => {
    trial = null;
    const begun = await call("POST", `${path}/test`);
    trial = begun;
    url = isUrl(begun.url) ? begun.url : null;
    update();
    if (url) {
      window.open(url, "_blank", "noopener,noreferrer");
      waitForOutcome(begun.begunAt);
    }
  });

  const outcomeView = () => {
    if (trial === null) {
      return nothing;
    }
    if (trial === "over" || trial === "replaced") {
      return html`<p class="wrong">${texts[trial]}</p>`;
    }
    if (trial.identity) {
      const { email, emailVerified, displayName, subject } = trial.identity;
      return html`<p class="good">${texts.passed}</p>
        <dl>
          <dt>${messages.email}</dt>
          <dd>
            ${email ?? messages.none} ${email ? html`(${emailVerified ? texts.isVerified : texts.isNotVerified})` : nothing}
          </dd>
          <dt>${messages.name}</dt>
          <dd>${displayName ?? messages.none}</dd>
          <dt>${texts.subject}</dt>
          <dd><code>${subject}</code></dd>
        </dl>`;
    }
    if (trial.problem) {
      return html`<p class="wrong">${texts.failed}</p>
        <p>${texts.problems[trial.problem.kind]}</p>
        <p class="help">${trial.problem.message}</p>`;
    }
    return html`<p>${texts.waiting}</p>
      <p><a href=${url} target="_blank" rel="noopener noreferrer">${texts.openAgain}</a></p>
      <p class="help">${texts.waitingHelp}</p>`;
  };

  return () => html`<p class="note">${texts.testHelp}</p>
    <div role="status">${outcomeView()}</div>
    <div class="row"><button type="button" @click=${begin}>${texts.begin}</button></div>`;
}
