/** The endpoints that are told what happens to users, and what became of each delivery. */
import { call } from "./api.js";
import { millis, t, when } from "./messages.js";
import { action, ask, form, html, loaded, nothing, pages, say, secret, table, update } from "./parts.js";

const x = t.webhooks;
const ROOT = "dashboard/webhooks";
const ALL = "*";
const EVENTS = [
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
  "factor.added",
  "factor.removed",
];
const STATUSES = ["waiting", "delivered", "dead"];

const fields = (hook) => [
  { name: "url", type: "url", label: x.url, help: x.urlHelp, value: hook?.url, required: true },
  {
    name: "events",
    type: "choices",
    label: x.events,
    value: hook?.events ?? [],
    options: [[ALL, x.all], ...EVENTS.map((event) => [event, event])],
  },
];

const read = ({ url, events }) => ({ url: url.trim(), events: events.includes(ALL) ? [ALL] : events });

const eventsOf = (hook) => (hook.events.includes(ALL) ? x.all : hook.events.join(", "));

const once = (text, value) =>
  html`<div role="status"><p>${text}</p></div>
    ${secret(x.signingSecret, value)}`;

export function webhooks(space) {
  const address = (id) => `#/projects/${space.id}/webhooks/${id}`;
  let made = null;
  let reload = () => {};
  const list = pages(
    async (offset) => {
      const page = await call("GET", `${ROOT}?projectId=${space.id}&limit=50&offset=${offset}`);
      return { items: page.webhooks, total: page.total };
    },
    (found, again) => {
      reload = again;
      return found.length === 0
        ? html`<p role="status">${x.empty}</p>`
        : table(
            t.project.webhooks,
            [x.url, x.events, x.status, x.failingSince],
            found.map((hook) => [
              html`<a href=${address(hook.id)}>${hook.url}</a>`,
              eventsOf(hook),
              x[hook.status],
              hook.failingSince ? when(hook.failingSince) : "–",
            ]),
          );
    },
  );
  const create = form("new-webhook", {
    fields: fields(),
    button: x.create,
    submit: async (values, element) => {
      made = await call("POST", `${ROOT}?projectId=${space.id}`, read(values));
      element.reset();
      update();
      await reload();
    },
  });
  return () => html`<section>
      <h2>${t.project.webhooks}</h2>
      ${list()}
    </section>
    ${space.owner
      ? html`<section>
          <h2>${x.create}</h2>
          ${made === null ? nothing : once(x.created, made.signingSecret)} ${create()}
        </section>`
      : nothing}`;
}

/** One endpoint with its deliveries, or one of these. */
export function webhook(space, id, deliveryId) {
  const place = `#/projects/${space.id}/webhooks`;
  const own = `${ROOT}/${encodeURIComponent(id)}`;
  const inProject = `projectId=${space.id}`;
  return deliveryId ? delivery(space, own, inProject, `${place}/${id}`, deliveryId) : endpoint(space, own, inProject, place, id);
}

function endpoint(space, own, inProject, place, id) {
  let rotated = null;
  let hook = null;
  let reload = () => {};
  const change = (values) => call("PATCH", `${own}?${inProject}`, values);
  const editor = form("webhook", {
    fields: () => fields(hook),
    button: t.save,
    submit: async (values) => {
      await change(read(values));
      say(t.saved);
      await reload();
    },
  });
  const setStatus = (status) =>
    action(async () => {
      await change({ status });
      await reload();
    }, x.done);
  const log = deliveries(own, inProject, `${place}/${id}`);
  const actions = () => html`<div class="row">
    ${hook.status === "active"
      ? html`<button
            type="button"
            @click=${action(async () => {
              await call("POST", `${own}/test?${inProject}`);
              log.start();
            }, x.tested)}
          >
            ${x.test}</button
          ><button type="button" @click=${() => ask(x.disableAsk, x.disable, setStatus("disabled"))}>${x.disable}</button>`
      : html`<button type="button" @click=${setStatus("active")}>${x.enable}</button>`}
    <button
      type="button"
      @click=${() =>
        ask(
          x.rotateAsk,
          x.rotate,
          action(async () => {
            rotated = await call("POST", `${own}/rotate-secret?${inProject}`);
            update();
          }),
        )}
    >
      ${x.rotate}
    </button>
    <button
      type="button"
      class="danger"
      @click=${() =>
        ask(
          x.deleteAsk,
          x.delete,
          action(async () => {
            await call("DELETE", `${own}?${inProject}`);
            location.hash = place;
          }, x.done),
        )}
    >
      ${x.delete}
    </button>
  </div>`;
  return loaded(
    async () => {
      hook = await call("GET", `${own}?${inProject}`);
      return hook;
    },
    (found, again) => {
      reload = again;
      return html`<section>
          <p class="crumb"><a href=${place}>${x.back}</a></p>
          <h2>${found.url}</h2>
          <dl>
            <dt>${x.status}</dt>
            <dd>${x[found.status]}</dd>
            <dt>${x.events}</dt>
            <dd>${eventsOf(found)}</dd>
            <dt>${x.failingSince}</dt>
            <dd>${found.failingSince ? when(found.failingSince) : "–"}</dd>
          </dl>
          ${rotated === null ? nothing : once(x.rotated(when(rotated.previousSecretExpiresAt)), rotated.signingSecret)}
          ${space.owner ? actions() : nothing}
        </section>
        ${log.view()}
        ${space.owner
          ? html`<section>
              <h2>${x.change}</h2>
              ${editor()}
            </section>`
          : nothing}`;
    },
  );
}

