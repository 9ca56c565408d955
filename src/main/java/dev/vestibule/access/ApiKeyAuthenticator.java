package dev.vestibule.access;

import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.ApiKeyUsage;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.CachedProject;
import dev.vestibule.project.ProjectDirectory;
import io.vertx.core.Future;
import java.util.Optional;

/** Checks API keys, in the header {@code x-api-key} or as a Bearer token. */
final class ApiKeyAuthenticator {
    private final Database database;
    private final ProjectDirectory projects;
    private final ApiKeyUsage usage;

    ApiKeyAuthenticator(Database database, ProjectDirectory projects, ApiKeyUsage usage) {
        this.database = database;
        this.projects = projects;
        this.usage = usage;
    }

    /** Empty without a key; a 401 for an unknown key; a 403 for keys of two projects. */
    Future<Optional<KeyHolder>> find(Attempt attempt) {
        var credentials = attempt.credentials();
        var inBearer = credentials.bearer().filter(ApiKey::looksLikeKey);
        if (credentials.apiKey().isEmpty()) {
            return inBearer.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : check(attempt, inBearer.get()).map(Optional::of);
        }
        var inHeader = check(attempt, credentials.apiKey().get());
        return inBearer.isEmpty()
                ? inHeader.map(Optional::of)
                : inHeader.compose(
                        first -> check(attempt, inBearer.get()).map(second -> requireSameProject(first, second)));
    }

    private Future<KeyHolder> check(Attempt attempt, String text) {
        var key = ApiKey.parse(text);
        if (key.isEmpty()) {
            return Future.failedFuture(invalid());
        }
        return projects.find(database, key.get().project(), attempt::beforeLookup)
                .map(project -> project.flatMap(cached -> holder(attempt, cached, key.get()))
                        .orElseThrow(ApiKeyAuthenticator::invalid));
    }

    private Optional<KeyHolder> holder(Attempt attempt, CachedProject project, ApiKey key) {
        return project.findKey(key).map(stored -> {
            attempt.recordKey(key);
            usage.recordUse(project.project().id(), stored.id());
            return new KeyHolder(project.project(), ApiVariant.A, stored.kind(), stored.id());
        });
    }

    private static ApiException invalid() {
        return ApiException.of(ErrorCode.INVALID_API_KEY, "The API key is invalid or was deleted.");
    }

    private static Optional<KeyHolder> requireSameProject(KeyHolder first, KeyHolder second) {
        if (!first.project().id().equals(second.project().id())) {
            throw ApiException.of(ErrorCode.PROJECT_MISMATCH, "The two API keys belong to different projects.");
        }
        return Optional.of(first);
    }
}
