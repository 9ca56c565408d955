// @ts-check
/** The applications that sign users in by OAuth, each of a kind that decides how it gets tokens. */
import { ApiError, asRefusal, call } from "../api.js";
import { fill, messages } from "../messages.js";
import {
  announce,
  askFirst,
  formView,
  html,
  idView,
  isSame,
  loadedView,
  nothing,
  reported,
  secretView,
  tableView,
  timeView,
  update,
  wordsOf,
} from "../parts.js";

const texts = messages.applications;
const KINDS = /** @type {const} */ (["web", "spa", "native", "service", "api"]);
const ENDPOINTS = /** @type {const} */ (["authorization_endpoint", "token_endpoint", "jwks_uri"]);
const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/;
const SECRETS = 2;

/** @typedef {typeof KINDS[number]} Kind */
/** @typedef {Schemas["OauthClientWithSecrets"]} Client */
/** @typedef {Schemas["OauthApi"]} Api */

/** @param {Kind} kind */
const hasUsers = (kind) => kind !== "service" && kind !== "api";

/** @param {Kind} kind */
const keepsSecret = (kind) => kind !== "spa" && kind !== "native";

/** @param {ProjectContext} context */
const rootOf = (context) => `#/projects/${context.id}/applications`;

/** @param {ProjectContext} context */
const crumbView = (context) => html`<p class="crumb"><a href=${rootOf(context)}>${texts.back}</a></p>`;

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
export function applicationsView(context) {
  const list = loadedView(
    () => call("GET", `${context.path}/oauth-clients`),
    ({ clients }) =>
      clients.length === 0
        ? html`<p class="blank">${texts.empty}</p>`
        : tableView(
            messages.project.applications,
            [messages.name, texts.kind, texts.clientId, texts.created],
            clients.map(({ clientId, name, kind, createdAt }) => [
              html`<a href="${rootOf(context)}/${clientId}">${name}</a>`,
              html`<span class="tag">${texts.kinds[kind]}</span>`,
              html`<code>${clientId}</code>`,
              timeView(createdAt),
            ]),
          ),
  );
  const issuer = loadedView(() => issuerOf(context), issuerView);
  return () => html`<h1>${messages.project.applications}</h1>
    <section>
      <p class="note">${texts.help}</p>
      ${list()}
    </section>
    ${context.isDeveloper
      ? html`<h2>${texts.new}</h2>
          <ul class="cards">
            ${KINDS.map(
              (kind) =>
                html`<li>
                  <div>
                    <a href="${rootOf(context)}/new/${kind}">${texts.kinds[kind]}</a>
                    <p class="help">${texts.kindHelp[kind]}</p>
                  </div>
                </li>`,
            )}
          </ul>`
      : nothing}
    <section>
      <h2>${texts.issuer}</h2>
      ${issuer()}
    </section>`;
}

/**
 * What applications need to know about the server; null where it has no address that they could trust.
 * @param {ProjectContext} context
 */
async function issuerOf(context) {
  try {
    return await call("GET", `projects/${context.id}/.well-known/openid-configuration`);
  } catch (failure) {
    if (asRefusal(failure).status === 404) {
      return null;
    }
    throw failure;
  }
}

/** @param {Schemas["Issuer"] | null} issuer */
const issuerView = (issuer) => html`<p>${texts.issuerHelp}</p>
  ${issuer === null || LOOPBACK.test(issuer.issuer) ? html`<p class="wrong">${texts.local}</p>` : nothing}
  ${issuer === null
    ? nothing
    : html`${secretView(texts.issuer, issuer.issuer)}
      ${secretView(texts.discovery, `${issuer.issuer}/.well-known/openid-configuration`)}
      ${ENDPOINTS.map((name) => secretView(texts.endpoints[name], issuer[name]))}`}`;

/**
 * @param {ProjectContext} context
 * @param {string} kindOfAddress
 * @returns {View}
 */
