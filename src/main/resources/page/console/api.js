/**
 * Calls to the server. The access token is in memory alone, and the refresh token in a cookie that no script can read.
 * A call that meets an ended session waits until the person has signed in again, and is then sent once more.
 */
import { duration, t } from "./messages.js";

const ROOT = new URL("../v1/", document.baseURI);
const COOKIE = { "x-refresh-token": "cookie" };

let accessToken = null;
let refreshing = null;
let user = null;
let signInAgain = null;
const leaving = [];

/** A refusal of the server, or its absence, whose status is 0. */
export class ApiError extends Error {
  constructor(status, message, details, { reason, lang } = {}) {
    super(message);
    this.status = status;
    this.details = details ?? [];
    this.reason = reason; // in a word, where a client can do something about it
    this.lang = lang; // of the message and of the details, where it is not that of the page
  }
}

export function me() {
  return user;
}

/** What asks for a new sign in when the session is over, or too old (by its argument); its promise ends when there is one. */
export function onSessionEnd(ask) {
  signInAgain = ask;
}

/** What must not go on when the person signs out. */
export function onSignOut(stop) {
  leaving.push(stop);
}

async function request(method, path, body, headers) {
  try {
    return await fetch(new URL(path, ROOT), {
      method,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch {
    throw new ApiError(0, t.offline);
  }
}

async function read(response) {
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new ApiError(response.status, t.unreadable);
  }
  if (!response.ok) {
    throw refusal(response, answer);
  }
  return answer;
}

/** In the person's language where the status says all; else in the server's own words. */
function refusal(response, { message, details, reason }) {
  const wait = Number(response.headers.get("retry-after"));
  const byReason = { unverified_email: t.refused.unverified };
  const byStatus = {
    429: wait > 0 ? t.refused.tooMany(duration(wait)) : undefined,
    500: t.refused.failed,
    503: t.refused.busy,
  };
  const own = byReason[reason] ?? byStatus[response.status];
  return new ApiError(response.status, own ?? message, details, { reason, lang: own === undefined ? "en" : undefined });
}

/** What one call means by a status, such as a wrong password by 401. */
const meaning = (texts) => (refused) => {
  const text = refused.lang && refused.details.length === 0 && refused.reason === undefined ? texts[refused.status] : undefined;
  throw text === undefined ? refused : new ApiError(refused.status, text);
};

async function readFile(response) {
  if (!response.ok) {
    return read(response);
  }
  try {
    return await response.blob();
  } catch {
    throw new ApiError(0, t.brokenOff); // a file without its proper end is no file
  }
}

const send = async (...what) => read(await request(...what));

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
  const sent = send("POST", `dashboard/auth/${path}`, body, COOKIE);
  return keep(await sent.catch(meaning({ 401: path === "login" ? t.refused.credentials : t.refused.code })));
}

/** A call that needs no session. */
export const tell = (path, body) => send("POST", path, body).catch(meaning({ 401: t.refused.code }));

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

const SIGNED_IN = { 403: t.refused.forbidden, 404: t.refused.gone };

export const call = (method, path, body) =>
  patiently(() => withToken(method, path, body)).catch(meaning(SIGNED_IN));

/** What needs a recent sign in waits for it. */
async function recently(run) {
  try {
    return await run();
  } catch (refused) {
    if (refused.reason !== "reauthentication_required") {
      throw refused;
    }
  }
  await signInAgain(true);
  return run();
}

/**
 * A call with a password or a code, whose 401 means that it is wrong: sent once, since each one that is wrong counts, so the
 * session is looked after before.
 */
export async function callWithProof(method, path, body, whenWrong) {
  learn(await call("GET", "auth/me"));
  return recently(() => withToken(method, path, body)).catch(meaning({ ...SIGNED_IN, 401: whenWrong }));
}

/** The person's own account after a change. */
export function learn(changed) {
  user = changed;
}

/** A file that the server sends, whole. */
export const download = (path) =>
  patiently(async () => readFile(await request("GET", path, undefined, { authorization: `Bearer ${accessToken}` })));

/** Sends lines, and gives the server's answers to them as they come: each is a list, since many come at a time. */
export const sendLines = (path, body, signal, answered) =>
  patiently(async () => {
    try {
      const response = await fetch(new URL(path, ROOT), {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/x-ndjson" },
        body,
        signal,
        credentials: "same-origin",
        cache: "no-store",
      });
      if (!response.ok) {
        return await read(response);
      }
      let rest = "";
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const lines = (rest + part.value).split("\n");
        rest = lines.pop();
        answered(lines.filter(Boolean).map((line) => JSON.parse(line)));
      }
    } catch (failure) {
      throw failure instanceof ApiError || signal.aborted ? failure : new ApiError(0, t.offline);
    }
  });

async function patiently(run) {
  const used = accessToken;
  try {
    return await recently(run);
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
    await signInAgain(false);
  }
  return recently(run); // the new token is of the same sign in, which may be an old one
}

export async function signOut() {
  leaving.forEach((stop) => stop());
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
