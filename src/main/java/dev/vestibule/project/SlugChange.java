package dev.vestibule.project;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;

/**
 * Gives a project another slug. The one that it had leads to its pages for a year, and is nobody else's: a link in a
 * mail or bookmark neither breaks nor leads to a stranger.
 */
final class SlugChange {
    /** Each of them is a name that nobody else can have. */
    private static final int MAX_BEFORE = 5;

    private final ProjectStore projects;
    private final RetiredSlugStore retired;

    SlugChange(ProjectStore projects, RetiredSlugStore retired) {
        this.projects = projects;
        this.retired = retired;
    }

    /** Call this in a transaction. A 409 if another project has the slug, or had it within a year. */
    Future<Void> apply(SqlClient transaction, ProjectId project, String slug) {
        return projects.lockForSlug(transaction, project)
                .compose(before -> before.equals(slug)
                        ? Future.succeededFuture()
                        : requireRoom(transaction, project)
                                .compose(allowed -> projects.setSlug(transaction, project, slug))
                                .compose(isSet -> isSet
                                        ? retired.contains(transaction, slug, project)
                                        : Future.succeededFuture(true))
                                .compose(isTaken -> isTaken
                                        ? Future.failedFuture(taken())
                                        : retired.replace(transaction, project, before, slug)));
    }

    private Future<Void> requireRoom(SqlClient transaction, ProjectId project) {
        return retired.count(transaction, project)
                .compose(count -> count < MAX_BEFORE
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.LIMIT_REACHED,
                                "The project had " + count
                                        + " other slugs within a year, which still lead to it. Wait until one is"
                                        + " forgotten.")));
    }

    static ApiException taken() {
        return ApiException.of(ErrorCode.NAME_TAKEN, "Another project has this slug, or had it within the last year.");
    }
}