export function newApplicationView(context, kindOfAddress) {
  const kind = KINDS.find((name) => name === kindOfAddress) ?? "web";
  /** @type {Client | null} */
  let made = null;
  const create = loadedView(
    () => call("GET", `${context.path}/oauth-apis`),
    (() => {
      /** @type {View | null} */
      let form = null;
      return ({ apis }) => {
        form ??= formView("new-application", {
          fields: [{ name: "name", label: messages.name, help: texts.nameHelp, required: true }, ...fieldsOf(kind, apis, null)],
          button: texts.create,
          submit: async (values) => {
            made = await call("POST", `${context.path}/oauth-clients`, { ...changeOf(kind, apis, values), kind, name: values.name.trim() });
            update();
          },
        });
        return form();
      };
    })(),
  );
  return () =>
    made === null
      ? html`${crumbView(context)}
          <h1>${fill(texts.newOf, { kind: texts.kinds[kind] })}</h1>
          <section class="slim">
            <p>${texts.kindHelp[kind]}</p>
            ${create()}
          </section>`
      : html`${crumbView(context)}
          <h1>${texts.madeTitle}</h1>
          <section class="slim">
            ${made.clientSecret ? html`<p role="status">${texts.secretOnce}</p>` : nothing}
            ${secretView(texts.clientId, made.clientId)}
            ${made.clientSecret ? secretView(texts.secret, made.clientSecret) : nothing}
            <p><a class="button main" href="${rootOf(context)}/${made.clientId}">${texts.toSettings}</a></p>
          </section>`;
}

/**
 * The fields that decide what an application of this kind can do.
 * @param {Kind} kind
 * @param {Api[]} apis
 * @param {Client | null} client
 * @returns {Field[]}
 */
function fieldsOf(kind, apis, client) {
  const uris = [...new Set([...apis.map(({ uri }) => uri), ...(client?.resource ? [client.resource] : [])])];
  return [
    ...(hasUsers(kind)
      ? /** @type {const} */ ([
          {
            name: "redirectUris",
            type: "lines",
            label: texts.redirectUris,
            help: kind === "native" ? texts.redirectUrisNative : texts.redirectUrisHelp,
            value: client?.redirectUris.join("\n"),
          },
          {
            name: "firstParty",
            type: "checkbox",
            label: texts.firstParty,
            help: texts.firstPartyHelp,
            value: client?.firstParty ?? true,
          },
        ])
      : []),
    ...(kind === "service"
      ? apis
          .filter(({ scopes }) => scopes.length > 0)
          .map(({ id, name, uri, scopes }) => /** @type {const} */ ({
            name: `scopes.${id}`,
            type: "choices",
            label: fill(texts.scopesOf, { name }),
            value: client?.apiScopes[uri] ?? [],
            options: scopes.map((scope) => /** @type {const} */ ([scope.name, scope.name])),
          }))
      : []),
    ...(kind === "api"
      ? /** @type {const} */ ([
          {
            name: "resource",
            label: texts.resource,
            help: texts.resourceHelp,
            value: client?.resource,
            required: true,
            suggestions: uris,
          },
        ])
      : []),
  ];
}

/**
 * What the fields say, as the server takes it.
 * @param {Kind} kind
 * @param {Api[]} apis
 * @param {any} values
 * @returns {Schemas["OauthClientChange"]}
 */
function changeOf(kind, apis, values) {
  const scopes = apis
    .map(({ id, uri }) => /** @type {const} */ ([uri, values[`scopes.${id}`] ?? []]))
    .filter(([, names]) => names.length > 0);
  return {
    name: values.name.trim(),
    ...(hasUsers(kind) ? { redirectUris: wordsOf(values.redirectUris), firstParty: values.firstParty } : {}),
    ...(kind === "service" ? { apiScopes: Object.fromEntries(scopes) } : {}),
    ...(kind === "api" ? { resource: values.resource.trim() } : {}),
  };
}

