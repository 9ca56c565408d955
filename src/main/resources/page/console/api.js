// @ts-check
/**
 * Calls to the server. The access token is only in memory, and the refresh token in a cookie that no script can read. A call
 * that finds the session ended waits until the person has signed in again, and is then sent once more.
 */
import { fill, formatDuration, messages } from "./messages.js";

const ROOT = new URL("../v1/", document.baseURI);
const COOKIE = { "x-refresh-token": "cookie" };

/** @type {string | null} */
let accessToken = null;
/** @type {Promise<unknown> | null} */
let refreshing = null;
/** @type {Schemas["User"] | null} */
let user = null;
/** @type {(isTooOld: boolean) => Promise<void>} */
let signInAgain = async () => {};
/** @type {(() => void)[]} */
const signOutListeners = [];

/** A refusal by the server; status 0 means that there was no response. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {RefusedField[]} [details]
   * @param {{ reason?: string, lang?: string }} [more] the reason in a word, if a client can do something about it; the language
   *     of the message and of the details, if it is not that of the page
   */
  constructor(status, message, details = [], { reason, lang } = {}) {
    super(message);
    this.status = status;
    this.details = details;
    this.reason = reason;
    this.lang = lang;
  }
}

/**
 * The caught failure. If it is not a refusal, it is a defect of this page, which has a message too.
 * @param {unknown} failure
 */
export const asRefusal = (failure) => /** @type {ApiError} */ (failure);

export function currentUser() {
  return user;
}

/**
 * Sets the function that asks for a new sign in when the session has ended or is too old; its promise resolves once there is
 * one.
 * @param {(isTooOld: boolean) => Promise<void>} ask
 */
export function onSessionEnd(ask) {
  signInAgain = ask;
}

/**
 * Registers what must stop when the person signs out.
 * @param {() => void} stop
 */
export function onSignOut(stop) {
  signOutListeners.push(stop);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {Record<string, string>} [headers]
 */
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
    throw new ApiError(0, messages.offline);
  }
}

/** @param {Response} response */
async function readAnswer(response) {
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new ApiError(response.status, messages.unreadable);
  }
  if (!response.ok) {
    throw refusalOf(response, answer);
  }
  return answer;
}

/**
 * In the person's language if the status says enough; otherwise in the server's own words.
 * @param {Response} response
 * @param {Schemas["Error"] & Partial<Schemas["ValidationError"]>} error
 */
function refusalOf(response, { message, details, reason }) {
  const wait = Number(response.headers.get("retry-after"));
  /** @type {Record<string, string>} */
  const byReason = { unverified_email: messages.refused.unverified };
  /** @type {Record<number, string | undefined>} */
  const byStatus = {
    429: wait > 0 ? fill(messages.refused.tooMany, { wait: formatDuration(wait) }) : undefined,
    500: messages.refused.failed,
    503: messages.refused.busy,
  };
  const own = byReason[reason ?? ""] ?? byStatus[response.status];
  return new ApiError(response.status, own ?? message, details, { reason, lang: own === undefined ? "en" : undefined });
}

/**
 * Texts for what a status means to one call, such as a wrong password for 401.
 * @param {Record<number, string>} texts
 * @returns {(refused: ApiError) => never}
 */
const explainBy = (texts) => (refused) => {
  const isInServersWords = refused.lang && refused.details.length === 0 && refused.reason === undefined;
  const text = isInServersWords ? texts[refused.status] : undefined;
  throw text === undefined ? refused : new ApiError(refused.status, text);
};

/** @param {Response} response */
async function readFile(response) {
  if (!response.ok) {
    return readAnswer(response);
  }
  try {
    return await response.blob();
  } catch {
    throw new ApiError(0, messages.brokenOff); // an incomplete file is useless
  }
}

/** @param {Parameters<typeof request>} what */
const send = async (...what) => readAnswer(await request(...what));

/** @param {Operations["POST dashboard/auth/login"]["answer"]} session */
async function keepSession(session) {
  if ("accessToken" in session) {
    if (user !== null && user.id !== session.user.id) {
      location.reload(); // the content of the page belongs to somebody else
      await new Promise(() => {}); // and so does what waits for the session, which must not be sent
    }
    accessToken = session.accessToken;
    user = session.user;
  }
  return session;
}

/**
 * Signs in: the response opens the session, unless it asks for a second factor.
 * @type {Post<"dashboard/auth/">}
 */
export async function openSession(path, ...body) {
  const sent = send("POST", `dashboard/auth/${path}`, body[0], COOKIE);
  const whenWrong = path === "login" ? messages.refused.credentials : messages.refused.code;
  return keepSession(await sent.catch(explainBy({ 401: whenWrong })));
}

