package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers the forms of clients, with errors in the form that they understand. */
final class FormAnswers {
    private static final String FORM = "application/x-www-form-urlencoded";

    private FormAnswers() {}

    static boolean isForm(ApiRequest request) {
        var type = request.header(HttpHeaders.CONTENT_TYPE);
        return type != null && type.split(";", 2)[0].strip().equalsIgnoreCase(FORM);
    }

    /** Anything but a form is a 415. */
    static Future<Reply> answer(ApiRequest request, Function<Parameters, Future<Reply>> operation) {
        if (!isForm(request)) {
            throw ApiException.of(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be " + FORM + ".");
        }
        var form = request.form();
        return orError(() -> {
            var given = new Parameters(form);
            given.check();
            return operation.apply(given);
        });
    }

    /** An {@link OauthError} becomes the answer. */
    static Future<Reply> orError(Supplier<Future<Reply>> operation) {
        try {
            return operation
                    .get()
                    .recover(failure -> failure instanceof OauthError error
                            ? Future.succeededFuture(error.reply())
                            : Future.failedFuture(failure));
        } catch (OauthError error) {
            return Future.succeededFuture(error.reply());
        }
    }
}