/**
 * @param {ProjectContext} context
 * @param {string} id
 */
export function applicationView(context, id) {
  const path = /** @type {const} */ (`${context.path}/oauth-clients/${encodeURIComponent(id)}`);
  return loadedView(
    async () => {
      const [client, { apis }] = await Promise.all([call("GET", path), call("GET", `${context.path}/oauth-apis`)]);
      return clientView(context, path, client, apis);
    },
    (view) => view(),
  );
}

/**
 * @param {ProjectContext} context
 * @param {`${ProjectPath}/oauth-clients/${string}`} path
 * @param {Client} loaded
 * @param {Api[]} apis
 * @returns {View}
 */
function clientView(context, path, loaded, apis) {
  let client = loaded;
  const { kind } = client;
  /** @type {Schemas["OauthClientSecret"] | null} */
  let made = null;

  const editor = formView("application", {
    fields: () => [
      { name: "name", label: messages.name, value: client.name, required: true },
      ...fieldsOf(kind, apis, client),
      ...detailFields(client),
    ],
    button: messages.save,
    submit: async (values) => {
      const before = /** @type {Record<string, unknown>} */ ({ ...client });
      const change = Object.entries({ ...changeOf(kind, apis, values), ...detailsOf(values) });
      const changed = change.filter(([name, value]) => !isSame(value, before[name]));
      if (changed.length > 0) {
        client = await call("PATCH", path, Object.fromEntries(changed));
      }
      announce(messages.saved);
    },
  });

  const addSecret = reported(async () => {
    made = await call("POST", `${path}/secrets`);
    client = await call("GET", path);
    update();
  });

  /** @param {string} secretId */
  const removeSecret = (secretId) =>
    reported(async () => {
      await call("DELETE", `${path}/secrets/${secretId}`);
      client = await call("GET", path);
      made = null;
      update();
    }, texts.secretRemoved);

  const secretsView = () => html`<section>
    <h2>${texts.secrets}</h2>
    <p class="note">${texts.secretsHelp}</p>
    ${made
      ? html`<p role="status">${texts.secretOnce}</p>
          ${secretView(texts.secret, made.clientSecret)}`
      : nothing}
    ${client.secrets.length === 0
      ? nothing
      : tableView(
          texts.secrets,
          [texts.secret, texts.created, ...(context.isDeveloper ? [""] : [])],
          client.secrets.map(({ id, ending, createdAt }) => [
            html`<code>…${ending}</code>`,
            timeView(createdAt),
            ...(context.isDeveloper
              ? [
                  html`<button
                    type="button"
                    aria-label=${fill(texts.removeOf, { name: `…${ending}` })}
                    @click=${() => askFirst(fill(texts.removeSecretAsk, { ending }), texts.remove, removeSecret(id))}
                  >
                    ${texts.remove}
                  </button>`,
                ]
              : []),
          ]),
        )}
    ${context.isDeveloper && client.secrets.length < SECRETS
      ? html`<div class="row"><button type="button" @click=${addSecret}>${texts.addSecret}</button></div>`
      : nothing}
  </section>`;

  /** @param {Client["federatedIdentities"]} federatedIdentities */
  const changeWorkloads = async (federatedIdentities) => {
    client = await call("PATCH", path, { federatedIdentities });
    update();
  };

  const addWorkload = formView("new-workload", {
    fields: [
      { name: "issuer", label: texts.workloadIssuer, required: true, suggestions: ISSUERS },
      { name: "subject", label: texts.workloadSubject, help: texts.workloadSubjectHelp, required: true },
      { name: "audience", label: texts.workloadAudience, help: texts.workloadAudienceHelp },
      { name: "singleUse", type: "checkbox", label: texts.workloadOnce, value: true },
      { name: "jwks", type: "lines", label: texts.workloadKeys, help: texts.workloadKeysHelp },
    ],
    button: texts.addWorkload,
    submit: async ({ issuer, subject, audience, singleUse, jwks }, element) => {
      const workload = {
        issuer: issuer.trim(),
        subject: subject.trim(),
        audience: audience.trim() || null,
        singleUse,
        jwks: jwks.trim() ? parsed(jwks) : null,
      };
      try {
        await changeWorkloads([...client.federatedIdentities, workload]);
      } catch (failure) {
        throw ofItem(failure);
      }
      element.reset();
    },
  });

  /** @param {number} place */
  const removeWorkload = (place) =>
    reported(
      () => changeWorkloads(client.federatedIdentities.filter((_, index) => index !== place)),
      texts.workloadRemoved,
    );

  const workloadsView = () => html`<section>
    <h2>${texts.workloads}</h2>
    <p class="note">${texts.workloadsHelp}</p>
    ${client.federatedIdentities.length === 0
      ? nothing
      : tableView(
          texts.workloads,
          [
            texts.workloadIssuer,
            texts.workloadSubject,
            texts.workloadAudience,
            ...(context.isDeveloper ? [""] : []),
          ],
          client.federatedIdentities.map(({ issuer, subject, audience }, place) => [
            html`<code>${issuer}</code>`,
            html`<code>${subject}</code>`,
            audience ? html`<code>${audience}</code>` : nothing,
            ...(context.isDeveloper
              ? [
                  html`<button
                    type="button"
                    aria-label=${fill(texts.removeOf, { name: subject })}
                    @click=${() => askFirst(fill(texts.removeWorkloadAsk, { name: subject }), texts.remove, removeWorkload(place))}
                  >
                    ${texts.remove}
                  </button>`,
                ]
              : []),
          ]),
        )}
    ${context.isDeveloper ? addWorkload() : nothing}
  </section>`;

  const remove = reported(async () => {
    await call("DELETE", path);
    location.hash = rootOf(context);
  }, texts.removed);

  return () => html`${crumbView(context)}
    <div class="head">
      <h1>${client.name}</h1>
      <span class="tag">${texts.kinds[kind]}</span>
    </div>
    ${idView(texts.clientId, client.clientId)}
    <section>
      ${context.isDeveloper ? html`<h2>${messages.project.settings}</h2>${editor()}` : factsView(client)}
    </section>
    ${keepsSecret(kind) ? secretsView() : nothing} ${kind === "service" ? workloadsView() : nothing}
    ${context.isDeveloper
      ? html`<section class="dangerous">
          <h2>${texts.delete}</h2>
          <p>${texts.deleteHelp}</p>
          <button
            type="button"
            class="danger"
            @click=${() => askFirst(fill(texts.deleteAsk, { name: client.name }), texts.delete, remove)}
          >
            ${texts.delete}
          </button>
        </section>`
      : nothing}`;
}

