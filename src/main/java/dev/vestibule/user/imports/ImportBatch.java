package dev.vestibule.user.imports;

import dev.vestibule.user.imports.UserCreation.Result;
import dev.vestibule.user.imports.UserToCreate.Identity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Lines whose accounts are made in one statement. */
final class ImportBatch {
    /** Few, since each takes a hashing thread for a while, and the client is to hear of them meanwhile. */
    private static final int MAX_PASSWORDS = 8;

    private final List<ImportLine> rows = new ArrayList<>();
    private final Set<Identity> identities = new HashSet<>();
    private int passwords;

    /** The same rows in the same order, in as few batches as can be. */
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

    /** Who has an identity is only known once the statement has run, so no identity comes twice in one. */
    private boolean takes(ImportLine row) {
        return passwords < MAX_PASSWORDS
                && (row.account() == null
                        || Collections.disjoint(identities, row.account().identities()));
    }

    private void add(ImportLine row) {
        rows.add(row);
        var account = row.account();
        if (account != null) {
            identities.addAll(account.identities());
            passwords += account.password().plain() == null ? 0 : 1;
        }
    }

    List<UserToCreate> accounts() {
        return rows.stream().map(ImportLine::account).filter(Objects::nonNull).toList();
    }

    /** Puts what became of the accounts beside the lines that told of none. */
    List<ImportResult> results(List<Result> ofAccounts) {
        var next = ofAccounts.iterator();
        return rows.stream()
                .map(row -> row.account() == null
                        ? ImportResult.failed(row.line(), row.errors())
                        : ImportResult.of(row.line(), next.next()))
                .toList();
    }
}
