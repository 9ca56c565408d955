/**
 * Calls to the server. The access token is in memory alone, and the refresh token in a cookie that no script can read.
 * A call that meets an ended session waits until the person has signed in again, and is then sent once more.
 */
import { t } from "./messages.js";

const ROOT = new URL("../v1/", document.baseURI);
const COOKIE = { "x-refresh-token": "cookie" };

let accessToken = null;
let refreshing = null;
let user = null;
let signInAgain = null;

/** A refusal of the server, or its absence, whose status is 0. */
export class ApiError extends Error {
  constructor(status, message, details) {
    super(message);
    this.status = status;
    this.details = details ?? [];
  }
}

export function me() {
  return user;
}

/** What asks for a new sign in when the session is over; its promise ends when there is one. */
export function onSessionEnd(ask) {
  signInAgain = ask;
}

async function send(method, path, body, headers) {
  let response;
  let answer;
  try {
    response = await fetch(new URL(path, ROOT), {
      method,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch {
    throw new ApiError(0, t.offline);
  }
  try {
    answer = await response.json();
  } catch {
    throw new ApiError(response.status, t.unreadable);
  }
  if (!response.ok) {
    throw new ApiError(response.status, answer.message, answer.details);
  }
  return answer;
}

function keep(session) {
  if (session.accessToken) {
    if (user !== null && user.id !== session.user.id) {
      location.reload(); // what is on the page belongs to somebody else
    }
    accessToken = session.accessToken;
    user = session.user;
  }
  return session;
}

/** A way in: its response opens the session, unless it asks for a second factor. */
export async function enter(path, body) {
  return keep(await send("POST", `dashboard/auth/${path}`, body, COOKIE));
}

/** Of many callers at a time, one asks. */
export function refresh() {
  refreshing ??= send("POST", "dashboard/auth/refresh", undefined, COOKIE)
    .then(keep)
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

export function registration() {
  return send("GET", "dashboard/auth/registration");
}

const withToken = (method, path, body) => send(method, path, body, { authorization: `Bearer ${accessToken}` });

export async function call(method, path, body) {
  const used = accessToken;
  try {
    return await withToken(method, path, body);
  } catch (refused) {
    if (refused.status !== 401) {
      throw refused;
    }
  }
  try {
    if (used === accessToken) {
      await refresh();
    }
  } catch (refused) {
    if (refused.status !== 401) {
      throw refused;
    }
    await signInAgain();
  }
  return withToken(method, path, body);
}

export async function signOut() {
  try {
    await withToken("POST", "dashboard/auth/signout");
  } catch (refused) {
    if (refused.status !== 401) {
      throw refused;
    }
    // The access token is too old: with a new one the session ends, and without one it has ended.
    await refresh().then(
      () => withToken("POST", "dashboard/auth/signout"),
      (over) => {
        if (over.status !== 401) {
          throw over;
        }
      },
    );
  }
  accessToken = null;
  user = null;
}
