package dev.vestibule.user.key;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.vestibule.database.Database;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ScannableKey;
import dev.vestibule.project.ScannableKey.Kind;
import dev.vestibule.user.key.UserKeyStore.Check;
import dev.vestibule.user.key.UserKeyStore.Live;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Says whose an API key is. Every check asks the database; those that arrive on an event loop during a query share the
 * next one.
 */
public final class UserKeys {
    private static final int REMEMBERED_USES = 100_000;

    private final Database database;
    private final Clock clock;
    private final UserKeyStore store = new UserKeyStore();
    private final SharedStatement<Check, Optional<Live>> checks;
    /** The hour that was last written for a key. */
    private final Cache<UUID, Instant> used =
            Caffeine.newBuilder().maximumSize(REMEMBERED_USES).build();

    UserKeys(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.checks = database.shared(asked -> store.findLive(database.reads(), asked, clock.instant()));
    }

    /** Empty for what is no key of the project, or no longer. A key that is found is used. */
    Future<Optional<Live>> find(ProjectId project, String text, BooleanSupplier isGone) {
        return ScannableKey.parse(Kind.USER, text)
                .or(() -> ScannableKey.parse(Kind.ORGANIZATION, text))
                .filter(key -> key.project().equals(project))
                .map(key -> checks.ask(new Check(project, key.hash()), isGone))
                .orElse(Future.succeededFuture(Optional.empty()))
                .onSuccess(found -> found.ifPresent(live -> noteUse(project, live)));
    }

    /**
     * Records the use of a key, once an hour and in the background; if that fails, the use in the next hour is
     * recorded.
     */
    private void noteUse(ProjectId project, Live live) {
        var key = live.key().id();
        var now = clock.instant();
        var hour = now.truncatedTo(ChronoUnit.HOURS);
        if (!hour.equals(live.key().lastUsedAt()) && !hour.equals(used.getIfPresent(key))) {
            used.put(key, hour);
            store.use(database.writes(), project, key, now);
        }
    }

    /** What a token introspection answers for a key (RFC 7662); empty if it is not one, or no longer. */
    public Future<Optional<Map<String, Object>>> introspect(ProjectId project, String text, BooleanSupplier isGone) {
        return find(project, text, isGone).map(found -> found.map(UserKeys::claims));
    }

    private static Map<String, Object> claims(Live live) {
        var claims = new LinkedHashMap<String, Object>();
        claims.put("active", true);
        claims.put("token_type", "api_key");
        claims.putAll(subject(live));
        claims.put("jti", live.key().id().toString());
        claims.put("scope", String.join(" ", live.key().scopes()));
        claims.put("iat", live.key().createdAt().getEpochSecond());
        var expiresAt = live.key().expiresAt();
        if (expiresAt != null) {
            claims.put("exp", expiresAt.getEpochSecond());
        }
        return claims;
    }

    /** The claims about the owner, who acts with the key. */
    static Map<String, Object> subject(Live live) {
        var owner = live.key().owner();
        var subject = owner.id().toString();
        return owner.user() == null ? Map.of("sub", subject, "org_id", subject) : Map.of("sub", subject);
    }

    /** Whether a token that was given for this key is still good. */
    public Future<Boolean> isLive(ProjectId project, UUID key) {
        return store.isLive(database.reads(), project, key, clock.instant());
    }

    /** The scopes that the key has at this API. */
    Future<Optional<List<String>>> scopesAt(ProjectId project, Live live, String audience) {
        return store.apiScopes(database.reads(), project)
                .map(apis -> Optional.ofNullable(apis.get(audience)).map(names -> {
                    var granted = new ArrayList<>(live.key().scopes());
                    granted.retainAll(names);
                    return List.copyOf(granted);
                }));
    }
}
