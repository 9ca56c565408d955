// @ts-check
/** One organization: its members, who is invited, its domains, what it has connected, and its name and limits. */
import { call } from "../api.js";
import { fill, formatTime, messages } from "../messages.js";
import {
  announce,
  askFirst,
  formView,
  html,
  idView,
  loadedView,
  loadModule,
  nothing,
  pagedView,
  reported,
  secretView,
  tableView,
  timeView,
  update,
} from "../parts.js";
import { numberOf, userOf } from "./given.js";

const texts = messages.organizations;
const words = messages.members;
const TABS = /** @type {const} */ (["members", "invitations", "domains", "connections", "directories", "general"]);
const TITLES = {
  members: messages.project.members,
  invitations: texts.invitations,
  domains: texts.domains,
  connections: messages.connections.title,
  directories: messages.directories.title,
  general: messages.settings.general,
};
const POLICIES = /** @type {const} */ (["none", "suggest", "join", "sso_required"]);

/** @typedef {Schemas["Organization"]} Organization */

/**
 * @param {ProjectContext} context
 * @param {string} id
 * @param {string | undefined} tabOfAddress
 * @param {string | undefined} item the connection or directory of the address
 * @returns {View}
 */
export function organizationView(context, id, tabOfAddress, item) {
  const tab = TABS.find((name) => name === tabOfAddress) ?? "members";
  const path = /** @type {const} */ (`dashboard/organizations/${encodeURIComponent(id)}`);
  /** @type {OrganizationPlace} */
  const place = { path, here: `#/projects/${context.id}/organizations/${encodeURIComponent(id)}` };
  const inProject = /** @type {const} */ (`projectId=${context.id}`);
  const roles = ["owner", "admin", "member", ...Object.keys(context.project.organizationRoles)];
  const roleOptions = [...new Set(roles)].map((role) => /** @type {Option} */ ([role, role]));
  let reload = async () => {};

  /**
   * @param {string} label
   * @param {string} name
   * @param {() => void} run
   */
  const button = (label, name, run) => html`<button type="button" aria-label=${name} @click=${run}>${label}</button>`;

  /**
   * @param {() => Promise<unknown>} run
   * @param {string} done
   */
  const change = (run, done) =>
    reported(async () => {
      await run();
      await reload();
    }, done);

  /**
   * Shows what the server knows until the person has confirmed another.
   * @param {string} label
   * @param {string} current
   * @param {readonly Option[]} options
   * @param {(value: string) => void} choose
   */
  const choiceView = (label, current, options, choose) => html`<select
    aria-label=${label}
    @change=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => {
      const { value } = event.currentTarget;
      event.currentTarget.value = current;
      choose(value);
    }}
  >
    ${options.map(([value, text]) => html`<option value=${value} .selected=${value === current}>${text}</option>`)}
  </select>`;

  function membersTab() {
    const list = pagedView(
      async (offset) => {
        const page = await call("GET", `${path}/members?${inProject}&limit=50&offset=${offset}`);
        return { items: page.members, total: page.total };
      },
      (found, reloadList) => {
        reload = reloadList;
        return tableView(
          messages.project.members,
          [messages.email, messages.name, words.role, messages.account.since, ...(context.isSupport ? [""] : [])],
          found.map((member) => {
            const email = member.user.email ?? member.userId;
            const member$ = /** @type {const} */ (`${path}/members/${member.userId}`);
            const remove = change(() => call("DELETE", `${member$}?${inProject}`), words.removed);
            return [
              html`<a href="#/projects/${context.id}/users/${member.userId}">${email}</a>`,
              member.user.displayName ?? "–",
              context.isSupport
                ? choiceView(fill(words.roleOf, { email }), member.role, roleOptions, (role) =>
                    askFirst(
                      fill(words.roleAsk, { email, role }),
                      words.change,
                      change(() => call("PATCH", `${member$}?${inProject}`, { role }), words.roleChanged),
                    ),
                  )
                : member.role,
              timeView(member.joinedAt),
              ...(context.isSupport
                ? [
                    button(words.remove, fill(words.removeOf, { email }), () =>
                      askFirst(fill(texts.removeAsk, { email }), words.remove, remove),
                    ),
                  ]
                : []),
            ];
          }),
        );
      },
    );
    const add = formView("add", {
      fields: [
        { name: "email", type: "email", label: messages.email, help: texts.ownerHelp, required: true },
        { name: "role", type: "select", label: words.role, value: "member", options: roleOptions },
      ],
      button: texts.add,
      submit: async ({ email, role }, element) => {
        await call("POST", `${path}/members?${inProject}`, { userId: await userOf(context, email), role });
        element.reset();
        announce(texts.added);
        await reload();
      },
    });
    return () => withForm(list, texts.add, add);
  }

  /**
   * @param {View} list
   * @param {string} title
   * @param {View} form
   */
  const withForm = (list, title, form) => html`<section>${list()}</section>
    ${context.isSupport
      ? html`<section>
          <h2>${title}</h2>
          ${form()}
        </section>`
      : nothing}`;

  function invitationsTab() {
    const states = { pending: words.invited, accepted: texts.accepted, rejected: texts.rejected, expired: words.expired };
    const list = pagedView(
      async (offset) => {
        const page = await call("GET", `${path}/invitations?${inProject}&limit=50&offset=${offset}`);
        return { items: page.invitations, total: page.total };
      },
      (found, reloadList) => {
        reload = reloadList;
        return found.length === 0
          ? html`<p class="blank">${texts.noInvitations}</p>`
          : tableView(
              texts.invitations,
              [messages.email, words.role, words.status, ...(context.isSupport ? [""] : [])],
              found.map(({ id: invitation, email, role, status, expiresAt }) => {
                const isOpen = status === "pending" || status === "expired";
                const invitation$ = /** @type {const} */ (`${path}/invitations/${invitation}`);
                const resend = change(() => call("POST", `${invitation$}/resend?${inProject}`), words.resent);
                const revoke = change(() => call("DELETE", `${invitation$}?${inProject}`), words.withdrawn);
                return [
                  email,
                  role,
                  html`${states[status]}${status === "pending"
                    ? html`<br /><span class="help">${fill(words.until, { date: formatTime(expiresAt) })}</span>`
                    : nothing}`,
                  ...(context.isSupport
                    ? [
                        isOpen
                          ? html`<div class="buttons">
                              ${button(words.resend, fill(words.resendOf, { email }), resend)}
                              ${button(words.withdraw, fill(words.withdrawOf, { email }), () =>
                                askFirst(fill(words.withdrawAsk, { email }), words.withdraw, revoke),
                              )}
                            </div>`
                          : nothing,
                      ]
                    : []),
                ];
              }),
            );
      },
    );
    const invite = formView("invite", {
      fields: [
        { name: "email", type: "email", label: messages.email, help: words.inviteHelp, required: true },
        { name: "role", type: "select", label: words.role, value: "member", options: roleOptions },
      ],
      button: words.invite,
      submit: async (values, element) => {
        await call("POST", `${path}/invitations?${inProject}`, values);
        element.reset();
        announce(words.sent);
        await reload();
      },
    });
    return () => withForm(list, words.invite, invite);
  }

  const policyOptions = POLICIES.map((policy) => /** @type {Option} */ ([policy, texts.policies[policy]]));

  /**
   * What a domain does for its people. To leave them no other way in is asked first.
   * @param {Pick<Schemas["OrganizationDomain"], "id" | "domain" | "policy">} domain
   * @param {() => Promise<void>} reloadDomains
   */
  function policyView({ id: domain, domain: name, policy }, reloadDomains) {
    if (!context.isSupport) {
      return texts.policies[policy];
    }
    return choiceView(`${texts.policy}: ${name}`, policy, policyOptions, (chosen) => {
      const set = reported(async () => {
        await call("PATCH", `${path}/domains/${domain}?${inProject}`, {
          policy: /** @type {Schemas["DomainPolicy"]} */ (chosen),
        });
        await reloadDomains();
      }, messages.saved);
      if (chosen === "sso_required") {
        askFirst(fill(texts.requireAsk, { name }), texts.require, set);
      } else {
        set();
      }
    });
  }

  function domainsTab() {
    const list = loadedView(
      () => call("GET", `${path}/domains?${inProject}`),
      (found, reloadList) => {
        reload = reloadList;
        return found.length === 0
          ? html`<p class="blank">${texts.noDomains}</p>`
          : tableView(
              texts.domains,
              [texts.domain, texts.policy, words.status, texts.record, ...(context.isSupport ? [""] : [])],
              found.map(({ id: domain, domain: name, policy, status, record }) => {
                const domain$ = /** @type {const} */ (`${path}/domains/${domain}`);
                const verify = change(() => call("POST", `${domain$}/verify?${inProject}`), texts.verified);
                const remove = change(() => call("DELETE", `${domain$}?${inProject}`), words.removed);
                return [
                  name,
                  policyView({ id: domain, domain: name, policy }, reload),
                  texts.states[status],
                  html`<code>${record.name}</code><br /><code>${record.value}</code>`,
                  ...(context.isSupport
                    ? [
                        html`<div class="buttons">
                          ${button(texts.verify, fill(texts.verifyOf, { name }), verify)}
                          ${button(words.remove, fill(words.removeOf, { email: name }), () =>
                            askFirst(fill(texts.removeAsk, { email: name }), words.remove, remove),
                          )}
                        </div>`,
                      ]
                    : []),
                ];
              }),
            );
      },
    );
    const add = formView("domain", {
      fields: [
        { name: "domain", label: texts.domain, help: texts.domainHelp, required: true },
        { name: "policy", type: "select", label: texts.policy, value: "none", options: policyOptions },
      ],
      button: texts.addDomain,
      submit: async ({ domain, policy }, element) => {
        await call("POST", `${path}/domains?${inProject}`, {
          domain: domain.trim(),
          policy: /** @type {Schemas["DomainPolicy"]} */ (policy),
        });
        element.reset();
        announce(messages.saved);
        await reload();
      },
    });
    let link = "";
    const createLink = reported(async () => {
      link = (await call("POST", `${path}/setup-link?${inProject}`, {})).url;
      update();
    }, texts.setupLinkMade);
    const setup = () => html`<section>
      <h2>${texts.setupLink}</h2>
      <p>${texts.setupLinkHelp}</p>
      ${link === "" ? nothing : secretView(texts.setupLink, link)}
      <button type="button" @click=${createLink}>${texts.createSetupLink}</button>
    </section>`;
    return () => html`${withForm(list, texts.addDomain, add)} ${context.isDeveloper ? setup() : nothing}`;
  }

  /** @param {Organization} organization */
  function generalTab(organization) {
    const form = formView("organization", {
      fields: () => [
        { name: "name", label: messages.name, value: organization.name, required: true },
        { name: "slug", label: texts.slug, value: organization.slug, required: true },
        { name: "logoUrl", type: "url", label: texts.logoUrl, value: organization.logoUrl },
        { name: "maxMembers", label: texts.maxMembers, inputmode: "numeric", value: organization.maxMembers },
      ],
      button: messages.save,
      submit: async (values) => {
        Object.assign(
          organization,
          await call("PATCH", `${path}?${inProject}`, {
            name: values.name,
            slug: values.slug.trim(),
            logoUrl: values.logoUrl.trim() || null,
            maxMembers: numberOf(values.maxMembers),
          }),
        );
        announce(messages.saved);
      },
    });
    const remove = reported(async () => {
      await call("DELETE", `${path}?${inProject}`);
      location.hash = `#/projects/${context.id}/organizations`;
    }, messages.users.done);
    return () =>
      context.isSupport
        ? html`<section>${form()}</section>
            <section class="dangerous">
              <h2>${texts.delete}</h2>
              <button type="button" class="danger" @click=${() => askFirst(texts.deleteAsk, texts.delete, remove)}>
                ${texts.delete}
              </button>
            </section>`
        : html`<section>
            <dl>
              <dt>${texts.slug}</dt>
              <dd>${organization.slug}</dd>
              <dt>${texts.maxMembers}</dt>
              <dd>${organization.maxMembers}</dd>
            </dl>
          </section>`;
  }

  const open = {
    members: async () => membersTab,
    invitations: async () => invitationsTab,
    domains: async () => domainsTab,
    connections: async () => {
      const { connectionsTab, connectionView } = await import("./connections.js");
      return () => (item ? connectionView(context, place, item) : connectionsTab(context, place, policyView));
    },
    directories: async () => {
      const { directoriesTab, directoryView } = await import("./directories.js");
      return () => (item ? directoryView(context, place, item) : directoriesTab(context, place));
    },
    general: async () => generalTab,
  };
  /** @type {View | null} */
  let inner = null;
  return loadedView(
    () => Promise.all([call("GET", `${path}?${inProject}`), loadModule(open[tab])]),
    ([organization, openTab]) => {
      inner ??= openTab(organization);
      return html`<p class="crumb"><a href="#/projects/${context.id}/organizations">${texts.back}</a></p>
        <h1>${organization.name}</h1>
        ${idView(texts.id, organization.id)}
        <nav class="tabs" aria-label=${organization.name}>
          ${TABS.map(
            (name) => html`<a href="${place.here}/${name}" aria-current=${name === tab ? "page" : nothing}>${TITLES[name]}</a>`,
          )}
        </nav>
        ${inner()}`;
    },
  );
}
