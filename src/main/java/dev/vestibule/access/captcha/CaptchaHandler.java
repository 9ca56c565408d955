package dev.vestibule.access.captcha;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Captchas of a project: one method per operation. */
public final class CaptchaHandler {
    private static final int MAX_SECRET = 200;

    private final Database database;
    private final ProjectDirectory projects;
    private final Captcha captcha;
    private final SiteSecretStore secrets;

    CaptchaHandler(Database database, ProjectDirectory projects, Captcha captcha, SiteSecretStore secrets) {
        this.database = database;
        this.projects = projects;
        this.captcha = captcha;
        this.secrets = secrets;
    }

    /** {@code GET /v1/projects/:projectId/captcha}: a proof of work for one purpose. */
    public Future<Reply> challenge(ApiRequest request) {
        var purpose = Fields.read(request.queryFields(), fields -> fields.required("purpose", CaptchaPurpose::of));
        return projects.find(database, new ProjectId(request.pathId("projectId")))
                .map(found ->
                        found.orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "There is no such project.")))
                .map(known -> Reply.ok(captcha.challenge(known.project(), purpose)));
    }

    /** {@code PUT /v1/dashboard/projects/:projectId/captcha-secret}: replaces the secret key of the provider. */
    public Future<Reply> setSecret(ApiRequest request) {
        var project = request.project().id();
        var trail = request.trail();
        var secret = request.allFields(fields -> fields.required("secretKey", text -> Text.line(text, MAX_SECRET)));
        return database.inTransaction(transaction -> secrets.put(transaction, project, secret)
                        .compose(set -> trail.record(
                                transaction,
                                Logged.PROJECT_UPDATED,
                                Target.project(project.value()),
                                Map.of("fields", List.of("captcha.secretKey")))))
                .map(set -> Reply.success());
    }
}
