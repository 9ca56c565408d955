package dev.vestibule.user.organization;

import dev.vestibule.access.Floor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.EmailProof;
import dev.vestibule.authentication.oauth.ProviderModule;
import dev.vestibule.database.Database;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.outbound.TextRecords;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.member.InvitationBudget;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.organization.OrganizationInvitations.EmailProver;
import io.vertx.core.Future;
import java.time.Clock;

/** Builds everything for organizations. */
public final class OrganizationModule {
    /** Directories need it to provision members. */
    public final Organizations organizations;

    public final OrganizationMembers changes;
    /** Recognizes visitors with a setup link. */
    public final SetupLinks setupLinks;

    public final SetupLinkHandler setups;
    public final OrganizationHandler operations;
    public final OrganizationMemberHandler members;
    public final OrganizationInvitationHandler invitations;
    private final OrganizationInvitationTokens tokens;
    private final OrganizationDomains checks;
    public final OrganizationDomainHandler domains;
    public final OrganizationConnectionHandler connections;

    public OrganizationModule(
            Floor floor,
            JournalModule journal,
            MailModule mail,
            AuthenticationModule authentication,
            ProviderModule providers,
            InvitationBudget budget) {
        var database = floor.database();
        var clock = floor.clock();
        this.tokens = new OrganizationInvitationTokens(clock);
        this.organizations = new Organizations(database, clock);
        this.changes = new OrganizationMembers(database, organizations, clock);
        var recent = new RecentSignIn(clock);
        var joins = new OrganizationDomainJoins(database, organizations, changes);
        this.checks = new OrganizationDomains(
                database,
                organizations,
                new TextRecords(floor.vertx(), floor.settings().domains()),
                journal.journal,
                new ProjectChanges(database, floor.feed()),
                clock);
        this.connections = new OrganizationConnectionHandler(
                floor, new OrganizationConnections(database, organizations, providers.store, clock), providers);
        this.setupLinks =
                new SetupLinks(database, organizations, floor.settings().publicUrl(), clock);
        this.setups = new SetupLinkHandler(setupLinks, clock);
        this.operations = new OrganizationHandler(database, organizations, joins, recent);
        this.domains = new OrganizationDomainHandler(checks, joins, recent);
        this.members = new OrganizationMemberHandler(database, organizations, changes, recent);
        this.invitations = new OrganizationInvitationHandler(
                database,
                organizations,
                new OrganizationInvitations(
                        database, organizations, changes, budget, prover(authentication.signIns.proof, clock), clock),
                mail.mails.outbox(),
                recent,
                clock);
    }

    private static EmailProver prover(EmailProof proof, Clock clock) {
        return (trail, transaction, user, session) -> session == null
                ? proof.accept(trail, transaction, user, UserChange.none().withoutPassword(), clock.instant())
                : proof.acceptInSession(trail, transaction, user, session, clock.instant());
    }

    /** Removes old invitations and setup links; maintenance calls it regularly. */
    public Future<Void> purge(Database database) {
        return tokens.purge(database).compose(purged -> setupLinks.purge(database));
    }

    /** Looks at the DNS records of proven domains that are due; maintenance calls it regularly. */
    public Future<Void> checkDomains(Database database) {
        return checks.check(database);
    }
}
