// @ts-check
import { call, download } from "../api.js";
import { AUDIT_EVENTS } from "./events.js";
import { datedName, saveFile } from "./files.js";
import { findMembers, findOrganizations, findUsers, foundField } from "./found.js";
import { iconView } from "../icons.js";
import { formatTime, messages, screenMessages } from "../messages.js";
import { avatarView, formView, html, loadedView, nothing, reported, update } from "../parts.js";

const texts = messages.audit;
const ROOT = "dashboard/audit-logs";
const FILTERS = /** @type {const} */ (["event", "actorId", "targetId", "dateFrom", "dateTo"]);

/** @typedef {Schemas["AuditEntry"]} Entry */
/** @typedef {Schemas["AuditLogList"]["people"]} People */
/** @typedef {Schemas["AuditLogList"]["names"]} Names */
/** @typedef {{ people: People, names: Names }} Known */

/** @type {ScreenMessages["sentences"]} */
let sentences;

/** Before the first entry or filter is shown. */
export async function loadSentences() {
  sentences = await screenMessages("sentences");
}

/**
 * @param {string} event
 * @returns {string | undefined} with {who} and {target}
 */
const sentenceOf = (event) => sentences[/** @type {keyof typeof sentences} */ (event.replaceAll(".", "_"))];

/**
 * How somebody signed in, as far as the entry says.
 * @param {Entry} entry
 */
function wayOf({ metadata }) {
  const amr = /** @type {{ amr?: string[] } | null} */ (metadata)?.amr ?? [];
  // a wallet, or a passkey of a device that did not ask for its owner
  const isAnyKey = amr.join() === "swk";
  const way = isAnyKey
    ? "key"
    : amr.some((one) => ["hwk", "swk"].includes(one))
      ? "passkey"
      : amr.find((one) => /** @type {string[]} */ (Object.keys(texts.ways)).includes(one));
  return way ? texts.ways[/** @type {keyof typeof texts.ways} */ (way)] : "";
}

/**
 * What an entry is about, if that is no person, and its sentence has no place for it.
 * @param {Entry} entry
 * @param {Names} names
 */
function thingOf({ targetType, targetId, metadata }, names) {
  const { name, uri, provider, domain } = /** @type {Record<string, string | undefined>} */ (metadata ?? {});
  if (targetType === "oauth_client" || targetType === "oauth_api") {
    return names[targetId ?? ""] ?? name ?? uri;
  }
  const isConnection = provider?.startsWith("org-"); // which has only an id
  return (targetType !== "organization" && names[targetId ?? ""]) || (isConnection ? "" : provider) || domain;
}

/**
 * A sentence with links to the users and organizations in it.
 * @param {string} projectId
 * @param {Entry} entry
 * @param {Known} known
 */
function sentenceView(projectId, entry, { people, names }) {
  const { actorType, actorId, event, targetType, targetId, metadata } = entry;
  const { actingAs, reason, slug } = /** @type {Record<string, string | undefined>} */ (metadata ?? {});
  /**
   * @param {string} name
   * @param {string} [path] of its screen
   * @param {string | null} [email]
   */
  const nameView = (name, path, email) =>
    path
      ? html`<a href="#/projects/${projectId}/${path}" title=${email ?? nothing}>${name}</a>`
      : html`<b title=${email ?? nothing}>${name}</b>`;
  /**
   * @param {string} id
   * @param {boolean} isUser
   */
  const personView = (id, isUser) => {
    const { displayName, email } = people[id] ?? {};
    return nameView(displayName || email || names[id] || id, isUser && people[id] ? `users/${id}` : "", email);
  };
  const targetView = () =>
    targetId === null
      ? nameView(texts.unknown)
      : targetType === "organization"
        ? nameView(names[targetId] ?? slug ?? targetId, names[targetId] && `organizations/${targetId}`)
        : personView(targetId, targetType === "user");
  const actorView = () => {
    const others = { api_key: texts.apiKey, directory: texts.directory, setup_link: texts.setupLink, system: texts.system };
    const other = others[/** @type {keyof typeof others} */ (actorType)];
    const name = names[actorId ?? ""];
    if (other) {
      return html`${nameView(other)}${name ? ` (${name})` : nothing}`;
    }
    if (actorId === null) {
      // who acts by a code or link of a mail is nobody else than its reader
      return targetType === "user" ? targetView() : nameView(texts.somebody);
    }
    return html`${personView(actorId, actorType === "user")}${actingAs
      ? texts.as.split(/(\{user\})/).map((part) => (part === "{user}" ? personView(actingAs, true) : part))
      : nothing}`;
  };
  const views = { "{who}": actorView, "{target}": targetView, "{way}": () => wayOf(entry) };
  const sentence = event === "auth.email.changed" && reason === "email_claimed" ? texts.released : sentenceOf(event);
  const thing = thingOf(entry, names);
  return html`${(sentence ?? event)
    .split(/(\{\w+\})/)
    .map((part) => views[/** @type {keyof typeof views} */ (part)]?.() ?? part)}${thing ? html`: <b>${thing}</b>` : nothing}`;
}

/** @type {Partial<Record<Entry["actorType"], import("../icons.js").IconName>>} */
const ICONS = { api_key: "keys", directory: "organizations", setup_link: "organizations", system: "settings" };

