// @ts-check
/** Samples for an app, with the values of a project. A line begins with a bar, so that its indent stays when this file is served. */

/** @param {string} text */
const unbarred = (text) => text.replace(/^ *\|/gm, "").trim();

/** @typedef {{ server: string, key: string, projectId: string, callbackPath: string, port: string }} Values */

/** @param {Values} values */
const curl = ({ server, key }) => `
  |# a user signs up ...
  |curl -sS --fail-with-body "${server}/v1/auth/signup" \\
  |  -H "x-api-key: ${key}" -H "content-type: application/json" \\
  |  -d '{"email":"ann@example.com","password":"correct horse battery"}'
  |
  |# ... and in, for an access token and a refresh token
  |curl -sS --fail-with-body "${server}/v1/auth/signin" \\
  |  -H "x-api-key: ${key}" -H "content-type: application/json" \\
  |  -d '{"email":"ann@example.com","password":"correct horse battery"}'`;

/** @param {Values} values */
const javaScript = ({ server, key }) => `
  |// vestibule.js
  |const server = "${server}";
  |const key = "${key}";
  |
  |const base64url = (bytes) =>
  |  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  |const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
  |
  |async function call(path, options) {
  |  const response = await fetch(server + path, {
  |    ...options,
  |    headers: { "x-api-key": key, "content-type": "application/json" },
  |  });
  |  const answer = await response.json();
  |  if (!response.ok) throw new Error(answer.message);
  |  return answer;
  |}
  |
  |// For a button: sends the person to the sign-in page.
  |export async function signIn() {
  |  const begun = { state: random(), verifier: random() };
  |  sessionStorage.setItem("sign-in", JSON.stringify(begun));
  |  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(begun.verifier));
  |  const query = new URLSearchParams({ state: begun.state, codeChallenge: base64url(digest) });
  |  const { url } = await call("/v1/auth/hosted/url?" + query);
  |  location.assign(url);
  |}
  |
  |// On the callback page: accessToken, refreshToken and user, or null if nobody comes from the sign-in page.
  |export async function finishSignIn() {
  |  const query = new URLSearchParams(location.search);
  |  if (!query.has("code")) return null;
  |  history.replaceState(null, "", location.pathname);
  |  const begun = JSON.parse(sessionStorage.getItem("sign-in") ?? "{}");
  |  sessionStorage.removeItem("sign-in");
  |  if (query.get("state") !== begun.state) throw new Error("This sign-in was not begun here.");
  |  const body = JSON.stringify({ code: query.get("code"), codeVerifier: begun.verifier });
  |  return call("/v1/auth/hosted/callback", { method: "POST", body });
  |}`;

const react = () => `
  |// Account.jsx, next to vestibule.js, which is the sample for JavaScript
  |import { useEffect, useState } from "react";
  |import { finishSignIn, signIn } from "./vestibule.js";
  |
  |const arrival = finishSignIn(); // once, although React may run an effect twice
  |
  |export function Account() {
  |  const [session, setSession] = useState(null);
  |  const [problem, setProblem] = useState(null);
  |  useEffect(() => {
  |    arrival.then(setSession, setProblem);
  |  }, []);
  |  if (problem) return <p role="alert">{problem.message}</p>;
  |  if (!session) return <button onClick={() => signIn().catch(setProblem)}>Sign in</button>;
  |  return <p>You are {session.user.email}</p>;
  |}`;

