// @ts-check
/** What administrators of the server see: its health, its nodes, all projects, and the settings in effect. */
import { call } from "../api.js";
import { environmentView } from "../shell.js";
import { fill, formatMilliseconds, formatNumber, messages } from "../messages.js";
import { askFirst, formView, html, loadedView, nothing, pagedView, reported, tableView, timeView } from "../parts.js";

const texts = messages.operator;
const ROOT = "dashboard/administration";
const PAGE = 50;
const OUTBOXES = /** @type {const} */ ([
  ["mails", texts.mails],
  ["sms", messages.settings.factorNames.sms],
  ["webhooks", texts.webhooks],
]);

/** One sentence for everybody else, who may have the address. */
export const operatorView = () =>
  loadedView(
    async () => ((await call("GET", "dashboard/projects?limit=1")).isAdministrator ? sectionsView() : null),
    (sections) => html`<h1>${texts.title}</h1>
      ${sections?.() ?? html`<p class="blank">${texts.notYours}</p>`}`,
  );

/** @returns {View} */
function sectionsView() {
  const health = healthView();
  const nodes = nodesView();
  const projects = allProjectsView();
  const settings = settingsView();
  return () => html`<section>
      <h2>${texts.health}</h2>
      ${health()}
    </section>
    <section>
      <h2>${texts.nodes}</h2>
      ${nodes()}
    </section>
    <section>
      <h2>${messages.projects.title}</h2>
      ${projects()}
    </section>
    <section>
      <h2>${texts.settings}</h2>
      ${settings()}
    </section>`;
}

const healthView = () =>
  loadedView(
    () => call("GET", `${ROOT}/health`),
    (found, reload) => html`<p>
        PostgreSQL ${found.database.version}${found.database.isEmbedded ? ` (${texts.embedded})` : nothing}:
        ${fill(texts.answered, { time: formatMilliseconds(found.database.answeredInMillis) })}
      </p>
      ${found.shards.map(
        ({ name, version, answeredInMillis }) => html`<p>
          ${name}: ${version === null || answeredInMillis === null
            ? texts.silent
            : html`PostgreSQL ${version}:
              ${fill(texts.answered, { time: formatMilliseconds(answeredInMillis) })}`}
        </p>`,
      )}
      ${tableView(
        texts.backlog,
        [texts.outbox, texts.waiting, texts.retrying, texts.oldest],
        OUTBOXES.map(([outbox, name]) => {
          const { isOn, backlog } = found[outbox];
          return [
            isOn ? name : `${name} (${texts.off})`,
            formatNumber(backlog.waiting),
            formatNumber(backlog.retrying),
            backlog.oldestAt === null ? "–" : timeView(backlog.oldestAt),
          ];
        }),
      )}
      <button type="button" @click=${reload}>${texts.refresh}</button>`,
  );

const nodesView = () =>
  loadedView(
    () => call("GET", `${ROOT}/nodes`),
    ({ nodes }) =>
      tableView(
        texts.nodes,
        [texts.node, texts.version, texts.started, texts.seen, texts.state, texts.hashes],
        nodes.map((node) => [
          html`<code>${node.id}</code>`,
          node.version,
          timeView(node.startedAt),
          timeView(node.seenAt),
          node.isAlive ? (node.hearsChanges ? texts.alive : texts.deaf) : texts.lost,
          `${formatNumber(node.hashesWaiting)} / ${formatNumber(node.hashesRunning)}`,
        ]),
      ),
  );

/** @typedef {Schemas["AllProjectList"]["projects"][number]} AnyProject */

/** @returns {View} */
function allProjectsView() {
  let search = "";
  let isOrphan = false;
  let reload = async () => {};
  const list = pagedView(
    async (offset) => {
      const query = new URLSearchParams({ limit: String(PAGE), offset: String(offset) });
      if (search !== "") {
        query.set("search", search);
      }
      if (isOrphan) {
        query.set("isOrphan", "true");
      }
      const page = await call("GET", `${ROOT}/projects?${query}`);
      return { items: page.projects, total: page.total };
    },
    (found, reloadList) => {
      reload = reloadList;
      return found.length === 0
        ? html`<p class="blank" role="status">${texts.noProject}</p>`
        : tableView(
            messages.projects.title,
            [messages.name, texts.owners, messages.project.members, messages.project.users, texts.created, ""],
            found.map((project) => [
              html`${project.name} ${environmentView(project.environment)}<br /><code>${project.id}</code>`,
              ownersOf(project),
              formatNumber(project.memberCount),
              project.userCount === undefined ? "?" : formatNumber(project.userCount),
              timeView(project.createdAt),
              project.isOrphan ? adoptButton(project) : nothing,
            ]),
          );
    },
  );
  /** @param {AnyProject} project */
  const adoptButton = ({ id, name }) =>
    html`<button
      type="button"
      aria-label=${fill(texts.adoptOf, { name })}
      @click=${() =>
        askFirst(
          fill(texts.adoptAsk, { name }),
          texts.adopt,
          reported(async () => {
            await call("POST", `${ROOT}/projects/${id}/adopt`);
            await reload();
          }, texts.adopted),
        )}
    >
      ${texts.adopt}
    </button>`;
  const find = formView("all-projects", {
    isFilter: true,
    fields: [
      { name: "search", label: texts.search },
      { name: "isOrphan", type: "checkbox", label: texts.onlyOrphans },
    ],
    button: messages.audit.filter,
    submit: async (values) => {
      search = values.search.trim();
      isOrphan = values.isOrphan;
      await reload();
    },
  });
  return () => html`${find()} ${list()}`;
}

/** @param {AnyProject} project */
const ownersOf = ({ owners, ownerCount, isOrphan }) =>
  isOrphan ? texts.orphan : owners.join(", ") + (ownerCount > owners.length ? ", …" : "");

const settingsView = () =>
  loadedView(
    () => call("GET", `${ROOT}/settings`),
    ({ nodeId, settings }) => html`<p>${texts.fromNode} <code>${nodeId}</code></p>
      <details>
        <summary>${fill(texts.settingCount, { count: settings.length })}</summary>
        ${tableView(
          texts.settings,
          [messages.name, texts.value, texts.source],
          settings.map(({ name, value, source, origin }) => [
            html`<code>${name}</code>`,
            value === null ? "–" : html`<code>${value}</code>`,
            origin ?? texts[source],
          ]),
        )}
      </details>`,
  );