/**
 * @param {People[string] | undefined} person
 * @param {Entry["actorType"]} type
 */
const pictureView = (person, type) =>
  person
    ? avatarView(person)
    : html`<span class="initial" aria-hidden="true"
        >${iconView(ICONS[type] ?? "person")}</span
      >`;

/**
 * What happened, in sentences that open.
 * @param {string} label
 * @param {string} projectId
 * @param {Entry[]} entries
 * @param {Known} known
 */
export const entriesView = (label, projectId, entries, { people, names }) => html`<ul class="entries" aria-label=${label}>
  ${entries.map(
    (entry) =>
      html`<li>
        ${pictureView(people[entry.actorId ?? ""], entry.actorType)}
        <div>
          <p>${sentenceView(projectId, entry, { people, names })}</p>
          <details>
            <summary>${formatTime(entry.createdAt)}</summary>
            <dl>
              <dt>${texts.event}</dt>
              <dd><code>${entry.event}</code></dd>
              <dt>${texts.who}</dt>
              <dd>${people[entry.actorId ?? ""]?.email} <code>${entry.actorType} ${entry.actorId}</code></dd>
              <dt>${texts.target}</dt>
              <dd>${people[entry.targetId ?? ""]?.email ?? names[entry.targetId ?? ""]} <code>${entry.targetType ?? "–"} ${entry.targetId}</code></dd>
              <dt>${texts.address}</dt>
              <dd>${entry.ipAddress ?? messages.none}</dd>
              <dt>${texts.browser}</dt>
              <dd>${entry.userAgent ?? "–"}</dd>
              <dt>${texts.details}</dt>
              <dd>${entry.metadata ? html`<code>${JSON.stringify(entry.metadata)}</code>` : "–"}</dd>
            </dl>
          </details>
        </div>
      </li>`,
  )}
</ul>`;

/**
 * @param {string} event
 * @returns {Option}
 */
const optionOf = (event) => [event, (sentenceOf(event) ?? event).replace(/ ?\{way\}/, "").replace(/\{\w+\}/g, "…")];

/**
 * Who did what in the project, newest first; the address can name a filter.
 * @param {ProjectContext} context
 * @param {string[]} filterOfAddress
 */
export function auditView(context, [name, value]) {
  const given = FILTERS.find((filter) => filter === name);
  /** @type {{ [filter in typeof FILTERS[number]]?: string }} */
  let filters = given && value ? { [given]: value } : {};
  /** @type {Schemas["AuditEntry"][]} */
  let entries = [];
  /** @type {Known} */
  let known = { people: {}, names: {} };
  /** @type {string | null} */
  let next = null;
  /**
   * @param {typeof filters} chosen
   * @param {string | null} cursor
   */
  async function load(chosen, cursor) {
    const query = new URLSearchParams({ limit: "50", ...chosen, ...(cursor ? { cursor } : {}) });
    const page = await call("GET", `${context.path}/audit-logs?${query}`);
    filters = chosen;
    entries = cursor ? [...entries, ...page.data] : page.data;
    known = { people: { ...known.people, ...page.people }, names: { ...known.names, ...page.names } };
    next = page.nextCursor;
    showChosen(who, filters.actorId);
    showChosen(target, filters.targetId);
    return entries;
  }

  const who = foundField("actorId", texts.who, [findUsers(context), findMembers(context)]);
  const target = foundField("targetId", texts.target, [findUsers(context), findOrganizations(context)]);

  /**
   * @param {{ show: (name: string, id: string) => void }} chosen
   * @param {string | undefined} id
   */
  function showChosen(chosen, id) {
    if (id) {
      const { displayName, email } = known.people[id] ?? {};
      chosen.show(email || displayName || known.names[id] || id, id);
    }
  }
  const list = loadedView(
    () => load(filters, null),
    () =>
      entries.length === 0
        ? html`<p class="blank" role="status">${texts.empty}</p>`
        : html`${entriesView(messages.project.audit, context.id, entries, known)}
          ${next
            ? html`<button type="button" @click=${reported(async () => (await load(filters, next), update()))}>
                ${messages.more}
              </button>`
            : nothing}`,
  );
  const filter = formView("filter", {
    isFilter: true,
    fields: [
      {
        name: "event",
        type: "select",
        label: texts.event,
        value: filters.event ?? "",
        options: [["", texts.allEvents], ...AUDIT_EVENTS.map(optionOf)],
      },
      who.field,
      target.field,
      { name: "dateFrom", type: "date", label: texts.dateFrom },
      { name: "dateTo", type: "date", label: texts.dateTo },
    ],
    button: texts.filter,
    submit: async ({ event, dateFrom, dateTo }) => {
      const typed = { event, actorId: await who.idOf(), targetId: await target.idOf(), dateFrom, dateTo };
      await load(Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== "")), null);
    },
  });
  const save = reported(async () => {
    const query = new URLSearchParams({ projectId: context.id, ...filters });
    saveFile(await download(`${ROOT}/export?${query}`), datedName("audit", "ndjson"));
  }, texts.exported);
  return () => html`<div class="head">
      <h1>${messages.project.audit}</h1>
      ${context.isSupport
        ? html`<button type="button" class="button" @click=${save}>${texts.export}</button>`
        : nothing}
    </div>
    <section>
    ${filter()} ${list()}
  </section>`;
}
