// @ts-check
/** The endpoints that receive events about users, and the outcome of each delivery. */
import { call } from "../api.js";
import { fill, formatMilliseconds, formatNumber, formatTime, messages } from "../messages.js";
import {
  announce,
  askFirst,
  formView,
  html,
  loadedView,
  nothing,
  pagedView,
  reported,
  secretView,
  tableView,
  timeView,
  update,
} from "../parts.js";

const texts = messages.webhooks;
const ROOT = "dashboard/webhooks";
const ALL = "*";
const EVENTS = /** @type {const} */ ([
  "user.created",
  "user.updated",
  "user.deleted",
  "user.banned",
  "user.unbanned",
  "session.created",
  "session.ended",
  "session.revoked",
  "provider.linked",
  "provider.unlinked",
  "wallet.linked",
  "wallet.unlinked",
  "factor.added",
  "factor.removed",
  "grant.created",
  "grant.ended",
  "organization.created",
  "organization.updated",
  "organization.deleted",
  "organization.member.added",
  "organization.member.removed",
  "organization.member.role_changed",
  "organization.invitation.created",
  "organization.invitation.accepted",
]);
const STATUSES = /** @type {const} */ (["waiting", "delivered", "dead"]);
const LOOKS = { active: "good", disabled: "", waiting: "test", delivered: "good", dead: "bad" };

/** @typedef {Schemas["Webhook"]} Webhook */

/**
 * An address of the API below that of the webhooks, and the query that names the project.
 * @typedef {{ path: `dashboard/webhooks/${string}`, inProject: `projectId=${string}` }} Endpoint
 */

/** @param {Webhook} [webhook] */
const fieldsOf = (webhook) => /** @type {const} */ ([
  { name: "url", type: "url", label: texts.url, help: texts.urlHelp, value: webhook?.url, required: true },
  {
    name: "events",
    type: "choices",
    label: texts.events,
    value: webhook?.events ?? [],
    options: [[ALL, texts.all], ...EVENTS.map((event) => /** @type {const} */ ([event, event]))],
  },
]);

/**
 * @param {{ url: string, events: Schemas["SubscribedEvents"] }} values
 * @returns {{ url: string, events: Schemas["SubscribedEvents"] }}
 */
const readFields = ({ url, events }) => ({ url: url.trim(), events: events.includes(ALL) ? [ALL] : events });

/** @param {Webhook} webhook */
const eventsOf = ({ events }) => (events.includes(ALL) ? texts.all : events.join(", "));

/** @param {keyof typeof LOOKS} status */
const statusView = (status) => html`<span class="tag ${LOOKS[status]}">${texts[status]}</span>`;

/** @param {Webhook} webhook */
const failingView = ({ failingSince }) =>
  failingSince ? html`<span class="tag bad">${formatTime(failingSince)}</span>` : "–";

/**
 * A value that is shown only once.
 * @param {string} text
 * @param {string} value
 */
const signingSecretView = (text, value) =>
  html`<div role="status"><p>${text}</p></div>
    ${secretView(texts.signingSecret, value)}`;

/**
 * @param {ProjectContext} context
 * @returns {View}
 */
export function webhooksView(context) {
  const inProject = /** @type {const} */ (`projectId=${context.id}`);
  /** @type {Schemas["CreatedWebhook"] | null} */
  let made = null;
  let reload = async () => {};
  const list = pagedView(
    async (offset) => {
      const page = await call("GET", `${ROOT}?${inProject}&limit=50&offset=${offset}`);
      return { items: page.webhooks, total: page.total };
    },
    (webhooks, reloadWebhooks) => {
      reload = reloadWebhooks;
      return webhooks.length === 0
        ? html`<p class="blank" role="status">${texts.empty}</p>`
        : tableView(
            messages.project.webhooks,
            [texts.url, texts.events, texts.status, texts.failingSince],
            webhooks.map((webhook) => [
              html`<a href=${`#/projects/${context.id}/webhooks/${webhook.id}`}>${webhook.url}</a>`,
              eventsOf(webhook),
              statusView(webhook.status),
              failingView(webhook),
            ]),
          );
    },
  );
  const create = formView("new-webhook", {
    fields: fieldsOf(),
    button: texts.create,
    submit: async (values) => {
      made = await call("POST", `${ROOT}?${inProject}`, readFields(values));
      update();
      await reload();
    },
  });
  return () => html`<h1>${messages.project.webhooks}</h1>
    <section>
      ${list()}
    </section>
    ${context.isDeveloper
      ? html`<section>
          <h2>${texts.create}</h2>
          ${made === null
            ? create()
            : html`${signingSecretView(texts.created, made.signingSecret)}
                <a class="button main" href="#/projects/${context.id}/webhooks/${made.id}">${texts.toWebhook}</a>`}
        </section>`
      : nothing}`;
}

