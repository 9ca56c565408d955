package dev.vestibule.access;

import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * The language in which to write to the sender of a request, from {@code Accept-Language} and the project's settings.
 */
public final class RequestLanguage {
    private static final String CHOSEN = RequestLanguage.class.getName();

    private RequestLanguage() {}

    /** Sets the language in which the sender reads one of our pages, whatever the header says. */
    public static void choose(RoutingContext ctx, Language language) {
        ctx.put(CHOSEN, language);
    }

    public static Language of(RoutingContext ctx) {
        return of(ctx, Caller.project(ctx));
    }

    public static Language of(RoutingContext ctx, Project project) {
        Language chosen = ctx.get(CHOSEN);
        return chosen == null ? project.language(ctx.request().getHeader(HttpHeaders.ACCEPT_LANGUAGE)) : chosen;
    }
}
