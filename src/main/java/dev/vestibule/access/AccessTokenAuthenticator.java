package dev.vestibule.access;

import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiError;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Credentials;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.AccessToken;
import dev.vestibule.token.AccessTokens;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;

/** Checks access tokens, and that their sessions still live. */
final class AccessTokenAuthenticator {
    private final Database database;
    private final ProjectDirectory projects;
    private final AccessTokens accessTokens;
    private final SessionStore sessions;
    private final Clock clock;

    AccessTokenAuthenticator(
            Database database,
            ProjectDirectory projects,
            AccessTokens accessTokens,
            SessionStore sessions,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.accessTokens = accessTokens;
        this.sessions = sessions;
        this.clock = clock;
    }

    /** The access token that a request shows, unproven; API keys in its place are none. */
    static Optional<String> shown(Credentials presented) {
        return presented.bearer().filter(value -> !ApiKey.looksLikeKey(value));
    }

    /** The user, or a 401; a 403 where a key is sent along that is of another project. */
    Future<SignedIn> check(String text, Optional<KeyHolder> key) {
        return accessTokens
                .verify(database.reads(), text)
                .map(token -> token.orElseThrow(AccessTokenAuthenticator::invalid))
                .compose(token -> {
                    refuseOtherProject(token.project(), key);
                    return signedIn(token);
                });
    }

    private Future<SignedIn> signedIn(AccessToken token) {
        var user = sessions.findLive(database.reads(), token.project(), token.session(), token.user(), clock.instant());
        return projects.find(database.reads(), token.project())
                .compose(project -> user.map(found -> new SignedIn(
                        project.orElseThrow(AccessTokenAuthenticator::invalid).project(),
                        token,
                        found.orElseThrow(AccessTokenAuthenticator::invalid))));
    }

    /** Proven or not, a token of another project does not go with a key. */
    static void refuseOtherProject(ProjectId ofToken, Optional<KeyHolder> key) {
        if (key.isPresent() && !key.get().project().id().equals(ofToken)) {
            throw ApiError.forbidden("The API key and the access token belong to different projects.");
        }
    }

    private static ApiException invalid() {
        return ApiError.unauthorized("The access token is not valid, or no longer.");
    }
}