/**
 * One endpoint with its deliveries, or one of its deliveries.
 * @param {ProjectContext} context
 * @param {string} id
 * @param {string | undefined} deliveryId
 */
export function webhookView(context, id, deliveryId) {
  /** @type {Endpoint} */
  const endpoint = { path: `${ROOT}/${encodeURIComponent(id)}`, inProject: `projectId=${context.id}` };
  const place = `#/projects/${context.id}/webhooks`;
  return deliveryId
    ? deliveryView(context, endpoint, `${place}/${id}`, deliveryId)
    : endpointView(context, endpoint, place, id);
}

/**
 * @param {ProjectContext} context
 * @param {Endpoint} endpoint
 * @param {string} place
 * @param {string} id
 * @returns {View}
 */
function endpointView(context, { path, inProject }, place, id) {
  /** @type {Schemas["RotatedSecret"] | null} */
  let rotated = null;
  /** @type {Webhook | undefined} */
  let webhook;
  let reload = async () => {};
  /** @param {Schemas["UpdateWebhookRequest"]} values */
  const change = (values) => call("PATCH", `${path}?${inProject}`, values);
  const editor = formView("webhook", {
    fields: () => fieldsOf(webhook),
    button: messages.save,
    submit: async (values) => {
      await change(readFields(values));
      announce(messages.saved);
      await reload();
    },
  });
  /** @param {Schemas["WebhookStatus"]} status */
  const setStatus = (status) =>
    reported(async () => {
      await change({ status });
      await reload();
    }, texts.done);
  const log = deliveriesView(context, { path, inProject }, `${place}/${id}`);
  /** @param {Webhook} webhook */
  const buttonsView = ({ status }) => html`<div class="row">
    ${status === "active"
      ? html`<button
            type="button"
            @click=${reported(async () => {
              await call("POST", `${path}/test?${inProject}`);
              log.reload();
            }, texts.tested)}
          >
            ${texts.test}</button
          ><button type="button" @click=${() => askFirst(texts.disableAsk, texts.disable, setStatus("disabled"))}>
            ${texts.disable}
          </button>`
      : html`<button type="button" @click=${setStatus("active")}>${texts.enable}</button>`}
    <button
      type="button"
      @click=${() =>
        askFirst(
          texts.rotateAsk,
          texts.rotate,
          reported(async () => {
            rotated = await call("POST", `${path}/rotate-secret?${inProject}`);
            update();
          }),
        )}
    >
      ${texts.rotate}
    </button>
    <button
      type="button"
      class="danger"
      @click=${() =>
        askFirst(
          texts.deleteAsk,
          texts.delete,
          reported(async () => {
            await call("DELETE", `${path}?${inProject}`);
            location.hash = place;
          }, texts.done),
        )}
    >
      ${texts.delete}
    </button>
  </div>`;
  return loadedView(
    async () => {
      webhook = await call("GET", `${path}?${inProject}`);
      return webhook;
    },
    (found, reloadWebhook) => {
      reload = reloadWebhook;
      return html`<p class="crumb"><a href=${place}>${texts.back}</a></p>
        <h1>${found.url}</h1>
        <section>
          <dl>
            <dt>${texts.status}</dt>
            <dd>${statusView(found.status)}</dd>
            <dt>${texts.events}</dt>
            <dd>${eventsOf(found)}</dd>
            <dt>${texts.failingSince}</dt>
            <dd>${failingView(found)}</dd>
          </dl>
          ${rotated === null
            ? nothing
            : signingSecretView(
                fill(texts.rotated, { until: formatTime(rotated.previousSecretExpiresAt) }),
                rotated.signingSecret,
              )}
          ${context.isDeveloper ? buttonsView(found) : nothing}
        </section>
        ${log.view(found.status === "active")}
        ${context.isDeveloper
          ? html`<section>
              <h2>${texts.change}</h2>
              ${editor()}
            </section>`
          : nothing}`;
    },
  );
}

/**
 * @param {ProjectContext} context
 * @param {Endpoint} endpoint
 * @param {string} place
 */
