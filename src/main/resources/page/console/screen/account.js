// @ts-check
import { call, callWithProof } from "../api.js";
import { fill, messages } from "../messages.js";
import {
  announce,
  askFirst,
  deviceView,
  formView,
  html,
  nothing,
  pagedView,
  reported,
  tableView,
  timeView,
} from "../parts.js";
import { emailView, factorView, profileView } from "./person.js";

const texts = messages.account;

/**
 * A dashboard user's own sessions and password.
 * @returns {View}
 */
export function accountView() {
  const sessions = pagedView(
    async (offset) => {
      const page = await call("GET", `dashboard/auth/sessions?limit=50&offset=${offset}`);
      return { items: page.sessions, total: page.total };
    },
    (list, reload) => html`${tableView(
        texts.sessions,
        [texts.device, texts.address, texts.since, ""],
        list.map((session) => [
          deviceView(session),
          session.ipAddress ?? messages.none,
          timeView(session.createdAt),
          session.current
            ? html`<strong>${texts.current}</strong>`
            : html`<button
                type="button"
                aria-label=${fill(texts.endOf, { device: session.deviceName ?? texts.unknownDevice })}
                @click=${reported(async () => {
                  await call("DELETE", `dashboard/auth/sessions/${session.id}`);
                  await reload();
                }, texts.ended)}
              >
                ${texts.end}
              </button>`,
        ]),
      )}
      ${list.length > 1
        ? html`<button
            type="button"
            @click=${() =>
              askFirst(
                texts.endOthers,
                texts.endOthers,
                reported(async () => {
                  await call("DELETE", "dashboard/auth/sessions?keepCurrent=true");
                  await reload();
                }, texts.ended),
              )}
          >
            ${texts.endOthers}
          </button>`
        : nothing}`,
  );
  const password = formView("password", {
    fields: [
      { name: "currentPassword", type: "password", label: texts.currentPassword, autocomplete: "current-password" },
      {
        name: "newPassword",
        type: "password",
        label: texts.newPassword,
        help: messages.entrance.passwordHelp,
        autocomplete: "new-password",
      },
    ],
    button: texts.changePassword,
    submit: async (values, element) => {
      await callWithProof("POST", "dashboard/auth/password/change", values, messages.refused.password);
      element.reset();
      announce(texts.passwordChanged);
    },
  });
  const own = { profile: profileView(), email: emailView(), factor: factorView() };
  return () => html`<h1>${texts.title}</h1>
    <div class="deck">
      <section>
        <h2>${messages.person.profile}</h2>
        ${own.profile()}
      </section>
      <section>
        <h2>${messages.email}</h2>
        ${own.email()}
      </section>
      <section>
        <h2>${texts.changePassword}</h2>
        ${password()}
      </section>
      <section>
        <h2>${messages.person.factor}</h2>
        ${own.factor()}
      </section>
    </div>
    <section>
      <h2>${texts.sessions}</h2>
      <p>${texts.sessionsHelp}</p>
      ${sessions()}
    </section>`;
}
