package dev.vestibule.user.organization;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The domains of an organization, below the paths of {@link OrganizationHandler}, and what they do for users. */
public final class OrganizationDomainHandler {
    private final OrganizationDomains domains;
    private final OrganizationDomainJoins joins;
    private final RecentSignIn recent;

    OrganizationDomainHandler(OrganizationDomains domains, OrganizationDomainJoins joins, RecentSignIn recent) {
        this.domains = domains;
        this.joins = joins;
        this.recent = recent;
    }

    /** {@code GET …/domains}: all of the organization, the oldest first. */
    public Future<Reply> list(ApiRequest request) {
        return domains.list(OrganizationHandler.caller(request), OrganizationHandler.id(request))
                .map(Reply::ok);
    }

    private record NewDomain(String domain, DomainPolicy policy) {
        static NewDomain of(Fields fields) {
            return new NewDomain(
                    fields.required("domain", OrganizationFields::domain),
                    Objects.requireNonNullElse(fields.optional("policy", DomainPolicy::of), DomainPolicy.NONE));
        }
    }

    /** {@code POST …/domains}: adds a domain, and returns the record that proves it. */
    public Future<Reply> add(ApiRequest request) {
        request.userIfAny().ifPresent(recent::require);
        var given = OrganizationHandler.fields(request, NewDomain::of);
        return domains.add(
                        OrganizationHandler.caller(request),
                        OrganizationHandler.id(request),
                        given.domain(),
                        given.policy())
                .map(Reply::created);
    }

    /** {@code PATCH …/domains/:domainId}: changes the policy. */
    public Future<Reply> update(ApiRequest request) {
        request.userIfAny().ifPresent(recent::require);
        var policy = OrganizationHandler.fields(request, fields -> fields.required("policy", DomainPolicy::of));
        return domains.setPolicy(
                        OrganizationHandler.caller(request), OrganizationHandler.id(request), domain(request), policy)
                .map(Reply::ok);
    }

    /** {@code POST …/domains/:domainId/verify}: looks the record up. */
    public Future<Reply> verify(ApiRequest request) {
        return domains.verify(OrganizationHandler.caller(request), OrganizationHandler.id(request), domain(request))
                .map(Reply::ok);
    }

    /** {@code DELETE …/domains/:domainId}; its members stay. */
    public Future<Reply> remove(ApiRequest request) {
        request.userIfAny().ifPresent(recent::require);
        return domains.remove(OrganizationHandler.caller(request), OrganizationHandler.id(request), domain(request))
                .map(removed -> Reply.success());
    }

    private static UUID domain(ApiRequest request) {
        return request.pathId("domainId");
    }

    private record Suggestion(
            OrganizationId id,
            String name,
            String slug,
            @Nullable String logoUrl) {
        static Suggestion of(Organization organization) {
            return new Suggestion(organization.id(), organization.name(), organization.slug(), organization.logoUrl());
        }
    }

    /** {@code GET /v1/auth/organizations/suggestions}: the one that has proven the domain of the caller's email. */
    public Future<Reply> suggestions(ApiRequest request) {
        return joins.suggestion(
                        OrganizationHandler.caller(request), request.user().user())
                .map(found -> Reply.ok(found.map(Suggestion::of).map(List::of).orElseGet(List::of)));
    }

    /** {@code POST /v1/auth/organizations/:organizationId/join}. */
    public Future<Reply> join(ApiRequest request) {
        return joins.joinSuggested(
                        OrganizationHandler.caller(request), request.user().user(), OrganizationHandler.id(request))
                .map(Reply::ok);
    }
}
