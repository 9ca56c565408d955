/**
 * Proof that a request comes from a person or has cost its sender something: for sign ups, and for requests that send a
 * mail or SMS to anybody's address.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>By default, nothing is asked for until there is <b>pressure</b>
 *       ({@link dev.vestibule.access.captcha.Pressure}): more such requests in a minute than a share of the rate
 *       limits. What exceeds that share needs a solution; the rest goes on without. So an application whose pages know
 *       nothing of captchas notices only an attack, or a launch.
 *   <li>Under pressure, clients pay with a proof of work ({@link dev.vestibule.access.captcha.ProofOfWork}), ALTCHA's
 *       protocol in its version 2: no other company learns of it, there is nothing to see or hear, and the page needs
 *       one small script. A project can choose Turnstile or hCaptcha instead
 *       ({@link dev.vestibule.access.captcha.SiteVerification}), and ask always or never.
 *   <li>A challenge is not stored: it is signed, and names its project and purpose. Only the solutions that were
 *       accepted are stored until they expire, on all nodes together, so that each works once. A row costs its sender a
 *       proof of work, and their number is limited for each project all the same.
 *   <li>Of ALTCHA's two modes this is the one where the difficulty stands in the challenge (a prefix of the key). The
 *       other one hides a number that the server has to derive a key from before it can ask: then anybody could keep it
 *       busy by asking. Here, asking costs the server one HMAC, and a wrong solution one key derivation on a thread of
 *       the hashing pool.
 *   <li>If the provider does not answer, nobody signs up: otherwise an attacker who can overload it needs no solutions.
 *   <li>Servers with the secret key and dashboard users are never asked.
 * </ul>
 */
@NullMarked
package dev.vestibule.access.captcha;

import org.jspecify.annotations.NullMarked;