/** Of platforms that many have; there are others. */
const ISSUERS = ["https://token.actions.githubusercontent.com", "https://gitlab.com"];

/**
 * Text that is no JSON goes to the server as it is, which says what is wrong.
 * @param {string} text
 * @returns {any}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * A refusal of a workload names its place in the list, which the form for one does not have.
 * @param {unknown} failure
 */
function ofItem(failure) {
  const { status, message, details, lang } = /** @type {ApiError} */ (failure);
  const own = details?.map((detail) => ({ ...detail, field: detail.field.replace(/^federatedIdentities\.\d+\./, "") }));
  return new ApiError(status, message, own, { lang });
}

/** Those that go to the server as they are. */
const DETAILS = /** @type {const} */ ([
  "requirePkce",
  "requirePushedRequests",
  "deviceFlow",
  "tokenExchange",
  "dpopBoundAccessTokens",
  "authentication",
  "idTokenAlgorithm",
  "claimsInIdToken",
]);

/**
 * @param {any} values
 * @returns {Schemas["OauthClientChange"]}
 */
const detailsOf = (values) => ({
  ...Object.fromEntries(DETAILS.filter((name) => name in values).map((name) => [name, values[name]])),
  ...("postLogoutRedirectUris" in values
    ? {
        postLogoutRedirectUris: wordsOf(values.postLogoutRedirectUris),
        backchannelLogoutUri: values.backchannelLogoutUri.trim() || null,
      }
    : {}),
  ...("jwks" in values
    ? { jwksUri: values.jwksUri.trim() || null, jwks: values.jwks.trim() ? parsed(values.jwks) : null }
    : {}),
});

