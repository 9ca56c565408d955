package dev.vestibule.authentication.wallet;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code wallets} and {@code wallet_messages}. Code that adds or removes a wallet must hold the lock of the
 * user's row.
 */
final class WalletStore {
    static final OldRows EXPIRED = OldRows.by("wallet_messages", "expires_at");

    private static final String INSERT_MESSAGE = """
            INSERT INTO wallet_messages (project_id, message_hash, chain_id, expires_at) VALUES ($1, $2, $3, $4)
            """;

    Future<Void> insertMessage(
            SqlClient db, ProjectId project, Buffer hash, @Nullable Integer chainId, Instant expiresAt) {
        return Sql.run(db, INSERT_MESSAGE, project, hash, chainId, expiresAt).mapEmpty();
    }

    private static final String TAKE_MESSAGE = """
            DELETE FROM wallet_messages WHERE project_id = $1 AND message_hash = $2 AND expires_at > $3
            RETURNING chain_id
            """;

    /** A message that waited for its signature. */
    record Message(@Nullable Integer chainId) {}

    /** Empty if there is none, or it is used or expired. */
    Future<Optional<Message>> takeMessage(SqlClient db, ProjectId project, Buffer hash, Instant now) {
        return Sql.run(db, TAKE_MESSAGE, project, hash, now)
                .map(rows -> Rows.first(rows, row -> new Message(row.getInteger("chain_id"))));
    }

    private static final String LOCK_ADDRESS = """
            SELECT pg_advisory_xact_lock(hashtextextended($1::text || $2::text || $3::text, 0))::text
            """;

    /** Until the transaction ends, no other one gives the address to a user. */
    Future<Void> lockAddress(SqlClient transaction, ProjectId project, WalletAddress address) {
        return Sql.run(
                        transaction,
                        LOCK_ADDRESS,
                        project.toString(),
                        address.chain().text(),
                        address.text())
                .mapEmpty();
    }

    /** A wallet, its owner, and whether it is a contract on its chain or a key. */
    record OwnedWallet(Wallet wallet, UserId owner, boolean isContract) {}

    private static final String FIND = """
            SELECT id, address, chain, wallet_type, chain_id, created_at, user_id, is_contract FROM wallets
            WHERE project_id = $1 AND chain = $2 AND address = $3
            """;

    Future<Optional<OwnedWallet>> find(SqlClient db, ProjectId project, WalletAddress address) {
        return Sql.run(db, FIND, project, address.chain().text(), address.text())
                .map(rows -> Rows.first(
                        rows,
                        row -> new OwnedWallet(
                                wallet(row), new UserId(row.getUUID("user_id")), row.getBoolean("is_contract"))));
    }

    private static Wallet wallet(Row row) {
        return new Wallet(
                row.getUUID("id"),
                row.getString("address"),
                WalletChain.parse(row.getString("chain")),
                row.getString("wallet_type"),
                row.getInteger("chain_id"),
                Rows.instant(row, "created_at"));
    }

    private static final String OF_USER = """
            SELECT id, address, chain, wallet_type, chain_id, created_at FROM wallets
            WHERE project_id = $1 AND user_id = $2
            ORDER BY created_at, id
            """;

    /** Oldest first. */
    Future<List<Wallet>> listForUser(SqlClient db, ProjectId project, UserId user) {
        return Sql.run(db, OF_USER, project, user).map(rows -> Rows.all(rows, WalletStore::wallet));
    }

    private static final String INSERT = """
            INSERT INTO wallets (project_id, id, user_id, address, chain, wallet_type, chain_id, created_at,
                                 is_contract)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """;

    /** The caller has locked the address, and nobody has it. */
    Future<Void> insert(SqlClient transaction, ProjectId project, OwnedWallet owned) {
        var wallet = owned.wallet();
        return Sql.run(
                        transaction,
                        INSERT,
                        project,
                        wallet.id(),
                        owned.owner(),
                        wallet.address(),
                        wallet.chain().text(),
                        wallet.walletType(),
                        wallet.chainId(),
                        wallet.createdAt(),
                        owned.isContract())
                .mapEmpty();
    }

    private static final String REMOVE = """
            DELETE FROM wallets WHERE project_id = $1 AND user_id = $2 AND id = $3
            RETURNING id, address, chain, wallet_type, chain_id, created_at
            """;

    /** Empty if the user has no such wallet. */
    Future<Optional<Wallet>> remove(SqlClient transaction, ProjectId project, UserId user, UUID wallet) {
        return Sql.run(transaction, REMOVE, project, user, wallet).map(rows -> Rows.first(rows, WalletStore::wallet));
    }

    private static final String REMOVE_ALL = """
            DELETE FROM wallets WHERE project_id = $1 AND user_id = $2
            RETURNING id, address, chain, wallet_type, chain_id, created_at
            """;

    Future<List<Wallet>> removeAll(SqlClient transaction, ProjectId project, UserId user) {
        return Sql.run(transaction, REMOVE_ALL, project, user).map(rows -> Rows.all(rows, WalletStore::wallet));
    }
}
