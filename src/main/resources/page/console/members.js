import { call, me } from "./api.js";
import { t, when } from "./messages.js";
import { action, ask, form, html, nothing, pages, say, table } from "./parts.js";

const x = t.members;

/** Who may see and change the project, and who is invited to. */
export function members(space) {
  let reload = () => {};
  const isMe = (member) => member.userId === me()?.id;
  const list = pages(
    async (offset) => {
      const page = await call("GET", `${space.path}/members?limit=50&offset=${offset}`);
      return { items: page.members, total: page.total };
    },
    (found, again) => {
      reload = again;
      const withActions = space.owner || found.some(isMe);
      return table(
        t.project.members,
        [t.email, t.name, x.role, x.status, ...(withActions ? [""] : [])],
        found.map((member) => [
          member.email,
          member.displayName ?? "–",
          x[member.role],
          status(member),
          ...(withActions ? [html`<div class="buttons">${actions(member)}</div>`] : []),
        ]),
      );
    },
  );
  const status = (member) =>
    html`${x[member.status] ?? member.status}${member.status === "invited"
      ? html`<br /><span class="help">${x.until(when(member.expiresAt))}</span>`
      : nothing}`;

  const button = (label, name, run) => html`<button type="button" aria-label=${name} @click=${run}>${label}</button>`;

  function actions(member) {
    if (!space.owner) {
      return isMe(member) ? leave(member) : nothing;
    }
    const isOpen = member.status !== "active";
    return html`${isOpen ? button(x.resend, x.resendOf(member.email), resend(member)) : nothing}
    ${member.role === "owner" ? change(member, "viewer", x.makeViewer, x.makeViewerOf, x.makeViewerAsk) : nothing}
    ${member.role === "viewer" ? change(member, "owner", x.makeOwner, x.makeOwnerOf, x.makeOwnerAsk) : nothing}
    ${isOpen
      ? remove(member, x.withdraw, x.withdrawOf, x.withdrawAsk, x.withdrawn)
      : isMe(member)
        ? leave(member)
        : remove(member, x.remove, x.removeOf, x.removeAsk, x.removed)}`;
  }

  const change = (member, role, label, name, question) =>
    button(label, name(member.email), () =>
      ask(
        question(member.email),
        label,
        action(async () => {
          await call("PATCH", `${space.path}/members/${member.id}`, { role });
          await (isMe(member) ? space.reload() : reload()); // who is an owner no more sees the project as a viewer
        }, x.roleChanged),
      ),
    );

  const remove = (member, label, name, question, done) =>
    button(label, name(member.email), () =>
      ask(
        question(member.email),
        label,
        action(async () => {
          await call("DELETE", `${space.path}/members/${member.id}`);
          await reload();
        }, done),
      ),
    );

  const resend = (member) =>
    action(async () => {
      await call("POST", `${space.path}/members`, { email: member.email, role: member.role });
      await reload();
    }, x.resent);

  const leave = (member) =>
    button(x.leave, x.leave, () =>
      ask(
        x.leaveAsk,
        x.leave,
        action(async () => {
          await call("DELETE", `${space.path}/members/${member.id}`);
          location.hash = "#/";
        }, x.left),
      ),
    );

  const invite = form("invite", {
    fields: [
      { name: "email", type: "email", label: t.email, help: x.inviteHelp, required: true },
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
