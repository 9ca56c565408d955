package dev.vestibule.project;

import dev.vestibule.config.ProjectSettings;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.branding.BrandingCache;
import dev.vestibule.project.branding.BrandingHandler;
import dev.vestibule.project.branding.BrandingStore;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.project.member.MemberHandler;
import dev.vestibule.session.ImpersonationStore;
import dev.vestibule.token.SigningKeyStore;
import dev.vestibule.webhook.WebhookStore;
import io.vertx.core.Future;
import java.time.Clock;

/** Builds the parts of projects: the caches that all event loops share, and the handlers of each event loop. */
public final class ProjectModule {
    private final ChangeFeed feed;
    private final ProjectSettings settings;
    private final Clock clock;
    private final ProjectDirectory directory;
    private final ApiKeyUsage keyUsage;
    private final BrandingCache brandings;

    public ProjectModule(ChangeFeed feed, ProjectSettings settings, Clock clock) {
        this.feed = feed;
        this.settings = settings;
        this.clock = clock;
        var apiKeys = new ApiKeyStore();
        this.directory = new ProjectDirectory(new ProjectStore(), apiKeys, feed, settings.cacheSize());
        this.keyUsage = new ApiKeyUsage(apiKeys, clock);
        this.brandings = new BrandingCache(new BrandingStore(), feed, settings.brandingCacheBytes());
    }

    public ProjectDirectory directory() {
        return directory;
    }

    public ApiKeyUsage keyUsage() {
        return keyUsage;
    }

    public ProjectHandler operations(
            Database database, SigningKeyStore signingKeys, WebhookStore webhooks, int maxProjects) {
        var changes = new ProjectChanges(database, feed);
        return new ProjectHandler(database, changes, signingKeys, webhooks, maxProjects, clock);
    }

    public ApiKeyHandler keys(Database database) {
        return new ApiKeyHandler(database, new ProjectChanges(database, feed), settings.maxKeys(), clock);
    }

    public MemberHandler members(
            Database database, Invitations invitations, ImpersonationStore impersonations, MailOutbox outbox) {
        return new MemberHandler(database, invitations, impersonations, outbox, clock);
    }

    public BrandingHandler branding(Database database, HashingPool workers) {
        return new BrandingHandler(database, brandings, new ProjectChanges(database, feed), workers);
    }

    /** Forgets slugs that can be used again; maintenance calls this regularly. */
    public Future<Void> purgeSlugs(Database database) {
        return new RetiredSlugs(clock).purge(database);
    }

    /** Removes the rows of deleted projects; maintenance calls this regularly. */
    public Future<Void> removeDeleted(Database database) {
        return new DeletedProjects(database, new DeletedProjectStore(), DeletedProjects.BATCH).purge();
    }
}
