/**
 * Templates of the claims that a project adds to access tokens.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A project's default template is a part of its cached settings, so that it costs no statement on sign in and
 *       refresh. The first template of a project becomes the default unless the request says otherwise, because the
 *       published SDK cannot say which one is.
 *   <li>A claim that finds no value, or no room within 4 KiB, is left out of the token. Sign in never fails for it; a
 *       metric counts those without room, since nobody else would notice.
 *   <li>Private metadata is no source of claims: everybody who holds a token can read it, its user first.
 *   <li>What tokens say themselves is reserved in every spelling, and is checked when a token is issued too: an imported
 *       project may bring templates that this server did not write.
 *   <li>{@code allowedLifetime} is for tokens that are asked for by a template's name; the others live as long as the
 *       project says.
 * </ul>
 */
@NullMarked
package dev.vestibule.token.template;

import org.jspecify.annotations.NullMarked;