/** @param {Values} values */
const next = ({ server, key, callbackPath }) => `
  |// lib/vestibule.js
  |export async function call(path, options) {
  |  const response = await fetch("${server}" + path, {
  |    ...options,
  |    cache: "no-store",
  |    headers: { "x-api-key": "${key}", "content-type": "application/json" },
  |  });
  |  const answer = await response.json();
  |  if (!response.ok) throw new Error(answer.message);
  |  return answer;
  |}
  |
  |export const cookie = { httpOnly: true, sameSite: "lax", path: "/", secure: process.env.NODE_ENV === "production" };
  |
  |// app/login/route.js
  |import { createHash, randomBytes } from "node:crypto";
  |import { cookies } from "next/headers";
  |import { redirect } from "next/navigation";
  |import { call, cookie } from "@/lib/vestibule";
  |
  |export async function GET() {
  |  const state = randomBytes(32).toString("base64url");
  |  const verifier = randomBytes(32).toString("base64url");
  |  const codeChallenge = createHash("sha256").update(verifier).digest("base64url");
  |  const { url } = await call("/v1/auth/hosted/url?" + new URLSearchParams({ state, codeChallenge }));
  |  (await cookies()).set("sign-in", state + "." + verifier, { ...cookie, maxAge: 3600 });
  |  redirect(url);
  |}
  |
  |// app${callbackPath}/route.js
  |import { cookies } from "next/headers";
  |import { redirect } from "next/navigation";
  |import { call, cookie } from "@/lib/vestibule";
  |
  |export async function GET(request) {
  |  const jar = await cookies();
  |  const [state, codeVerifier] = (jar.get("sign-in")?.value ?? "").split(".");
  |  const query = request.nextUrl.searchParams;
  |  if (!state || query.get("state") !== state) redirect("/login");
  |  const body = JSON.stringify({ code: query.get("code"), codeVerifier });
  |  const session = await call("/v1/auth/hosted/callback", { method: "POST", body });
  |  jar.delete("sign-in");
  |  jar.set("access-token", session.accessToken, { ...cookie, maxAge: session.expiresIn });
  |  redirect("/");
  |}`;

/** @param {Values} values */
const node = ({ server, key, callbackPath, port }) => `
  |// app.mjs, a whole app without packages: node app.mjs
  |import { createHash, randomBytes } from "node:crypto";
  |import { createServer } from "node:http";
  |
  |const sessions = new Map(); // a real app keeps them in its database
  |const secure = process.env.NODE_ENV === "production" ? "; Secure" : "";
  |const random = () => randomBytes(32).toString("base64url");
  |const cookie = (name, value, seconds) =>
  |  name + "=" + value + "; Max-Age=" + seconds + "; Path=/; HttpOnly; SameSite=Lax" + secure;
  |const redirect = (location, ...cookies) => ({ status: 302, headers: { location, "set-cookie": cookies } });
  |
  |async function call(path, options) {
  |  const response = await fetch("${server}" + path, {
  |    ...options,
  |    headers: { "x-api-key": "${key}", "content-type": "application/json" },
  |  });
  |  const answer = await response.json();
  |  if (!response.ok) throw new Error(answer.message);
  |  return answer;
  |}
  |
  |const pages = {
  |  async "/"(cookies) {
  |    const session = sessions.get(cookies.session);
  |    return session
  |      ? { type: "text/plain", text: "You are " + session.user.email }
  |      : { type: "text/html", text: '<a href="/login">Sign in</a>' };
  |  },
  |  async "/login"() {
  |    const state = random();
  |    const verifier = random();
  |    const codeChallenge = createHash("sha256").update(verifier).digest("base64url");
  |    const { url } = await call("/v1/auth/hosted/url?" + new URLSearchParams({ state, codeChallenge }));
  |    return redirect(url, cookie("begun", state + "." + verifier, 3600));
  |  },
  |  async "${callbackPath}"(cookies, query) {
  |    const [state, codeVerifier] = (cookies.begun ?? "").split(".");
  |    if (!state || query.get("state") !== state) return redirect("/login");
  |    const body = JSON.stringify({ code: query.get("code"), codeVerifier });
  |    const session = await call("/v1/auth/hosted/callback", { method: "POST", body });
  |    const id = random();
  |    sessions.set(id, session);
  |    return redirect("/", cookie("session", id, session.expiresIn), cookie("begun", "", 0));
  |  },
  |};
  |
  |async function answer(request) {
  |  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  |  if (!Object.hasOwn(pages, pathname)) return { status: 404, text: "Not found" };
  |  const pairs = (request.headers.cookie ?? "").split("; ").map((pair) => pair.split("="));
  |  return pages[pathname](Object.fromEntries(pairs), searchParams);
  |}
  |
  |createServer(async (request, response) => {
  |  const { status = 200, headers, type = "text/plain", text = "" } = await answer(request).catch((error) => {
  |    console.error(error.message);
  |    return { status: 500, text: "That did not work. Begin again at /login" };
  |  });
  |  response.writeHead(status, { "content-type": type + "; charset=utf-8", "cache-control": "no-store", ...headers });
  |  response.end(text);
  |}).listen(${port}, () => console.log("Open http://localhost:${port}/"));`;