function deliveries(own, inProject, place) {
  let status = "";
  let list;
  const start = () => {
    list = pages(
      async (offset) => {
        const filter = status ? `&status=${status}` : "";
        const page = await call("GET", `${own}/deliveries?${inProject}&limit=50&offset=${offset}${filter}`);
        return { items: page.deliveries, total: page.total };
      },
      (found) =>
        found.length === 0
          ? html`<p role="status">${x.noDeliveries}</p>`
          : table(
              x.deliveries,
              [x.event, x.status, x.attempts, x.response, x.at],
              found.map((one) => [
                html`<a href="${place}/${one.id}">${one.event.type}</a>`,
                x[one.status],
                one.attempts,
                one.responseStatus ?? one.error ?? "–",
                when(one.createdAt),
              ]),
            ),
    );
    update();
  };
  start();
  const view = () => html`<section>
    <h2>${x.deliveries}</h2>
    <p class="note">${x.deliveriesHelp}</p>
    <div class="field filter">
      <div>
        <label for="delivery-status">${x.status}</label>
        <select
          id="delivery-status"
          @change=${(event) => {
            status = event.currentTarget.value;
            start();
          }}
        >
          <option value="">${x.any}</option>
          ${STATUSES.map((one) => html`<option value=${one}>${x[one]}</option>`)}
        </select>
      </div>
      <button type="button" @click=${start}>${x.reload}</button>
    </div>
    ${list()}
  </section>`;
  return { start, view };
}

function delivery(space, own, inProject, place, id) {
  const path = `${own}/deliveries/${encodeURIComponent(id)}`;
  return loaded(
    () => call("GET", `${path}?${inProject}`),
    (one, reload) => html`<section>
        <p class="crumb"><a href=${place}>${x.toWebhook}</a></p>
        <h2>${x.delivery}: ${one.event.type}</h2>
        <dl>
          <dt>${x.status}</dt>
          <dd>${x[one.status]}</dd>
          <dt>${x.at}</dt>
          <dd>${when(one.createdAt)}</dd>
          <dt>${x.attempts}</dt>
          <dd>${one.attempts}</dd>
          <dt>${x.lastAttempt}</dt>
          <dd>${when(one.attemptedAt)}</dd>
          ${one.nextAttemptAt
            ? html`<dt>${x.nextAttempt}</dt>
                <dd>${when(one.nextAttemptAt)}</dd>`
            : nothing}
          <dt>${x.response}</dt>
          <dd>${one.responseStatus ?? x.noResponse}</dd>
          ${one.durationMillis === null
            ? nothing
            : html`<dt>${x.duration}</dt>
                <dd>${millis(one.durationMillis)}</dd>`}
          ${one.error === null
            ? nothing
            : html`<dt>${x.error}</dt>
                <dd>${one.error}</dd>`}
        </dl>
        <div class="row">
          <button type="button" @click=${action(reload)}>${x.reload}</button>
          ${space.owner
            ? html`<button
                type="button"
                @click=${action(async () => {
                  await call("POST", `${path}/retry?${inProject}`);
                  await reload();
                }, x.retried)}
              >
                ${x.retry}
              </button>`
            : nothing}
        </div>
      </section>
      <section>
        <h2>${x.payload}</h2>
        <pre><code>${JSON.stringify(one.event.payload, null, 2)}</code></pre>
      </section>
      ${one.responseBody
        ? html`<section>
            <h2>${x.responseBody}</h2>
            <pre><code>${one.responseBody}</code></pre>
          </section>`
        : nothing}`,
  );
}
