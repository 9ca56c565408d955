// Verifies Vestibule's access tokens without a request for each, and knows of a sign out within 100 ms.
// One file, no dependencies; Node 20 or later, or another runtime with fetch and Web Crypto.

const POLL = 300 // milliseconds that the server holds a request for the next revocation
const MAX_AGE = 1000 // the list of revocations may be this old
const PAUSE = 250 // after a failure
const KEYS_AGE = 300_000 // of the key set, and of the result of a signature check
const KEYS_PAUSE = 5000 // between readings of the key set because of unknown keys
const CACHE_SIZE = 10_000

/** The token is not valid, or no longer: answer 401. */
export class InvalidToken extends Error {}

/** Whether the token is valid cannot be known now: answer 503. */
export class Unavailable extends Error {}

/** Make one for the whole application, and wait for `ready` before the first request. */
export class Verifier {
  #ended = new Map() // id of a session or grant → when its last token has expired
  #verified = new Map() // token → {claims, until}
  #keys = new Map()
  #keysAt = -Infinity
  #cursor = null
  #completeAt = -Infinity
  #closed = false
  #stop = new AbortController()

  /**
   * @param {object} options
   * @param {string} options.url the server's public URL
   * @param {string} options.projectId
   * @param {string} options.secretKey reads the list of revocations
   * @param {string} [options.audience] the URI of your API, to accept OAuth access tokens for it; without, session tokens
   * @param {'refuse'|'ask'} [options.whenSilent] what to do while the list is not up to date; 'ask' is for session tokens
   * @param {number} [options.leeway] seconds that clocks may differ, at most 60
   */
  constructor({ url, projectId, secretKey, audience, whenSilent = 'refuse', leeway = 5 }) {
    if (leeway > 60 || (audience && whenSilent === 'ask')) throw new TypeError('see the options')
    Object.assign(this, { url, projectId, secretKey, audience, whenSilent, leeway })
    this.issuer = `${url}/v1/projects/${projectId}`
    this.ready = new Promise(resolve => (this.#resolveReady = resolve))
    this.#follow()
  }
  #resolveReady

  /** The claims of a valid token. */
  async verify(token) {
    if (!this.isCurrent()) {
      if (this.whenSilent === 'ask') return this.#ask(token)
      throw new Unavailable('the list of revocations is not up to date')
    }
    const claims = this.#remembered(token) ?? (await this.#check(token))
    if (this.#ended.has(claims.sid) || this.#ended.has(claims.jti?.split('.')[0])) throw new InvalidToken('revoked')
    if (!this.isCurrent()) throw new Unavailable('the list of revocations is not up to date')
    return claims
  }

  /** Whether everything that ended more than a second ago is known. */
  isCurrent() {
    return performance.now() - this.#completeAt < MAX_AGE
  }

  close() {
    this.#closed = true
    this.#stop.abort()
  }

  #remembered(token) {
    const known = this.#verified.get(token)
    return known && performance.now() < known.until && this.#isInTime(known.claims) ? known.claims : undefined
  }

  #isInTime({ exp }) {
    return typeof exp === 'number' && Date.now() / 1000 < exp + this.leeway
  }

  async #check(token) {
    let header, claims, signature
    try {
      const parts = token.split('.')
      if (parts.length !== 3) throw new InvalidToken('not a token')
      ;[header, claims] = parts.slice(0, 2).map(part => JSON.parse(Buffer.from(part, 'base64url').toString()))
      signature = Buffer.from(parts[2], 'base64url')
    } catch {
      throw new InvalidToken('not a token')
    }
    const key = await this.#key(header?.kid)
    if (!key || key.alg !== header.alg) throw new InvalidToken('signed by an unknown key')
    const signed = Buffer.from(token.slice(0, token.lastIndexOf('.')))
    if (!(await crypto.subtle.verify(key.how, key.key, signature, signed))) throw new InvalidToken('a forged signature')
    const audience = [claims.aud].flat()
    const isForUs = this.audience
      ? header.typ === 'at+jwt' && audience.includes(this.audience) && typeof claims.jti === 'string'
      : header.typ === 'JWT' && claims.type === 'access' && claims.aud === this.projectId && typeof claims.sid === 'string'
    if (!isForUs || claims.iss !== this.issuer || !claims.sub || header.crit) throw new InvalidToken('not for us')
    if (claims.cnf) throw new InvalidToken('bound to a key (RFC 9449), whose proof is not checked here')
    if (!this.#isInTime(claims)) throw new InvalidToken('expired')
    if (this.#verified.size >= CACHE_SIZE) this.#verified.delete(this.#verified.keys().next().value)
    this.#verified.set(token, { claims, until: this.#keysAt + KEYS_AGE })
    return claims
  }

  async #key(id) {
    const age = performance.now() - this.#keysAt
    if (age > KEYS_AGE || (!this.#keys.has(id) && age > KEYS_PAUSE)) {
      this.#reading ??= this.#readKeys().finally(() => (this.#reading = undefined))
      try {
        await this.#reading
      } catch (failure) {
        throw new Unavailable('the key set cannot be read', { cause: failure })
      }
    }
    return this.#keys.get(id)
  }
  #reading

  async #readKeys() {
    const { keys } = await this.#get(`${this.issuer}/.well-known/jwks.json`, {}, 5000)
    const found = new Map()
    for (const jwk of keys) {
      const how = jwk.kty === 'EC' ? { name: 'ECDSA', namedCurve: 'P-256' } : { name: 'RSASSA-PKCS1-v1_5' }
      how.hash = 'SHA-256'
      const alg = jwk.kty === 'EC' ? 'ES256' : 'RS256'
      found.set(jwk.kid, { alg, how, key: await crypto.subtle.importKey('jwk', jwk, how, false, ['verify']) })
    }
    this.#keys = found
    this.#keysAt = performance.now()
  }

  async #get(url, headers, time) {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(time)])
    const response = await fetch(url, { headers, signal })
    if (!response.ok) throw Object.assign(new Error(`${url} answered ${response.status}`), { status: response.status })
    return response.json()
  }

  async #ask(token) {
    try {
      const url = `${this.url}/v1/auth/token/verify`
      const { payload } = await this.#get(url, { authorization: `Bearer ${token}` }, 5000)
      if (payload.projectId !== this.projectId) throw new InvalidToken('of another project')
      return payload
    } catch (failure) {
      if (failure instanceof InvalidToken || failure.status === 401) throw new InvalidToken('refused by the server')
      throw new Unavailable('the server does not answer', { cause: failure })
    }
  }

  async #follow() {
    while (!this.#closed) {
      try {
        await this.#readRevocations()
      } catch {
        await new Promise(resolve => setTimeout(resolve, PAUSE))
      }
    }
  }

  async #readRevocations() {
    const askedAt = performance.now()
    const after = this.#cursor ? `&waitMilliseconds=${POLL}&after=${encodeURIComponent(this.#cursor)}` : ''
    const page = await this.#get(
      `${this.url}/v1/backend/revocations?limit=10000${after}`,
      { 'x-api-key': this.secretKey },
      this.isCurrent() ? 2 * MAX_AGE : 10 * MAX_AGE
    )
    for (const { id, exp } of page.revocations) this.#ended.set(id, exp)
    this.#cursor = page.cursor
    if (page.hasMore) return
    this.#completeAt = askedAt
    this.#resolveReady()
    const now = Date.now() / 1000
    if (now - this.#cleanedAt < 60) return
    this.#cleanedAt = now
    for (const [id, exp] of this.#ended) if (exp < now) this.#ended.delete(id)
  }
  #cleanedAt = 0
}