/**
 * A call that needs no session.
 * @type {Post<"">}
 */
export const postWithoutSession = (path, ...body) =>
  send("POST", path, body[0]).catch(explainBy({ 401: messages.refused.code }));

/** If several callers refresh at once, only one asks the server. */
export function refreshSession() {
  refreshing ??= send("POST", "dashboard/auth/refresh", undefined, COOKIE)
    .then(keepSession)
    .finally(() => {
      refreshing = null;
    });
  return refreshing;
}

/** @returns {Promise<Schemas["RegistrationNeed"]>} */
export function fetchRegistration() {
  return send("GET", "dashboard/auth/registration", undefined);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
const sendWithToken = (method, path, body) => send(method, path, body, { authorization: `Bearer ${accessToken}` });

const SIGNED_IN = { 403: messages.refused.forbidden, 404: messages.refused.gone };

/** @type {Call} */
export const call = (method, path, ...body) =>
  withSession(() => sendWithToken(method, path, body[0])).catch(explainBy(SIGNED_IN));

/**
 * Runs a call that needs a recent sign in, and waits for that sign in if needed.
 * @template Result
 * @param {() => Promise<Result>} run
 */
async function withRecentSignIn(run) {
  try {
    return await run();
  } catch (failure) {
    if (asRefusal(failure).reason !== "reauthentication_required") {
      throw failure;
    }
  }
  await signInAgain(true);
  return run();
}

/**
 * A call with a password or a code, for which 401 means that it is wrong. It is sent only once, since each wrong one counts,
 * so the session is checked before.
 * @type {CallWithProof}
 */
export async function callWithProof(method, path, body, whenWrong) {
  setCurrentUser(await call("GET", "auth/me"));
  return withRecentSignIn(() => sendWithToken(method, path, body)).catch(explainBy({ ...SIGNED_IN, 401: whenWrong }));
}

/**
 * The person's own account after a change.
 * @param {Schemas["User"]} changed
 */
export function setCurrentUser(changed) {
  user = changed;
}

/**
 * Downloads a complete file from the server.
 * @param {string} path
 * @returns {Promise<Blob>}
 */
export const download = (path) =>
  withSession(async () => readFile(await request("GET", path, undefined, { authorization: `Bearer ${accessToken}` })));

/**
 * Sends lines, and passes on the server's answers as they arrive, in lists, since many arrive at a time.
 * @param {string} path
 * @param {BodyInit} body
 * @param {AbortSignal} signal
 * @param {(answers: ImportAnswer[]) => void} onAnswers
 */
export const sendLines = (path, body, signal, onAnswers) =>
  withSession(async () => {
    try {
      const response = await fetch(new URL(path, ROOT), {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/x-ndjson" },
        body,
        signal,
        credentials: "same-origin",
        cache: "no-store",
      });
      if (!response.ok || response.body === null) {
        return await readAnswer(response);
      }
      let rest = "";
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const lines = (rest + part.value).split("\n");
        rest = lines.pop() ?? "";
        onAnswers(lines.filter(Boolean).map((line) => JSON.parse(line)));
      }
    } catch (failure) {
      throw failure instanceof ApiError || signal.aborted ? failure : new ApiError(0, messages.offline);
    }
  });

/**
 * Whether the session of the person has ended; who has signed out is not asked to sign in again.
 * @param {unknown} failure
 */
const isSessionOver = (failure) => user !== null && asRefusal(failure).status === 401;

/**
 * Refreshes the session, or waits for a new sign in, if the call finds that it has ended.
 * @template Result
 * @param {() => Promise<Result>} run
 */
async function withSession(run) {
  const used = accessToken;
  try {
    return await withRecentSignIn(run);
  } catch (failure) {
    if (!isSessionOver(failure)) {
      throw failure;
    }
  }
  try {
    if (used === accessToken) {
      await refreshSession();
    }
  } catch (failure) {
    if (!isSessionOver(failure)) {
      throw failure;
    }
    await signInAgain(false);
  }
  return withRecentSignIn(run); // the new token belongs to the same sign in, which may be old
}

export async function signOut() {
  signOutListeners.forEach((stop) => stop());
  try {
    await sendWithToken("POST", "dashboard/auth/signout");
  } catch (failure) {
    if (asRefusal(failure).status !== 401) {
      throw failure;
    }
    // The access token is too old: with a new one this ends the session; without a new one the session has already ended.
    await refreshSession().then(
      () => sendWithToken("POST", "dashboard/auth/signout"),
      (refused) => {
        if (refused.status !== 401) {
          throw refused;
        }
      },
    );
  }
  accessToken = null;
  user = null;
}
