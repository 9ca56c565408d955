package dev.vestibule.user.imports;

import dev.vestibule.user.UserId;
import dev.vestibule.user.imports.UserCreation.Result;
import dev.vestibule.user.imports.UserToCreate.Identity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Lines whose users are created in one statement. */
final class ImportBatch {
    /** Few, since each one occupies a hashing thread and the client should not wait long for results. */
    private static final int MAX_PASSWORDS = 8;

    private final List<ImportLine> rows = new ArrayList<>();
    private final Set<UserId> ids = new HashSet<>();
    private final Set<String> externalIds = new HashSet<>();
    private final Set<Identity> identities = new HashSet<>();
    private int passwords;

    /** Splits the rows, in order, into as few batches as possible. */
    static List<ImportBatch> of(List<ImportLine> rows) {
        var batches = new ArrayList<ImportBatch>();
        var batch = new ImportBatch();
        for (var row : rows) {
            if (!batch.takes(row)) {
                batches.add(batch);
                batch = new ImportBatch();
            }
            batch.add(row);
        }
        batches.add(batch);
        return batches;
    }

    /**
     * No id, external id or identity may occur twice in one statement, which could not tell which user it belongs to.
     */
    private boolean takes(ImportLine row) {
        var account = row.account();
        return passwords < MAX_PASSWORDS
                && (account == null
                        || (!ids.contains(account.id())
                                && !externalIds.contains(account.externalId())
                                && Collections.disjoint(identities, account.identities())));
    }

    private void add(ImportLine row) {
        rows.add(row);
        var account = row.account();
        if (account != null) {
            ids.add(account.id());
            Optional.ofNullable(account.externalId()).ifPresent(externalIds::add);
            identities.addAll(account.identities());
            passwords += account.password().plain() == null ? 0 : 1;
        }
    }

    List<UserToCreate> accounts() {
        return rows.stream().map(ImportLine::account).filter(Objects::nonNull).toList();
    }

    /** Merges the results of the created users with the lines that had errors. */
    List<ImportResult> results(List<Result> ofAccounts) {
        var next = ofAccounts.iterator();
        return rows.stream()
                .map(row -> {
                    var account = row.account();
                    return account == null
                            ? ImportResult.failed(row.line(), row.errors())
                            : ImportResult.of(row.line(), account, next.next());
                })
                .toList();
    }
}