/** @param {Values} values */
const python = ({ server, projectId }) => `
  |# verify_token.py, for a back end: pip install "PyJWT[crypto]"
  |import sys
  |
  |import jwt
  |
  |PROJECT = "${projectId}"
  |ISSUER = f"${server}/v1/projects/{PROJECT}"
  |keys = jwt.PyJWKClient(f"{ISSUER}/.well-known/jwks.json")
  |
  |
  |def verify(token):
  |    """The claims of an access token; raises if it is not valid."""
  |    key = keys.get_signing_key_from_jwt(token).key
  |    claims = jwt.decode(token, key, algorithms=["ES256"], audience=PROJECT, issuer=ISSUER)
  |    if claims.get("type") != "access":
  |        raise ValueError("not an access token")
  |    return claims
  |
  |
  |print(verify(sys.argv[1])["sub"])`;

/** @param {Values} values */
const java = ({ server }) => `
  |// VerifyToken.java, for a back end: java VerifyToken.java <access token>
  |import java.io.IOException;
  |import java.net.URI;
  |import java.net.http.HttpClient;
  |import java.net.http.HttpRequest;
  |import java.net.http.HttpResponse.BodyHandlers;
  |
  |public class VerifyToken {
  |    private static final URI VERIFY = URI.create("${server}/v1/auth/token/verify");
  |    private static final HttpClient HTTP = HttpClient.newHttpClient();
  |
  |    // The user and the claims as JSON. A sign out or a ban is noticed at once.
  |    static String verify(String token) throws IOException, InterruptedException {
  |        var request = HttpRequest.newBuilder(VERIFY).header("Authorization", "Bearer " + token).build();
  |        var response = HTTP.send(request, BodyHandlers.ofString());
  |        if (response.statusCode() != 200) {
  |            throw new SecurityException(response.body());
  |        }
  |        return response.body();
  |    }
  |
  |    public static void main(String[] arguments) throws Exception {
  |        System.out.println(verify(arguments[0]));
  |    }
  |}`;

/** By the name that people know. */
const SAMPLES = /** @type {const} */ ({
  curl,
  "Node.js": node,
  JavaScript: javaScript,
  React: react,
  "Next.js": next,
  Python: python,
  Java: java,
});

/** @typedef {keyof typeof SAMPLES} SampleName */

export const SAMPLE_NAMES = /** @type {SampleName[]} */ (Object.keys(SAMPLES));

/**
 * With a first line that says so if the project has no callback URL that fits.
 * @param {SampleName} name
 * @param {Values & { missing: string | null }} values
 */
export const sampleOf = (name, { missing, ...values }) =>
  (missing ? `// Before this works: set the callback URL of the project, to ${missing} for instance\n` : "") +
  unbarred(SAMPLES[name](values));

/**
 * Whether a sample does not work with a callback URL: what runs in a browser takes any, and a whole app needs a page for it.
 * @param {SampleName} name
 * @param {string | null} url
 */
export function needsCallback(name, url) {
  const isWhole = name === "Node.js" || name === "Next.js";
  return isWhole ? !/^https?:\/\/[^/]+\/[^?#]/.test(url ?? "") : !url && (name === "JavaScript" || name === "React");
}
