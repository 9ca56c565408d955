/**
 * Templates of the claims that a project adds to access tokens.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A project's default template is a part of its cached settings, so that it costs no statement on sign in and
 *       refresh. The first template of a project becomes the default unless the request says otherwise, because the
 *       published SDK cannot choose one.
 *   <li>A claim that has no value, or does not fit within 4 KiB, is left out of the token. Sign in never fails because
 *       of it; a metric counts those that did not fit, since otherwise nobody would notice.
 *   <li>Private metadata cannot be a source of claims: everybody who holds a token, above all its user, can read them.
 *   <li>The server's own claims are reserved in any letter case. This is also checked when a token is issued, because
 *       an imported project can bring templates that this server did not write.
 *   <li>{@code allowedLifetime} applies to tokens that a request asks for by the template's name; the others live as
 *       long as the project says.
 * </ul>
 */
@NullMarked
package dev.vestibule.token.template;

import org.jspecify.annotations.NullMarked;
