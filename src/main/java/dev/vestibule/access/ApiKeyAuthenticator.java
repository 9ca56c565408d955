package dev.vestibule.access;

import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiError;
import dev.vestibule.http.Credentials;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.ApiKeyUsage;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.CachedProject;
import dev.vestibule.project.ProjectDirectory;
import io.vertx.core.Future;
import java.util.Optional;

/** Checks API keys, from the header that is made for them or from a Bearer value. */
final class ApiKeyAuthenticator {
    private final Database database;
    private final ProjectDirectory projects;
    private final ApiKeyUsage uses;

    ApiKeyAuthenticator(Database database, ProjectDirectory projects, ApiKeyUsage uses) {
        this.database = database;
        this.projects = projects;
        this.uses = uses;
    }

    /** Empty where no key is shown; a 401 where one is shown that nobody knows; a 403 for keys of two projects. */
    Future<Optional<KeyHolder>> find(Credentials presented) {
        var inBearer = presented.bearer().filter(ApiKey::looksLikeKey);
        if (presented.apiKey().isEmpty()) {
            return inBearer.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : check(inBearer.get()).map(Optional::of);
        }
        var inHeader = check(presented.apiKey().get());
        return inBearer.isEmpty()
                ? inHeader.map(Optional::of)
                : inHeader.compose(first -> check(inBearer.get()).map(second -> same(first, second)));
    }

    private Future<KeyHolder> check(String text) {
        var key = ApiKey.parse(text);
        if (key.isEmpty()) {
            return Future.failedFuture(ApiError.unauthorized("The API key is not valid."));
        }
        return projects.find(database.reads(), key.get().project())
                .map(found -> found.flatMap(known -> holder(known, key.get()))
                        .orElseThrow(() -> ApiError.unauthorized("The API key is not valid.")));
    }

    private Optional<KeyHolder> holder(CachedProject known, ApiKey key) {
        return known.findKey(key).map(good -> {
            uses.recordUse(known.project().id(), good.id());
            return new KeyHolder(known.project(), ApiVariant.A, good.kind());
        });
    }

    private static Optional<KeyHolder> same(KeyHolder first, KeyHolder second) {
        if (!first.project().id().equals(second.project().id())) {
            throw ApiError.forbidden("The two API keys belong to different projects.");
        }
        return Optional.of(first);
    }
}
