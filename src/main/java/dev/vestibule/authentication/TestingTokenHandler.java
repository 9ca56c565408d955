package dev.vestibule.authentication;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Environment;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/testing/token}: tokens of the user with an email, for tests; never in a live project. */
public final class TestingTokenHandler implements ApiHandler {
    private final TestingSignIn signIn;
    private final DeviceReader devices;

    TestingTokenHandler(TestingSignIn signIn, DeviceReader devices) {
        this.signIn = signIn;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        if (project.environment() != Environment.TEST) {
            throw ApiException.forbidden("Only projects whose environment is test have tokens for tests.");
        }
        var request = Fields.read(
                Body.of(ctx),
                fields -> new TestingSignIn.Request(
                        project,
                        Caller.variant(ctx),
                        fields.required("email", UserFields::email),
                        fields.optional("nickname", UserFields::displayName),
                        devices.read(ctx)));
        return signIn.run(request).map(Reply::ok);
    }
}
