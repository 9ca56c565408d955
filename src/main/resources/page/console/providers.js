/** With whom users may sign in: what each provider needs, what it must be told, and a sign in that tries it. */
import { call } from "./api.js";
import { t } from "./messages.js";
import { action, ask, form, html, loaded, nothing, say, secret, table, update } from "./parts.js";

const x = t.providers;
const GUIDE = "../docs/sign-in-providers";
/** The guide's sections, where they are not named as the provider is. */
const SECTIONS = { oidc: "any-openid-provider" };
const GUIDED = ["google", "github", "apple", "microsoft", "facebook", "discord", "kakao", "naver", "line", "x", "oidc"];
const POLL = 1500; // milliseconds
const TENANTS = ["common", "organizations", "consumers"];
const FLOWS = ["auto", "popup", "redirect"];

const words = (text) => text.split(/[\s,]+/).filter((word) => word !== "");
const isUrl = (text) => /^https?:\/\//.test(text ?? "");
const guideOf = (name) => (GUIDED.includes(name) ? `${GUIDE}#${SECTIONS[name] ?? name}` : GUIDE);

export function providers(space) {
  const list = loaded(
    () => call("GET", `${space.path}/providers`),
    ({ available, providers: set }) =>
      table(
        t.project.providers,
        [x.provider, x.state, x.clientId],
        [
          ...available,
          // Which the operator has taken out of the catalogue: they can only be removed.
          ...set.filter((one) => !available.some((known) => known.provider === one.provider)).map((one) => ({ ...one, name: one.provider })),
        ].map(({ provider, name }) => {
          const own = set.find((one) => one.provider === provider);
          return [
            html`<a href="#/projects/${space.id}/providers/${provider}">${name}</a>`,
            own ? (own.enabled ? x.on : x.off) : x.notSet,
            own ? html`<code>${own.clientId}</code>` : "–",
          ];
        }),
      ),
  );
  return () => html`<section>
    <h2>${t.project.providers}</h2>
    <p class="note">${x.help}</p>
    ${list()}
  </section>`;
}

export function provider(space, name) {
  const place = `#/projects/${space.id}/providers`;
  const path = `${space.path}/providers/${encodeURIComponent(name)}`;
  let kind;
  let own;
  let redirectUri;
  let warnings = [];
  const trial = trialOf(path);

  const editor = form("provider", {
    fields: () => [
      { name: "enabled", type: "checkbox", label: x.enabled, value: own?.enabled ?? true },
      { name: "clientId", label: x.clientId, help: x.clientIds[name], value: own?.clientId, required: true },
      {
        name: "clientSecret",
        type: kind.hasPrivateKey ? "lines" : "password",
        autocomplete: "new-password",
        rows: 6,
        label: kind.hasPrivateKey ? x.privateKey : x.clientSecret,
        help: own ? x.keepSecret : kind.hasPrivateKey ? x.privateKeyHelp : undefined,
        required: !own,
      },
      ...kind.settings.map((setting) => ({
        name: setting.name,
        type: setting.name === "issuer" ? "url" : "text",
        label: x[setting.name],
        help: x[`${setting.name}Help`],
        value: own?.[setting.name] ?? setting.defaultValue,
        required: setting.defaultValue === null,
        suggestions: setting.name === "tenant" ? TENANTS : undefined,
      })),
      {
        name: "scopes",
        label: x.scopes,
        help: kind.scopes.length > 0 ? x.scopesHelp(kind.scopes.join(" ")) : x.noScopes,
        value: own?.scopes?.join(" "),
      },
      {
        name: "oauthFlow",
        type: "select",
        label: x.flow,
        value: own?.oauthFlow ?? "auto",
        options: FLOWS.map((flow) => [flow, x.flows[flow]]),
      },
      ...(kind.hasNativeSignIn
        ? [
            {
              name: "nativeClientIds",
              type: "lines",
              label: x.nativeClientIds,
              help: x.nativeClientIdsHelp,
              value: own?.nativeClientIds.join("\n"),
            },
          ]
        : []),
      { name: "storeTokens", type: "checkbox", label: x.storeTokens, help: x.storeTokensHelp, value: own?.storeTokens },
    ],
    button: t.save,
    submit: async (values, element) => {
      const scopes = words(values.scopes);
      const change = {
        clientId: values.clientId.trim(),
        enabled: values.enabled,
        scopes: scopes.length > 0 ? scopes : null,
        oauthFlow: values.oauthFlow,
        storeTokens: values.storeTokens,
        ...Object.fromEntries(kind.settings.map((setting) => [setting.name, values[setting.name].trim() || null])),
        ...(kind.hasNativeSignIn ? { nativeClientIds: words(values.nativeClientIds) } : {}),
        ...(values.clientSecret.trim() ? { clientSecret: values.clientSecret.trim() } : {}),
      };
      ({ warnings, ...own } = await call("PUT", path, change));
      element.elements.namedItem("clientSecret").value = "";
      say(t.saved);
    },
  });

  const facts = () => html`<dl>
    <dt>${x.clientId}</dt>
    <dd><code>${own.clientId}</code></dd>
    ${kind.settings.map(
      (setting) =>
        html`<dt>${x[setting.name]}</dt>
          <dd>${own[setting.name] ?? t.none}</dd>`,
    )}
    <dt>${x.scopes}</dt>
    <dd>${(own.scopes ?? kind.scopes).join(" ") || t.none}</dd>
  </dl>`;

  const remove = () =>
    ask(
      x.removeAsk(kind.name),
      x.remove,
      action(async () => {
        await call("DELETE", path);
        location.hash = place;
      }, x.removed),
    );

  return loaded(
    async () => {
      const all = await call("GET", `${space.path}/providers`);
      own = all.providers.find((one) => one.provider === name);
      kind = all.available.find((one) => one.provider === name);
      redirectUri = all.redirectUri;
      return { isKnown: kind !== undefined };
    },
    ({ isKnown }) => {
      if (!isKnown) {
        return html`<section>
          <p class="crumb"><a href=${place}>${x.back}</a></p>
          <p>${own ? x.gone : t.notFound}</p>
          ${own && space.owner ? removal() : nothing}
        </section>`;
      }
      return html`<section>
          <p class="crumb"><a href=${place}>${x.back}</a></p>
          <div class="head">
            <h2>${kind.name}</h2>
            <span class="tag">${own ? (own.enabled ? x.on : x.off) : x.notSet}</span>
          </div>
          ${space.owner
            ? html`<p>${x.register(kind.registrationUrl ? kind.name : x.yours)}</p>
                ${secret(x.redirectUri, redirectUri)}
                <p class="links">
                  ${isUrl(kind.registrationUrl)
                    ? html`<a href=${kind.registrationUrl} target="_blank" rel="noopener noreferrer">${x.toProvider(kind.name)}</a>`
                    : nothing}
                  <a href=${guideOf(name)} target="_blank">${x.guide}</a>
                </p>`
            : own
              ? facts()
              : nothing}
        </section>
        ${space.owner
          ? html`<section>
                <h2>${own ? x.change : x.setUp}</h2>
                ${warnings.map((warning) => html`<p class="wrong" role="alert">${warning}</p>`)} ${editor()}
              </section>
              ${own
                ? html`<section>
                      <h2>${x.test}</h2>
                      ${trial()}
                    </section>
                    <section class="dangerous">
                      <h2>${x.remove}</h2>
                      <p>${x.removeHelp}</p>
                      ${removal()}
                    </section>`
                : nothing}`
          : nothing}`;
    },
  );

  function removal() {
    kind ??= { name };
    return html`<button type="button" class="danger" @click=${remove}>${x.removeOf(kind.name)}</button>`;
  }
}

