package dev.vestibule.mail;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SealedSecrets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The sealed details of waiting notices, for a change of the master secret. */
public final class SealedNoticeStore implements SealedSecrets {
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Sealer sealer;

    public SealedNoticeStore(Sealer sealer) {
        this.sealer = sealer;
    }

    @Override
    public String owners() {
        return "notices by mail";
    }

    @Override
    public boolean hasPreviousSecrets() {
        return !sealer.outdatedPrefixes().isEmpty();
    }

    private static final String OUTDATED = """
            SELECT project_id, id, sealed_details
            FROM mails
            WHERE substring(sealed_details FROM 1 FOR 5) = ANY ($1::bytea[])
              AND (project_id, id) > ($2::uuid, $3::uuid)
            ORDER BY project_id, id
            LIMIT $4
            """;

    @Override
    public Future<List<SealedRow>> outdated(SqlClient db, Optional<SealedRow> after, int limit) {
        var prefixes = sealer.outdatedPrefixes().stream().map(Buffer::buffer).toArray(Buffer[]::new);
        return db.preparedQuery(OUTDATED)
                .execute(Tuple.of(
                        prefixes,
                        after.map(row -> row.project().value()).orElse(BEFORE_ALL),
                        after.map(row -> UUID.fromString(row.owner())).orElse(BEFORE_ALL),
                        limit))
                .map(rows -> Rows.all(rows, SealedNoticeStore::sealedRow));
    }

    private static SealedRow sealedRow(Row row) {
        return new SealedRow(
                new ProjectId(row.getUUID("project_id")),
                row.getUUID("id").toString(),
                List.of(row.getBuffer("sealed_details")));
    }

    private static final String REPLACE = """
            UPDATE mails SET sealed_details = $4 WHERE project_id = $1 AND id = $2 AND sealed_details = $3
            """;

    @Override
    public Future<Void> reseal(SqlClient db, SealedRow row) {
        var notice = UUID.fromString(row.owner());
        var sealed = row.sealed().get(0);
        var context = NoticeStore.context(row.project(), notice);
        var renewed = sealer.seal(sealer.open(sealed.getBytes(), context), context);
        return db.preparedQuery(REPLACE)
                .execute(Tuple.of(row.project().value(), notice, sealed, Buffer.buffer(renewed)))
                .mapEmpty();
    }
}
