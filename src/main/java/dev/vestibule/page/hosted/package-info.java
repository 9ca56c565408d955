/**
 * The hosted page, {@code /p/<slug>/}: where people sign up and sign in if their application has no page of its own.
 *
 * <p><b>The same operations as the API.</b> The page turns a form ({@link dev.vestibule.page.hosted.HostedForm}) into
 * the body of an API request, and the handler of the API's own route reads it, as from a client of the project. So a
 * page can do nothing that the API does not allow, with the same quotas, locks and audit entries. The page gets the
 * result of the sign in; only the application gets tokens, when it redeems its code.
 *
 * <p><b>A handler for each page</b>: the sign in, an authorization, the code of a device, the sign out, the account,
 * the setup link, the style sheet. {@link dev.vestibule.page.hosted.HostedModule} builds what they share, and a module
 * for each kind of visitor builds the handlers: {@link dev.vestibule.page.hosted.SignInPageModule},
 * {@link dev.vestibule.page.hosted.AccountPageModule} and {@link dev.vestibule.page.hosted.SetupPageModule}.
 *
 * <p><b>Screens.</b> Each {@link dev.vestibule.page.hosted.Screen} is a template of its own in
 * {@code page/hosted/screen} of the resources, with {@code page.html} as the layout; {@code parts.html} has the parts
 * that several screens share. The first screen has the form of the first way to sign in that the project offers, and
 * buttons for all others. Where an organization has connected its own provider to a domain that it has proven, the
 * email comes first, alone, and its domain decides what the page shows next, so that this tells nobody who has an
 * account. A button that leads to another screen submits the form with the screen's name, so that what was typed comes
 * along without being part of a URL.
 *
 * <p><b>There and back.</b> The application requests a URL that contains its signed request: the return URL, its state
 * and its PKCE challenge. The browser returns with a code, never with a token. A code is 256 random bits, stored as a
 * hash; it is valid for a minute and for one use, and needs the verifier of the challenge. A code that is used twice
 * has leaked, so the second use ends the session (RFC 6749, 4.1.2; RFC 9700, 2.1.1). An application can omit PKCE only
 * with a secret key, and then the code can be redeemed only with a secret key.
 *
 * <p><b>A visit without a request</b> issues no tokens: no application could redeem them and tell its browser from
 * another one. The page checks the entered values, ends the session again, and leads to the {@code callbackUrl}, where
 * the application starts its own sign in. So resetting a password and verifying an email also work on the bare URL.
 *
 * <p><b>Acting as a user.</b> An owner who acts as a user ({@link dev.vestibule.page.hosted.ImpersonationPageHandler})
 * cannot be sent to the application with a code, since each code answers a request of the application, whose verifier
 * only its browser has. So the owner's browser gets a cookie, by the call that opens the session: no address holds a
 * ticket that somebody else could open, and no other site can put one into a browser. The application's next request
 * uses it up. The cookie is none of single sign-on, so that the owner's own sign in stays as it is, and the account
 * page, which OAuth clients share, never takes the owner for the user.
 *
 * <p><b>Forms</b> contain a token that is a keyed hash of a random cookie, so that no other site can submit them, not
 * even to sign somebody in as somebody else. If a browser sends the origin of a form, it must be this origin.
 *
 * <p><b>Providers.</b> A button starts a sign in with a provider, which must end in the same browser:
 * {@code authentication.oauth} derives its proof key from the browser's cookie, so another browser that returns with
 * the code gets nothing. Providers may post their response, and browsers do not send our cookie with a form of another
 * site. So the server's callback only seals the response and sends the browser to the page with a GET, which has the
 * cookie. Then the sign in continues like any other.
 *
 * <p><b>A second factor that the project requires</b> is set up between the password and the return to the application.
 * The data in its form is signed for the project and the browser ({@link dev.vestibule.page.hosted.SignedFields}), so
 * the token of the sign in is not valid elsewhere, and the server stores none of it. The session is already open when
 * the page shows the backup codes, but the code for the application is created only when the person continues: an
 * earlier code would have expired. Until then, a ticket of this browser stands for the session; it is valid for one use
 * and 15 minutes.
 *
 * <p><b>Errors</b> that no screen shows, such as a limit of the network, are a page too, for browsers that ask for
 * HTML, and so is every other address outside of the API that leads nowhere. Like that of an unknown slug, it is in the
 * colours of a project that has chosen none, and says no more than the JSON that all other clients get.
 *
 * <p><b>Captchas.</b> If the project asks for one now, the forms that send something bring it along. A proof of work is
 * solved by a script of ours while the person types, which the policy allows by its hash; without scripts, the page
 * says what it needs. The widget of a provider, which is loaded from its host, is there only where the project has
 * chosen that provider; the account page also shows the person's picture from wherever it is. A page asks at all, since
 * otherwise bots would use this page instead of the application's.
 *
 * <p><b>Scripts.</b> Only passkeys and a proof of work need one. Another, small one shows the password that was typed;
 * without it, its button stays hidden. The policy allows that one by the hash of its content, and none on screens
 * without a password.
 *
 * <p><b>Passkeys.</b> The script requests a challenge and posts the signed result as a form, so that the same code
 * completes the sign in. The page offers them if the project lists the page's own origin in {@code passkeyOrigins} or
 * {@code allowedOrigins} and its {@code passkeyRpId} covers that origin: the server never adds its origin to a project,
 * since all projects share it. The challenge comes from the page and not from the API, which admits only pages of
 * {@code allowedOrigins}. The policy allows the script and its requests only on that screen, and on the account page,
 * where a second script adds a passkey to the account.
 *
 * <p><b>Links by mail</b> lead to the page, where a click confirms them, since mail filters open links. The
 * application's request waits with the email in a signed cookie of the browser that requested the link: only in that
 * browser, and only for that email, does the link sign in. So a link that somebody else sent signs nobody in as another
 * person, and no other browser continues for an application that does not expect it.
 *
 * <p><b>The account page</b>, {@code /p/<slug>/account/}, belongs to the person who is signed in in the browser
 * ({@link dev.vestibule.page.hosted.BrowserSessions}); everybody else is sent to sign in, and back. Each of its forms
 * ({@link dev.vestibule.page.hosted.AccountForm}) is read by the handler of the API's own route too, with the rights
 * that an access token of the browser's session would give. So what the API asks of an application, such as a recent
 * sign in, it asks here.
 *
 * <p><b>A sign out on the page</b>, for a client or on the account page, ends the sessions of all applications that
 * have shared the sign in of the browser, and of those that the person has confirmed there since. An application that
 * signs out ends its own.
 *
 * <p><b>The browser returns through a page</b> and not through a redirect: browsers check every redirect after a form
 * against {@code form-action}, including those of the application and of a provider.
 */
@NullMarked
package dev.vestibule.page.hosted;

import org.jspecify.annotations.NullMarked;