/**
 * @param {Client} client
 * @param {"requirePkce" | "requirePushedRequests" | "deviceFlow" | "tokenExchange" | "dpopBoundAccessTokens"} name
 */
const switchOf = (client, name) =>
  /** @type {const} */ ({ name, type: "checkbox", label: texts[name], help: texts[`${name}Help`], value: client[name] });

/**
 * Those with a default that suits nearly everybody.
 * @param {Client} client
 * @returns {Field[]}
 */
const detailFields = (client) => [
  ...(hasUsers(client.kind)
    ? /** @type {const} */ ([
        {
          name: "postLogoutRedirectUris",
          type: "lines",
          label: texts.postLogoutRedirectUris,
          value: client.postLogoutRedirectUris.join("\n"),
        },
        {
          name: "backchannelLogoutUri",
          label: texts.backchannelLogoutUri,
          help: texts.backchannelLogoutUriHelp,
          value: client.backchannelLogoutUri,
        },
        ...(client.kind === "web" ? [switchOf(client, "requirePkce")] : []),
        switchOf(client, "requirePushedRequests"),
        switchOf(client, "deviceFlow"),
      ])
    : []),
  ...(client.kind === "web" || client.kind === "api" ? [switchOf(client, "tokenExchange")] : []),
  switchOf(client, "dpopBoundAccessTokens"),
  ...(keepsSecret(client.kind)
    ? /** @type {const} */ ([
        {
          name: "authentication",
          type: "select",
          label: texts.authentication,
          value: client.authentication,
          options: [
            ["any", texts.anyAuthentication],
            ["client_secret_basic", "client_secret_basic"],
            ["client_secret_post", "client_secret_post"],
            ["private_key_jwt", "private_key_jwt"],
            ...(client.kind === "service" ? [/** @type {const} */ (["federated_identity", "federated_identity"])] : []),
          ],
        },
        { name: "jwksUri", label: texts.jwksUri, help: texts.jwksUriHelp, value: client.jwksUri },
        {
          name: "jwks",
          type: "lines",
          label: texts.jwks,
          help: texts.jwksHelp,
          value: client.jwks ? JSON.stringify(client.jwks, null, 2) : "",
        },
      ])
    : []),
  ...(hasUsers(client.kind)
    ? /** @type {const} */ ([
        {
          name: "idTokenAlgorithm",
          type: "select",
          label: texts.idTokenAlgorithm,
          value: client.idTokenAlgorithm,
          options: [
            ["RS256", "RS256"],
            ["ES256", "ES256"],
          ],
        },
        { name: "claimsInIdToken", type: "checkbox", label: texts.claimsInIdToken, value: client.claimsInIdToken },
      ])
    : []),
];

/**
 * What a viewer sees.
 * @param {Client} client
 */
const factsView = (client) => html`<dl>
  ${hasUsers(client.kind)
    ? html`<dt>${texts.redirectUris}</dt>
        <dd>${client.redirectUris.join(" ")}</dd>
        <dt>${texts.firstParty}</dt>
        <dd>${client.firstParty ? messages.users.yes : messages.users.no}</dd>`
    : nothing}
  ${client.resource
    ? html`<dt>${texts.resource}</dt>
        <dd>${client.resource}</dd>`
    : nothing}
  ${Object.entries(client.apiScopes).map(
    ([uri, scopes]) =>
      html`<dt>${fill(texts.scopesOf, { name: uri })}</dt>
        <dd>${scopes.join(" ")}</dd>`,
  )}
</dl>`;
