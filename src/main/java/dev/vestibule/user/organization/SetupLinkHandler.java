package dev.vestibule.user.organization;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/** The setup link of an organization, {@code …/setup-link} below the paths of {@link OrganizationHandler}. */
public final class SetupLinkHandler {
    private static final int DEFAULT_DAYS = 7;
    private static final int MAX_DAYS = 30;

    private final SetupLinks links;
    private final RecentSignIn recent;

    SetupLinkHandler(SetupLinks links, Clock clock) {
        this.links = links;
        this.recent = new RecentSignIn(clock);
    }

    /** {@code POST}: a new link, which ends the last one. */
    public Future<Reply> create(ApiRequest request) {
        request.userIfAny().ifPresent(recent::require);
        var days = OrganizationHandler.fields(
                request,
                fields -> Objects.requireNonNullElse(
                        fields.optional("expiresInDays", FieldType.integer(1, MAX_DAYS)), DEFAULT_DAYS));
        return links.create(
                        OrganizationHandler.caller(request),
                        OrganizationHandler.id(request),
                        request.manager().orElse(null),
                        Duration.ofDays(days))
                .map(Reply::created);
    }

    /** {@code DELETE}: the link opens nothing any more. */
    public Future<Reply> revoke(ApiRequest request) {
        return links.revoke(OrganizationHandler.caller(request), OrganizationHandler.id(request))
                .map(revoked -> Reply.success());
    }
}
