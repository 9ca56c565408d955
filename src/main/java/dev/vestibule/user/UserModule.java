package dev.vestibule.user;

import dev.vestibule.access.Floor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.config.ImportSettings;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.crypto.foreign.HashCeilings;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.user.exports.UserExportHandler;
import dev.vestibule.user.exports.UserExportStore;
import dev.vestibule.user.imports.UserCreation;
import dev.vestibule.user.imports.UserCreationStore;
import dev.vestibule.user.imports.UserImportHandler;
import dev.vestibule.user.imports.UserToCreateFields;
import dev.vestibule.user.password.PasswordModule;

/** Builds the management of users. */
public final class UserModule {
    public final UserHandler operations;
    public final UserImportHandler imports;
    public final UserExportHandler exports;

    /** The slots are for exports. */
    public UserModule(
            Floor floor,
            JournalModule journal,
            PasswordModule passwords,
            AuthenticationModule authentication,
            Catalogue catalogue,
            TransferSlots exportSlots) {
        var settings = floor.settings();
        var database = floor.database();
        var clock = floor.clock();
        var signIns = authentication.signIns;
        var recent = new RecentSignIn(clock);
        var lists = new UserListStore();
        var reads = new FullReads(database);
        var cacheSize = settings.users().totalsCacheSize();
        var rules = new UserToCreateFields(
                catalogue, ceilings(settings.imports(), passwords.hasher), passwords.newPasswords);
        this.operations = new UserHandler(
                database,
                new UserSearch(
                        database,
                        lists,
                        new SearchTotals(database, lists, reads, floor.feed(), cacheSize),
                        new FilteredLists(database, lists, reads)),
                signIns.lockout,
                rules,
                new UserCreation(
                        database,
                        new UserCreationStore(),
                        journal.journal,
                        (project, password) -> passwords.newPasswords.hash(project, "password", password),
                        clock),
                signIns.changes,
                signIns.deletion(),
                clock);
        var importSlots = new TransferSlots(
                "imports", settings.imports().perProject(), settings.imports().total());
        this.imports = new UserImportHandler(
                database, journal.journal, passwords.hasher, importSlots, settings.imports(), rules, clock);
        this.exports = new UserExportHandler(
                database, new UserExportStore(catalogue), exportSlots, recent, settings.exports(), clock);
    }

    private static HashCeilings ceilings(ImportSettings imports, PasswordHasher hasher) {
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