/** A real sign in at the provider in another window, whose outcome the server tells. */
function trialOf(path) {
  let found = null;
  let url = null;
  const page = location.hash;

  async function wait(begunAt) {
    while (location.hash === page && found?.begunAt === begunAt && found.status === "pending") {
      await new Promise((resolve) => setTimeout(resolve, POLL));
      if (location.hash !== page || found?.begunAt !== begunAt) {
        return;
      }
      try {
        const now = await call("GET", `${path}/test`);
        found = now.begunAt === begunAt ? now : { status: "replaced" };
      } catch (refused) {
        if (refused.status === 404) {
          found = { status: "over" };
        } else if (refused.status !== 0) {
          found = null;
          say(refused.message, { stays: true, lang: refused.lang });
        }
      }
      update();
    }
  }

  const begin = action(async () => {
    found = null;
    found = await call("POST", `${path}/test`);
    url = isUrl(found.url) ? found.url : null;
    update();
    if (url) {
      window.open(url, "_blank", "noopener,noreferrer");
      wait(found.begunAt);
    }
  });

  const outcome = () => {
    switch (found?.status) {
      case undefined:
        return nothing;
      case "pending":
        return html`<p>${x.waiting}</p>
          <p><a href=${url} target="_blank" rel="noopener noreferrer">${x.openAgain}</a></p>
          <p class="help">${x.waitingHelp}</p>`;
      case "passed":
        return html`<p class="good">${x.passed}</p>
          <dl>
            <dt>${t.email}</dt>
            <dd>
              ${found.identity.email ?? t.none}
              ${found.identity.email ? html`(${found.identity.emailVerified ? x.isVerified : x.isNotVerified})` : nothing}
            </dd>
            <dt>${t.name}</dt>
            <dd>${found.identity.displayName ?? t.none}</dd>
            <dt>${x.subject}</dt>
            <dd><code>${found.identity.subject}</code></dd>
          </dl>`;
      case "failed":
        return html`<p class="wrong">${x.failed}</p>
          <p>${x.problems[found.problem.kind]}</p>
          <p class="help">${found.problem.message}</p>`;
      default:
        return html`<p class="wrong">${x[found.status]}</p>`;
    }
  };

  return () => html`<p class="note">${x.testHelp}</p>
    <div role="status">${outcome()}</div>
    <div class="row"><button type="button" @click=${begin}>${x.begin}</button></div>`;
}
