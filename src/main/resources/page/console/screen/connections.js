// @ts-check
/** The identity providers that an organization has connected, and who must use them. */
import { call } from "../api.js";
import { fill, messages } from "../messages.js";
import { announce, askFirst, formView, html, loadedView, nothing, reported, secretView, tableView } from "../parts.js";
import { pathOf, trialView } from "./providers.js";

const texts = messages.connections;
const words = messages.providers;
const GUIDE = "../docs/enterprise-sso";

/** @typedef {Schemas["OrganizationConnection"]} Connection */

/** @param {Connection} connection */
const stateView = ({ enabled }) => html`<span class="tag ${enabled ? "good" : ""}">${enabled ? words.on : words.off}</span>`;

/** @param {string[]} warnings */
const warningsView = (warnings) => warnings.map((warning) => html`<p class="wrong" role="alert" lang="en">${warning}</p>`);

/**
 * @param {ProjectContext} context
 * @param {OrganizationPlace} place
 * @param {(domain: Schemas["OrganizationDomain"], reload: () => Promise<void>) => unknown} policyView
 * @returns {View}
 */
export function connectionsTab(context, { path, here }, policyView) {
  const inProject = /** @type {const} */ (`projectId=${context.id}`);
  let reload = async () => {};
  /** @type {string[]} */
  let warnings = [];
  const add = formView("connection", {
    fields: fieldsOf(),
    button: texts.add,
    submit: async ({ name, issuer, clientId, clientSecret }, element) => {
      ({ warnings } = await call("POST", `${path}/connections?${inProject}`, {
        name: name.trim(),
        issuer: issuer.trim(),
        clientId: clientId.trim(),
        clientSecret: clientSecret.trim(),
      }));
      element.reset();
      announce(texts.added);
      await reload();
    },
  });

  /** @param {Connection[]} connections */
  const listView = (connections) =>
    connections.length === 0
      ? html`<p class="blank">${texts.empty}</p>`
      : tableView(
          texts.title,
          [messages.name, words.state, words.issuer],
          connections.map((connection) => [
            html`<a href="${here}/connections/${connection.id}">${connection.name}</a>`,
            stateView(connection),
            html`<code>${connection.issuer}</code>`,
          ]),
        );

  /** @param {Schemas["OrganizationDomain"][]} domains */
  const domainsView = (domains) => html`<section>
    <h2>${texts.required}</h2>
    <p class="note">${texts.requiredHelp}</p>
    ${tableView(
      texts.required,
      [messages.organizations.domain, messages.organizations.policy, messages.members.status],
      domains.map((domain) => [
        domain.domain,
        policyView(domain, reload),
        messages.organizations.states[domain.status],
      ]),
    )}
  </section>`;

  return loadedView(
    async () => {
      const [connections, domains, { redirectUri }] = await Promise.all([
        call("GET", `${path}/connections?${inProject}`),
        call("GET", `${path}/domains?${inProject}`),
        call("GET", `${context.path}/providers`),
      ]);
      return { connections, domains, redirectUri: `${redirectUri}/${path.split("/").at(-1)}` };
    },
    ({ connections, domains, redirectUri }, reloadAll) => {
      reload = reloadAll;
      return html`<section>
          <p class="note">${texts.help}</p>
          ${listView(connections)}
        </section>
        ${domains.length === 0 ? nothing : domainsView(domains)}
        ${context.isDeveloper
          ? html`<section>
              <h2>${texts.add}</h2>
              <p>${fill(words.register, { name: words.yours })} <a href=${GUIDE} target="_blank">${words.guide}</a></p>
              ${secretView(words.redirectUri, redirectUri)} ${warningsView(warnings)} ${add()}
            </section>`
          : nothing}`;
    },
  );
}

/** @param {Connection} [stored] */
const fieldsOf = (stored) =>
  /** @type {const} */ ([
    { name: "name", label: messages.name, help: texts.nameHelp, value: stored?.name, required: true },
    { name: "issuer", type: "url", label: words.issuer, help: words.issuerHelp, value: stored?.issuer, required: true },
    { name: "clientId", label: words.clientId, value: stored?.clientId, required: true },
    {
      name: "clientSecret",
      type: "password",
      autocomplete: "new-password",
      label: words.clientSecret,
      help: stored ? words.keepSecret : undefined,
      required: !stored,
    },
  ]);

/**
 * One of them, with a test of what is stored.
 * @param {ProjectContext} context
 * @param {OrganizationPlace} place
 * @param {string} id
 * @returns {View}
 */
export function connectionView(context, { path, here }, id) {
  const inProject = /** @type {const} */ (`projectId=${context.id}`);
  const connection$ = /** @type {const} */ (`${path}/connections/${encodeURIComponent(id)}`);
  return loadedView(
    async () => {
      const connections = await call("GET", `${path}/connections?${inProject}`);
      const stored = connections.find((one) => one.id === id);
      return stored ? openView(stored) : () => html`<section><p>${messages.notFound}</p></section>`;
    },
    (view) => html`<p class="crumb"><a href="${here}/connections">${texts.back}</a></p>
      ${view()}`,
  );

  /**
   * @param {Connection} stored
   * @returns {View}
   */
  function openView(stored) {
    /** @type {string[]} */
    let warnings = [];
    const trial = trialView(pathOf(context, stored.provider));
    const editor = formView("connection", {
      fields: () =>
        /** @type {const} */ ([
          { name: "enabled", type: "checkbox", label: words.enabled, value: stored.enabled },
          ...fieldsOf(stored),
        ]),
      button: messages.save,
      submit: async ({ enabled, name, issuer, clientId, clientSecret }, element) => {
        const secret = clientSecret.trim();
        ({ warnings, ...stored } = await call("PATCH", `${connection$}?${inProject}`, {
          enabled,
          name: name.trim(),
          issuer: issuer.trim(),
          clientId: clientId.trim(),
          ...(secret ? { clientSecret: secret } : {}),
        }));
        /** @type {HTMLInputElement} */ (element.elements.namedItem("clientSecret")).value = "";
        announce(messages.saved);
      },
    });
    const remove = reported(async () => {
      await call("DELETE", `${connection$}?${inProject}`);
      location.hash = `${here}/connections`;
    }, words.removed);
    const factsView = () => html`<dl>
      <dt>${words.issuer}</dt>
      <dd>${stored.issuer}</dd>
      <dt>${words.clientId}</dt>
      <dd><code>${stored.clientId}</code></dd>
    </dl>`;
    return () => html`<section>
        <div class="head">
          <h2>${stored.name}</h2>
          ${stateView(stored)}
        </div>
        ${warningsView(warnings)} ${context.isDeveloper ? editor() : factsView()}
      </section>
      ${context.isDeveloper
        ? html`<section>
              <h2>${words.test}</h2>
              ${trial()}
            </section>
            <section class="dangerous">
              <h2>${words.remove}</h2>
              <p>${texts.removeHelp}</p>
              <button
                type="button"
                class="danger"
                @click=${() => askFirst(fill(words.removeAsk, { name: stored.name }), words.remove, remove)}
              >
                ${fill(words.removeOf, { name: stored.name })}
              </button>
            </section>`
        : nothing}`;
  }
}
