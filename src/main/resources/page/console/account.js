import { call, callWithProof, signOut } from "./api.js";
import { chooseLanguage, chosenLanguage, LANGUAGES, t, when } from "./messages.js";
import { action, ask, form, html, nothing, pages, say, table } from "./parts.js";
import { email, factor, profile } from "./person.js";

const x = t.account;

/** A dashboard user's own sessions and password. */
export function account({ signedOut }) {
  const sessions = pages(
    async (offset) => {
      const page = await call("GET", `dashboard/auth/sessions?limit=50&offset=${offset}`);
      return { items: page.sessions, total: page.total };
    },
    (list, reload) => html`${table(
        x.sessions,
        [x.device, x.address, x.since, ""],
        list.map((session) => [
          session.userAgent ?? x.unknownDevice,
          session.ipAddress ?? t.none,
          when(session.createdAt),
          session.current
            ? html`<strong>${x.current}</strong>`
            : html`<button
                type="button"
                aria-label=${x.endOf(session.userAgent ?? x.unknownDevice)}
                @click=${action(async () => {
                  await call("DELETE", `dashboard/auth/sessions/${session.id}`);
                  await reload();
                }, x.ended)}
              >
                ${x.end}
              </button>`,
        ]),
      )}
      ${list.length > 1
        ? html`<button
            type="button"
            @click=${() =>
              ask(
                x.endOthers,
                x.endOthers,
                action(async () => {
                  await call("DELETE", "dashboard/auth/sessions?keepCurrent=true");
                  await reload();
                }, x.ended),
              )}
          >
            ${x.endOthers}
          </button>`
        : nothing}`,
  );
  const password = form("password", {
    fields: [
      { name: "currentPassword", type: "password", label: x.currentPassword, autocomplete: "current-password" },
      { name: "newPassword", type: "password", label: x.newPassword, help: t.entrance.passwordHelp, autocomplete: "new-password" },
    ],
    button: x.changePassword,
    submit: async (values, element) => {
      await callWithProof("POST", "dashboard/auth/password/change", values, t.refused.password);
      element.reset();
      say(x.passwordChanged);
    },
  });
  const language = form("language", {
    fields: [
      {
        name: "language",
        type: "select",
        label: x.language,
        value: chosenLanguage(),
        options: [["", x.languageOfBrowser], ...Object.entries(LANGUAGES)],
      },
    ],
    button: t.save,
    submit: async (values) => {
      chooseLanguage(values.language);
      location.reload();
    },
  });
  const own = { profile: profile(), email: email(), factor: factor() };
  return {
    title: x.title,
    view: () => html`<h1>${x.title}</h1>
      <section>
        <h2>${t.person.profile}</h2>
        ${own.profile()}
      </section>
      <section>
        <h2>${t.email}</h2>
        ${own.email()}
      </section>
      <section>
        <h2>${x.sessions}</h2>
        <p>${x.sessionsHelp}</p>
        ${sessions()}
      </section>
      <section>
        <h2>${x.changePassword}</h2>
        ${password()}
      </section>
      <section>
        <h2>${t.person.factor}</h2>
        ${own.factor()}
      </section>
      <section>
        <h2>${x.language}</h2>
        ${language()}
      </section>
      <button
        type="button"
        @click=${action(async () => {
          await signOut();
          signedOut();
        })}
      >
        ${x.signOut}
      </button>`,
  };
}
