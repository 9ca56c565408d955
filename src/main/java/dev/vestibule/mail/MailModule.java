package dev.vestibule.mail;

import dev.vestibule.access.Floor;
import dev.vestibule.config.DashboardSettings;
import dev.vestibule.config.MailSettings;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Database;
import dev.vestibule.database.OutboxVerticle;
import dev.vestibule.mail.MailRenderer.InvitationText;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.session.SessionModule;
import dev.vestibule.user.organization.OrganizationInvitationTokens;
import java.net.URI;

/** Builds what queues, writes and delivers mails. */
public final class MailModule {
    private final Floor floor;
    private final Invitations invitations;
    private final OrganizationInvitationTokens organizationInvitations;
    private final InvitationText invitationText;
    private final Sealer noticeSealer;
    private final MailBudget budget;
    public final Mails mails;
    public final MailPreview preview;
    public final MessageTextHandler texts;

    public MailModule(Floor floor, SessionModule sessions, Invitations invitations) {
        this.floor = floor;
        this.invitations = invitations;
        this.organizationInvitations = new OrganizationInvitationTokens(floor.clock());
        var settings = floor.settings();
        var limits = settings.limits();
        var masterKeys = floor.masterKeys();
        var networks = sessions.knownNetworks;
        var clock = floor.clock();
        this.invitationText = InvitationText.of(settings.mail(), settings.dashboard(), settings.publicUrl());
        var renderer = renderer();
        this.preview = new MailPreview(renderer, clock);
        this.texts = new MessageTextHandler(floor.database(), renderer, floor.workers());
        this.noticeSealer = new Sealer(masterKeys, "notices");
        this.budget = new MailBudget(masterKeys, limits, settings.mail(), floor.meters().mail, clock);
        var codes = new EmailCodes(masterKeys, limits, networks, clock);
        var outbox = new MailOutbox(
                floor.vertx(),
                codes,
                new NoticeStore(noticeSealer),
                networks,
                budget,
                settings.smtp().url().isPresent(),
                clock);
        this.mails = new Mails(
                outbox,
                codes,
                new EmailChanges(masterKeys, codes, outbox, limits, clock),
                new PasswordlessMails(masterKeys, codes, outbox));
    }

    /** Fails like an invalid setting if a template of the operator is broken; tests cover the built-in ones. */
    public static void check(MailSettings settings, DashboardSettings dashboard, URI publicUrl) {
        if (settings.templates().isPresent()) {
            MailRenderer.load(settings.templates(), InvitationText.of(settings, dashboard, publicUrl));
        }
    }

    public SealedSecrets sealedSecrets() {
        return new SealedSecrets(
                "notices by mail",
                NoticeStore.SEALED,
                false,
                noticeSealer,
                (project, notice) -> NoticeStore.context(project, notice.getUUID(0)));
    }

    private MailRenderer renderer() {
        return new MailRenderer(floor.settings().mail().templates(), invitationText);
    }

    /** Delivers mails if there is an SMTP server, and otherwise shows them to a developer. */
    public OutboxVerticle verticle(Database database) {
        return new OutboxVerticle(
                "mails",
                MailOutbox.WAKE_UP,
                () -> delivery(database),
                floor.settings().mail().pollInterval());
    }

    private MailDelivery delivery(Database database) {
        var settings = floor.settings();
        var writer = new MailWriter(
                database,
                new NoticeStore(noticeSealer),
                budget,
                mails,
                invitations,
                organizationInvitations,
                renderer(),
                settings.publicUrl());
        return new MailDelivery(database, writer, mailer(), settings.mail(), floor.meters().mail, floor.clock());
    }

    private Mailer mailer() {
        var settings = floor.settings().mail();
        var folder = floor.settings().dataDir().resolve("mails");
        return floor.settings()
                .smtp()
                .url()
                .<Mailer>map(address -> new SmtpMailer(floor.vertx(), address, settings))
                .orElseGet(() -> new LogMailer(settings.from(), new MailFolder(folder, settings.filesKept())));
    }
}
