import { call } from "./api.js";
import { t } from "./messages.js";
import { action, ask, form, html, nothing, pages, say, table } from "./parts.js";

const x = t.members;

/** Who may see and change the project, and who is invited to. */
export function members(space) {
  let reload = () => {};
  const list = pages(
    async (offset) => {
      const page = await call("GET", `${space.path}/members?limit=50&offset=${offset}`);
      return { items: page.members, total: page.total };
    },
    (found, again) => {
      reload = again;
      return table(
        t.project.members,
        [t.email, x.role, x.status, ...(space.owner ? [""] : [])],
        found.map((member) => [
          member.email,
          x[member.role],
          x[member.status] ?? member.status,
          ...(space.owner ? [remove(member)] : []),
        ]),
      );
    },
  );
  const remove = (member) =>
    html`<button
      type="button"
      aria-label=${x.removeOf(member.email)}
      @click=${() =>
        ask(
          x.removeAsk(member.email),
          x.remove,
          action(async () => {
            await call("DELETE", `${space.path}/members/${member.id}`);
            await reload();
          }, x.removed),
        )}
    >
      ${x.remove}
    </button>`;
  const invite = form("invite", {
    fields: [
      { name: "email", type: "email", label: t.email, required: true },
      {
        name: "role",
        type: "select",
        label: x.role,
        value: "viewer",
        options: [
          ["viewer", x.viewer],
          ["owner", x.owner],
        ],
      },
    ],
    button: x.invite,
    submit: async (values, element) => {
      await call("POST", `${space.path}/members`, values);
      element.reset();
      say(x.sent);
      await reload();
    },
  });
  return () => html`<section>
      <h2>${t.project.members}</h2>
      ${list()}
    </section>
    ${space.owner
      ? html`<section>
          <h2>${x.invite}</h2>
          ${invite()}
        </section>`
      : nothing}`;
}
