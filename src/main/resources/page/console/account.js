// @ts-check
import { call, callWithProof, signOut } from "./api.js";
import { chooseLanguage, chosenLanguage, fill, formatTime, LANGUAGES, messages } from "./messages.js";
import { announce, askFirst, formView, html, nothing, pagedView, reported, tableView } from "./parts.js";
import { emailView, factorView, profileView } from "./person.js";

const texts = messages.account;

/**
 * A dashboard user's own sessions and password.
 * @param {{ onSignedOut: () => void }} next
 * @returns {ConsoleScreen}
 */
export function accountScreen({ onSignedOut }) {
  const sessions = pagedView(
    async (offset) => {
      const page = await call("GET", `dashboard/auth/sessions?limit=50&offset=${offset}`);
      return { items: page.sessions, total: page.total };
    },
    (list, reload) => html`${tableView(
        texts.sessions,
        [texts.device, texts.address, texts.since, ""],
        list.map((session) => [
          session.userAgent ?? texts.unknownDevice,
          session.ipAddress ?? messages.none,
          formatTime(session.createdAt),
          session.current
            ? html`<strong>${texts.current}</strong>`
            : html`<button
                type="button"
                aria-label=${fill(texts.endOf, { device: session.userAgent ?? texts.unknownDevice })}
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
  const language = formView("language", {
    fields: [
      {
        name: "language",
        type: "select",
        label: texts.language,
        value: chosenLanguage(),
        options: [["", texts.languageOfBrowser], ...Object.entries(LANGUAGES)],
      },
    ],
    button: messages.save,
    submit: async (values) => {
      chooseLanguage(values.language);
      location.reload();
    },
  });
  const own = { profile: profileView(), email: emailView(), factor: factorView() };
  return {
    title: texts.title,
    view: () => html`<h1>${texts.title}</h1>
      <section>
        <h2>${messages.person.profile}</h2>
        ${own.profile()}
      </section>
      <section>
        <h2>${messages.email}</h2>
        ${own.email()}
      </section>
      <section>
        <h2>${texts.sessions}</h2>
        <p>${texts.sessionsHelp}</p>
        ${sessions()}
      </section>
      <section>
        <h2>${texts.changePassword}</h2>
        ${password()}
      </section>
      <section>
        <h2>${messages.person.factor}</h2>
        ${own.factor()}
      </section>
      <section>
        <h2>${texts.language}</h2>
        ${language()}
      </section>
      <button
        type="button"
        @click=${reported(async () => {
          await signOut();
          onSignedOut();
        })}
      >
        ${texts.signOut}
      </button>`,
  };
}
