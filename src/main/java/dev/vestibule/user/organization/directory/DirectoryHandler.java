package dev.vestibule.user.organization.directory;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.organization.OrganizationHandler;
import dev.vestibule.user.organization.directory.Directory.Token;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Clock;
import java.util.UUID;

/** The directories of an organization, below the paths of {@link OrganizationHandler}. */
public final class DirectoryHandler {
    private final Directories directories;
    private final RecentSignIn recent;
    private final URI publicUrl;

    public DirectoryHandler(Directories directories, URI publicUrl, Clock clock) {
        this.directories = directories;
        this.recent = new RecentSignIn(clock);
        this.publicUrl = publicUrl;
    }

    /** A directory with the address that the identity provider needs. */
    private record Shown(@JsonUnwrapped Directory directory, String baseUrl) {}

    private Shown shown(ApiRequest request, Directory directory) {
        return new Shown(directory, baseUrl(publicUrl, request.project().id(), directory.id()));
    }

    /** Where the SCIM server of a directory is. */
    public static String baseUrl(URI publicUrl, ProjectId project, UUID directory) {
        return publicUrl + "/v1/scim/" + project + "/" + directory;
    }

    /** {@code GET …/directories}: all of the organization, the oldest first. */
    public Future<Reply> list(ApiRequest request) {
        return directories
                .list(OrganizationHandler.caller(request), OrganizationHandler.id(request))
                .map(found ->
                        Reply.ok(found.stream().map(one -> shown(request, one)).toList()));
    }

    private record Created(@JsonUnwrapped Shown directory, String token) {
        /** Redacted, so that a token never reaches a log. */
        @Override
        public String toString() {
            return "Created";
        }
    }

    /** {@code POST …/directories}: the response has the first token, this once. */
    public Future<Reply> create(ApiRequest request) {
        request.userIfAny().ifPresent(recent::require);
        var roles = request.project().organizations().roles();
        var given = OrganizationHandler.fields(request, fields -> DirectoryFields.New.read(fields, roles));
        return directories
                .create(OrganizationHandler.caller(request), OrganizationHandler.id(request), given)
                .map(created -> Reply.created(new Created(
                        shown(request, created.directory()), created.token().text())));
    }

    /** {@code PATCH …/directories/:directoryId}: changes the given fields. */
    public Future<Reply> update(ApiRequest request) {
        request.userIfAny().ifPresent(recent::require);
        var roles = request.project().organizations().roles();
        var changes = OrganizationHandler.fields(request, fields -> DirectoryFields.Changes.read(fields, roles));
        return directories
                .update(
                        OrganizationHandler.caller(request),
                        OrganizationHandler.id(request),
                        directory(request),
                        changes)
                .map(updated -> Reply.ok(shown(request, updated)));
    }

    /** {@code DELETE …/directories/:directoryId}; the members that it provisioned stay. */
    public Future<Reply> delete(ApiRequest request) {
        return directories
                .delete(OrganizationHandler.caller(request), OrganizationHandler.id(request), directory(request))
                .map(deleted -> Reply.success());
    }

    private record CreatedToken(@JsonUnwrapped Token info, String token) {
        /** Redacted, so that a token never reaches a log. */
        @Override
        public String toString() {
            return "CreatedToken";
        }
    }

    /** {@code POST …/directories/:directoryId/tokens}: a successor, whose text is in the response, this once. */
    public Future<Reply> addToken(ApiRequest request) {
        request.userIfAny().ifPresent(recent::require);
        return directories
                .addToken(OrganizationHandler.caller(request), OrganizationHandler.id(request), directory(request))
                .map(created -> Reply.created(
                        new CreatedToken(created.token(), created.text().text())));
    }

    /** {@code DELETE …/directories/:directoryId/tokens/:tokenId}: ends a token at once. */
    public Future<Reply> revokeToken(ApiRequest request) {
        return directories
                .revokeToken(
                        OrganizationHandler.caller(request),
                        OrganizationHandler.id(request),
                        directory(request),
                        request.pathId("tokenId"))
                .map(revoked -> Reply.success());
    }

    private static UUID directory(ApiRequest request) {
        return request.pathId("directoryId");
    }
}
