package dev.vestibule.user;

import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.AccountDeletion;
import dev.vestibule.authentication.AccountUnlock;
import dev.vestibule.authentication.SignInLockout;
import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.config.ExportSettings;
import dev.vestibule.config.ImportSettings;
import dev.vestibule.config.UserSettings;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.crypto.foreign.HashCeilings;
import dev.vestibule.database.Database;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.exports.UserExportHandler;
import dev.vestibule.user.exports.UserExportStore;
import dev.vestibule.user.imports.UserImportHandler;
import dev.vestibule.user.imports.UserToCreateFields;
import dev.vestibule.user.password.NewPasswords;
import java.time.Clock;

/** Builds the management of users: the parts that all event loops share, and the handlers of each event loop. */
public final class UserModule {
    private final UserListStore lists = new UserListStore();
    private final SearchTotals totals;
    private final TransferSlots importSlots;
    private final ImportSettings imports;
    private final TransferSlots exportSlots;
    private final ExportSettings exports;
    private final SessionStore sessions;
    private final EventOutbox events;
    private final MailOutbox mails;
    private final EmailChanges emailChanges;
    private final EnrolmentStarts starts;
    private final PasswordHasher hasher;
    private final NewPasswords passwords;
    private final Catalogue catalogue;
    private final Clock clock;

    public UserModule(
            UserSettings settings,
            ImportSettings imports,
            ExportSettings exports,
            TransferSlots exportSlots,
            SessionStore sessions,
            EventOutbox events,
            MailOutbox mails,
            EmailChanges emailChanges,
            EnrolmentStarts starts,
            PasswordHasher hasher,
            NewPasswords passwords,
            Catalogue catalogue,
            Clock clock) {
        this.totals = new SearchTotals(lists, settings.totalsCacheSize());
        this.importSlots = new TransferSlots("imports", imports.perProject(), imports.total());
        this.imports = imports;
        this.exportSlots = exportSlots;
        this.exports = exports;
        this.sessions = sessions;
        this.events = events;
        this.mails = mails;
        this.emailChanges = emailChanges;
        this.starts = starts;
        this.hasher = hasher;
        this.passwords = passwords;
        this.catalogue = catalogue;
        this.clock = clock;
    }

    public UserHandler operations(Database database, SignInLockout lockout) {
        return new UserHandler(
                database,
                new UserSearch(database, lists, totals),
                lockout,
                events,
                passwords,
                rules(),
                new AccountDeletion(sessions, events, lockout, mails, starts, clock),
                clock);
    }

    public UserChangeHandler changes(Database database, AccountUnlock unlock) {
        return new UserChangeHandler(
                database, sessions, events, passwords, unlock, emailChanges, new RecentSignIn(clock), clock);
    }

    public UserImportHandler imports(Database database) {
        return new UserImportHandler(database, events, hasher, importSlots, imports, rules(), clock);
    }

    public UserExportHandler exports(Database database) {
        return new UserExportHandler(
                database, new UserExportStore(catalogue), exportSlots, new RecentSignIn(clock), exports, clock);
    }

    private UserToCreateFields rules() {
        return new UserToCreateFields(catalogue, ceilings(), passwords);
    }

    private HashCeilings ceilings() {
        return new HashCeilings(
                imports.argon2MemoryKibibytes(),
                imports.argon2Work(),
                imports.argon2Parallelism(),
                imports.bcryptCost(),
                imports.scryptWork(),
                imports.pbkdf2Iterations(),
                hasher.memory());
    }
}
