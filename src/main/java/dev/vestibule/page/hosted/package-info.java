/**
 * The hosted page, {@code /p/<slug>/}: where people sign up and in without their application having a page of its own.
 *
 * <p><b>The same operations as the API.</b> A form ({@link dev.vestibule.page.hosted.HostedForm}) is turned into the body of
 * an API request, which the handler of the API's own route reads, as a client of the project. So a page can do nothing that
 * the API does not allow, with the same quotas, locks and audit entries. It gets the result of the sign in, and tokens are
 * made for the application alone, once it has redeemed its code.
 *
 * <p><b>Screens.</b> Each {@link dev.vestibule.page.hosted.Screen} is a template of its own in {@code page/hosted/screen} of
 * the resources, which {@code page.html} goes around; {@code parts.html} has what several of them show.
 *
 * <p><b>There and back.</b> The application asks for a URL, which carries its request signed: where to return, its state
 * and its PKCE challenge. The browser returns with a code, never with a token. A code is 256 random bits, of which a hash
 * is kept; it is good for a minute and for one use, and needs the verifier of the challenge. A code that is used twice was
 * seen by somebody else, so the second use ends the session (RFC 6749, 4.1.2; RFC 9700, 2.1.1). Only with a secret key may
 * an application do without PKCE, and then only with one can the code be redeemed.
 *
 * <p><b>A visit without a request</b> brings nobody's tokens about: there is no application that could redeem them and tell
 * its browser from another. It checks what was entered, ends the session again, and leads to the {@code callbackUrl}, where
 * the application begins a sign in of its own. So a reset of a password or a verified email also work by the bare address.
 *
 * <p><b>Forms</b> carry a token that is a keyed hash of a random cookie, so that no other site can fill them in, not even to
 * sign somebody in as somebody else; browsers that say where a form comes from must say that it is this origin.
 *
 * <p><b>Providers.</b> A button begins a sign in with a provider, which the browser ends where it began: the room {@code
 * authentication.oauth} makes its proof key of the browser's cookie, so another browser that comes back with the code gets nothing. Providers may
 * post their response, and browsers leave our cookie out of a form of another site; so the server's callback only seals the
 * response and leads the browser on to the page by a GET, which has the cookie. Then the sign in goes on as any other.
 *
 * <p><b>A second factor that the project requires</b> is set up between the password and the application. What its form
 * carries on is signed for the project and the browser ({@link dev.vestibule.page.hosted.SignedFields}), so that neither is
 * the token of a sign in good elsewhere, nor is anything of it kept. The session is open by the time that the backup codes are
 * shown, and the code for the application is made when the person goes on: it would be too old by then. What stands for
 * the session until then is a ticket of this browser, for one use and 15 minutes.
 *
 * <p><b>Passkeys</b> are the one thing that needs a script. It asks for a challenge, and posts what was signed as a form, so that
 * the same code ends the sign in. They are offered where the project lists the page's own origin in {@code passkeyOrigins} or
 * {@code allowedOrigins} and its {@code passkeyRpId} covers it: this server adds its origin to no project by itself, since all
 * projects share it. The challenge comes from the page and not from the API, which lets in no pages but those of {@code
 * allowedOrigins}; the script and its requests are allowed on that screen alone. New passkeys are registered in the
 * application, where there is a session.
 *
 * <p><b>Links by mail</b> lead to the page, and a click there confirms them: mail filters open links. What the application has
 * asked for waits in a signed cookie of the browser that asked, with the email: only there, and only the link of that email,
 * signs in. So nobody is signed in as somebody else by a link that was sent to them, and no other browser goes on for an
 * application that knows nothing of it.
 *
 * <p><b>The browser returns by a page</b> and not by a redirect: browsers hold every redirect after a form against {@code
 * form-action}, those of the application and of a provider too.
 */
@NullMarked
package dev.vestibule.page.hosted;

import org.jspecify.annotations.NullMarked;
