package dev.vestibule.mail;

import dev.vestibule.config.DashboardSettings;
import dev.vestibule.config.LimitSettings;
import dev.vestibule.config.MailSettings;
import dev.vestibule.config.SmtpSettings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Database;
import dev.vestibule.database.OutboxVerticle;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.session.KnownNetworks;
import dev.vestibule.telemetry.metrics.MailMeters;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;

/** Builds the public parts of this package from one set of dependencies. */
public final class MailModule {
    private final Vertx vertx;
    private final SmtpSettings smtp;
    private final URI publicUrl;
    private final MailSettings settings;
    private final Path folder;
    private final MailMeters meters;
    private final Clock clock;
    private final Invitations invitations;
    private final InvitationText invitationText;
    private final EmailCodes codes;
    private final Sealer noticeSealer;
    private final MailBudget budget;
    private final MailOutbox outbox;
    private final EmailChanges emailChanges;
    private final PasswordlessMails passwordless;

    public MailModule(
            Vertx vertx,
            SmtpSettings smtp,
            MailSettings settings,
            LimitSettings limits,
            MasterKeys masterKeys,
            KnownNetworks networks,
            Invitations invitations,
            DashboardSettings dashboard,
            URI publicUrl,
            Path dataDir,
            MailMeters meters,
            Clock clock) {
        this.vertx = vertx;
        this.invitations = invitations;
        this.invitationText = InvitationText.of(settings, dashboard, publicUrl);
        this.smtp = smtp;
        this.publicUrl = publicUrl;
        this.settings = settings;
        this.folder = dataDir.resolve("mails");
        this.meters = meters;
        this.clock = clock;
        this.codes = new EmailCodes(masterKeys, limits, networks, clock);
        this.noticeSealer = new Sealer(masterKeys, "notices");
        this.budget = new MailBudget(masterKeys, limits, settings, meters, clock);
        this.outbox = new MailOutbox(
                vertx,
                codes,
                new NoticeStore(noticeSealer),
                networks,
                budget,
                smtp.url().isPresent(),
                clock);
        this.emailChanges = new EmailChanges(masterKeys, codes, outbox, limits, clock);
        this.passwordless = new PasswordlessMails(masterKeys, codes, outbox, limits, networks, clock);
    }

    /** Fails like an invalid setting if a template of the operator is broken; tests cover the built-in ones. */
    public static void check(MailSettings settings, DashboardSettings dashboard, URI publicUrl) {
        if (settings.templates().isPresent()) {
            MailRenderer.load(settings.templates(), InvitationText.of(settings, dashboard, publicUrl));
        }
    }

    public EmailCodes codes() {
        return codes;
    }

    public MailOutbox outbox() {
        return outbox;
    }

    public EmailChanges emailChanges() {
        return emailChanges;
    }

    public PasswordlessMails passwordless() {
        return passwordless;
    }

    public SealedSecrets sealedSecrets() {
        return new SealedNoticeStore(noticeSealer);
    }

    /** Shows mails in an unsaved branding. */
    public MailPreview preview() {
        return new MailPreview(new MailRenderer(settings.templates(), invitationText), clock);
    }

    /** Delivers mails if there is an SMTP server, and otherwise shows them to a developer. */
    public OutboxVerticle verticle(Database database) {
        return new OutboxVerticle("mails", MailOutbox.WAKE_UP, () -> delivery(database), settings.pollInterval());
    }

    private MailDelivery delivery(Database database) {
        Mailer mailer = smtp.url()
                .<Mailer>map(address -> new SmtpMailer(vertx, address, settings))
                .orElseGet(() -> new LogMailer(settings.from(), new MailFolder(folder, settings.filesKept())));
        var renderer = new MailRenderer(settings.templates(), invitationText);
        return new MailDelivery(
                database,
                new NoticeStore(noticeSealer),
                codes,
                budget,
                emailChanges,
                passwordless,
                invitations,
                renderer,
                mailer,
                settings,
                publicUrl,
                meters,
                clock);
    }
}
