package dev.vestibule.authentication;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.PasswordSignUp.SignUpRequest;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.SignInResult;
import dev.vestibule.user.DisposableEmails;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;

/** Sign up with email and password. */
public final class SignUpHandler {
    private final PasswordSignUp signUp;
    private final NewPasswords passwords;
    private final DisposableEmails disposable;

    SignUpHandler(PasswordSignUp signUp, NewPasswords passwords, DisposableEmails disposable) {
        this.signUp = signUp;
        this.passwords = passwords;
        this.disposable = disposable;
    }

    /** {@code POST /v1/auth/signup}: creates a user and opens the first session. */
    public Future<Reply> signUp(ApiRequest request) {
        return signUp.run(request(request)).map(Reply::created);
    }

    /** Does the same as {@link #signUp} for the hosted page, which hands out no tokens. */
    public Future<SignInResult> signUpOnPage(ApiRequest request) {
        return signUp.open(request(request));
    }

    private SignUpRequest request(ApiRequest request) {
        if (request.project().id().equals(ProjectId.SYSTEM)) {
            throw ApiException.of(
                    ErrorCode.DASHBOARD_ACCOUNT, "Dashboard users register at /v1/dashboard/auth/register.");
        }
        request.project().factors().requirePassword();
        var input = request.fields(fields -> request(request, fields));
        disposable.requireLasting(input.project(), input.email());
        return input;
    }

    private SignUpRequest request(ApiRequest request, Fields fields) {
        var project = request.project();
        var email = fields.required("email", UserFields::email);
        var displayName = fields.optional("displayName", UserFields::displayName);
        return new SignUpRequest(
                project,
                request.variant(),
                email,
                fields.required("password", passwords.rule(email, displayName, project.name())),
                displayName,
                request.language(),
                request.device());
    }
}