function deliveriesView(context, { path, inProject }, place) {
  let status = "";
  let dead = 0;
  /** @param {Schemas["Delivery"]} delivery */
  const againButton = ({ id, event }) => html`<button
    type="button"
    aria-label=${`${texts.retry}: ${event.type}`}
    @click=${reported(async () => {
      await call("POST", `${path}/deliveries/${id}/retry?${inProject}`);
      reload();
    }, texts.retried)}
  >
    ${texts.retry}
  </button>`;
  const sendAll = async () => {
    let count = 0;
    for (let left = dead; left > 0;) {
      const { retried, remaining } = await call("POST", `${path}/deliveries/retry?${inProject}`);
      count += retried;
      left = Math.min(left - retried, retried && remaining); // not those that are given up by then
    }
    announce(fill(texts.retriedAll, { count: formatNumber(count) }));
  };
  const askToSendAll = () =>
    askFirst(
      fill(texts.retryAllAsk, { count: formatNumber(dead) }),
      texts.retryAll,
      reported(() => sendAll().finally(reload)),
    );
  const load = () =>
    pagedView(
      async (offset) => {
        const filter = status ? `&status=${status}` : "";
        const [page, ofDead] = await Promise.all([
          call("GET", `${path}/deliveries?${inProject}&limit=50&offset=${offset}${filter}`),
          call("GET", `${path}/deliveries?${inProject}&limit=1&status=dead`),
        ]);
        dead = ofDead.total;
        return { items: page.deliveries, total: page.total };
      },
      (deliveries) =>
        deliveries.length === 0
          ? html`<p class="blank" role="status">${texts.noDeliveries}</p>`
          : tableView(
              texts.deliveries,
              [texts.event, texts.status, texts.attempts, texts.response, texts.at, ...(context.isDeveloper ? [""] : [])],
              deliveries.map((delivery) => [
                html`<a class="event" href="${place}/${delivery.id}">${delivery.event.type}</a>`,
                statusView(delivery.status),
                delivery.attempts,
                delivery.responseStatus ?? delivery.error ?? "–",
                timeView(delivery.createdAt),
                ...(context.isDeveloper ? [delivery.status === "dead" ? againButton(delivery) : nothing] : []),
              ]),
            ),
    );
  let list = load();
  const reload = () => {
    list = load();
    update();
  };
  /** @param {boolean} isActive */
  const view = (isActive) => html`<section>
    <h2>${texts.deliveries}</h2>
    <p class="note">${texts.deliveriesHelp}</p>
    <div class="field filter">
      <div>
        <label for="delivery-status">${texts.status}</label>
        <select
          id="delivery-status"
          @change=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => {
            status = event.currentTarget.value;
            reload();
          }}
        >
          <option value="">${texts.any}</option>
          ${STATUSES.map((name) => html`<option value=${name}>${texts[name]}</option>`)}
        </select>
      </div>
      <div class="buttons">
        <button type="button" @click=${reload}>${texts.reload}</button>
        ${context.isDeveloper && dead > 0 && isActive
          ? html`<button type="button" @click=${askToSendAll}>${texts.retryAll}</button>`
          : nothing}
      </div>
    </div>
    ${list()}
  </section>`;
  return { reload, view };
}

/**
 * @param {ProjectContext} context
 * @param {Endpoint} endpoint
 * @param {string} place
 * @param {string} id
 */
function deliveryView(context, { path: endpointPath, inProject }, place, id) {
  const path = /** @type {const} */ (`${endpointPath}/deliveries/${encodeURIComponent(id)}`);
  return loadedView(
    () => call("GET", `${path}?${inProject}`),
    (delivery, reload) => html`<p class="crumb"><a href=${place}>${texts.toWebhook}</a></p>
      <h1>${texts.delivery}: ${delivery.event.type}</h1>
      <section>
        <dl>
          <dt>${texts.status}</dt>
          <dd>${statusView(delivery.status)}</dd>
          <dt>${texts.at}</dt>
          <dd>${formatTime(delivery.createdAt)}</dd>
          <dt>${texts.attempts}</dt>
          <dd>${delivery.attempts}</dd>
          <dt>${texts.lastAttempt}</dt>
          <dd>${formatTime(delivery.attemptedAt)}</dd>
          ${delivery.nextAttemptAt
            ? html`<dt>${texts.nextAttempt}</dt>
                <dd>${formatTime(delivery.nextAttemptAt)}</dd>`
            : nothing}
          <dt>${texts.response}</dt>
          <dd>${delivery.responseStatus ?? texts.noResponse}</dd>
          ${delivery.durationMillis === null
            ? nothing
            : html`<dt>${texts.duration}</dt>
                <dd>${formatMilliseconds(delivery.durationMillis)}</dd>`}
          ${delivery.error === null
            ? nothing
            : html`<dt>${texts.error}</dt>
                <dd>${delivery.error}</dd>`}
        </dl>
        <div class="row">
          <button type="button" @click=${reported(reload)}>${texts.reload}</button>
          ${context.isDeveloper
            ? html`<button
                type="button"
                @click=${reported(async () => {
                  await call("POST", `${path}/retry?${inProject}`);
                  await reload();
                }, texts.retried)}
              >
                ${texts.retry}
              </button>`
            : nothing}
        </div>
      </section>
      <section>
        <h2>${texts.payload}</h2>
        <pre><code>${JSON.stringify(delivery.event.payload, null, 2)}</code></pre>
      </section>
      ${delivery.responseBody
        ? html`<section>
            <h2>${texts.responseBody}</h2>
            <pre><code>${delivery.responseBody}</code></pre>
          </section>`
        : nothing}`,
  );
}
