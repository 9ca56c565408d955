package dev.vestibule.project;

import dev.vestibule.access.Administrators;
import dev.vestibule.access.Floor;
import dev.vestibule.database.Database;
import dev.vestibule.database.Shard;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.project.branding.BrandingCache;
import dev.vestibule.project.branding.BrandingHandler;
import dev.vestibule.project.branding.BrandingStore;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.project.member.MemberHandler;
import dev.vestibule.project.statistics.StatisticsHandler;
import dev.vestibule.session.ImpersonationStore;
import dev.vestibule.token.TokenModule;
import dev.vestibule.webhook.WebhookModule;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;

/** Builds projects with their keys, members, branding and statistics. */
public final class ProjectModule {
    private final Database database;
    private final Clock clock;
    public final ProjectDirectory directory;
    public final ApiKeyUsage keyUsage;
    public final ProjectHandler operations;
    public final ApiKeyHandler keys;
    public final MemberHandler members;
    public final BrandingCache brandings;
    public final BrandingHandler branding;
    public final StatisticsHandler statistics;

    public ProjectModule(
            Floor floor,
            JournalModule journal,
            TokenModule tokens,
            WebhookModule webhooks,
            MailModule mail,
            Invitations invitations) {
        var settings = floor.settings().projects();
        this.database = floor.database();
        this.clock = floor.clock();
        var apiKeys = new ApiKeyStore();
        var changes = new ProjectChanges(database, floor.feed());
        this.directory = new ProjectDirectory(new ProjectStore(), apiKeys, floor.feed(), settings.cacheSize());
        this.keyUsage = new ApiKeyUsage(apiKeys, clock);
        this.operations = new ProjectHandler(
                database,
                changes,
                tokens.signingKeys,
                webhooks.endpoints,
                new Shard(floor.settings().database().newProjects()),
                floor.settings().dashboard().maxProjects(),
                new Administrators(floor.settings().dashboard()),
                clock);
        this.keys = new ApiKeyHandler(database, changes, settings.maxKeys(), clock);
        this.members = new MemberHandler(
                database, invitations, new ImpersonationStore(database, journal.journal), mail.mails.outbox(), clock);
        this.brandings = new BrandingCache(new BrandingStore(), floor.feed(), settings.brandingCacheBytes());
        this.branding = new BrandingHandler(database, brandings, changes, floor.workers());
        this.statistics = new StatisticsHandler(database, clock);
    }

    /**
     * The databases in which home's projects are, and of which this node knows nothing; their projects get 503 here.
     */
    public Future<List<Shard>> databasesNotSetUp(Database home) {
        return new ProjectStore()
                .databases(home.reads())
                .map(found -> found.stream()
                        .filter(shard -> !database.shards().contains(shard))
                        .toList());
    }

    /** Forgets slugs that can be used again; maintenance calls this regularly. */
    public Future<Void> purgeSlugs(Database database) {
        return new RetiredSlugStore(clock).purge(database);
    }

    /** Forgets what works once when it is too old to be accepted anyway; maintenance calls this regularly. */
    public Future<Void> purgeUsedOnce(Database database) {
        return UsedOnceStore.EXPIRED.remove(database, clock.instant());
    }

    /** Ends the moves to this database that nobody else ends; maintenance calls this about once a second. */
    public Future<Void> settleArrivals(Database here) {
        return new ArrivedProjects().settle(here, database);
    }

    /** Removes the rows of deleted projects; maintenance calls this regularly. */
    public Future<Void> removeDeleted(Database database) {
        return new DeletedProjects(
                        database,
                        new DeletedProjectStore(),
                        operations::removeAccess,
                        project -> operations.forgetAtHome(project, database.shard()),
                        DeletedProjects.BATCH)
                .purge();
    }
}
