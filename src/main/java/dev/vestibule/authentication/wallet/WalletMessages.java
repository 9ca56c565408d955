package dev.vestibule.authentication.wallet;

import dev.vestibule.authentication.wallet.WalletStore.Message;
import dev.vestibule.config.WebOrigin;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages that people sign with their wallets (EIP-4361, and its form for Solana). Each is good for one sign in or
 * link within ten minutes, in one project, with one address on one chain. Only hashes are stored.
 */
final class WalletMessages {
    static final Duration LIFETIME = Duration.ofMinutes(10);

    private static final int NONCE_BYTES = 16;
    static final int MAINNET = 1;
    private static final String SCHEME_END = "://";

    private final WalletStore store = new WalletStore();
    private final Database database;
    private final URI publicUrl;
    private final Clock clock;

    WalletMessages(Database database, URI publicUrl, Clock clock) {
        this.database = database;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    /** What a wallet is to sign: the text, and the nonce that it contains. */
    record ToSign(String message, String nonce) {}

    /** @param origin where the request comes from, as the browser says; null without a browser */
    Future<ToSign> issue(Project project, WalletAddress address, @Nullable Integer chainId, @Nullable String origin) {
        var nonce = HexFormat.of().formatHex(RandomSecrets.bytes(NONCE_BYTES));
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var expiresAt = now.plus(LIFETIME);
        var uri = originOf(project, origin);
        var chain =
                address.chain() == WalletChain.SOLANA ? "mainnet" : String.valueOf(chainId == null ? MAINNET : chainId);
        var message = """
                %s wants you to sign in with your %s account:
                %s

                Sign in with this wallet. This costs nothing.

                URI: %s
                Version: 1
                Chain ID: %s
                Nonce: %s
                Issued At: %s
                Expiration Time: %s""".formatted(
                        uri.substring(uri.indexOf(SCHEME_END) + SCHEME_END.length()),
                        address.chain().title(),
                        address.text(),
                        uri,
                        chain,
                        nonce,
                        now,
                        expiresAt);
        return store.insertMessage(database.writes(), project.id(), hash(address, message), chainId, expiresAt)
                .map(new ToSign(message, nonce));
    }

    /** Wallets warn where the message names another domain than that of the page. */
    private String originOf(Project project, @Nullable String origin) {
        if (origin != null && project.allowedOrigins().contains(origin)) {
            return origin;
        }
        return project.allowedOrigins().stream()
                .filter(allowed -> allowed.startsWith("http"))
                .findFirst()
                .or(() -> Optional.ofNullable(project.callbackUrl())
                        .filter(url -> url.startsWith("http"))
                        .map(url -> WebOrigin.of(URI.create(url))))
                .orElseGet(() -> WebOrigin.of(publicUrl));
    }

    private static Buffer hash(WalletAddress address, String message) {
        var bound = address.chain().text() + "\n" + address.text() + "\n" + message;
        return Buffer.buffer(Sha256.of(bound.getBytes(StandardCharsets.UTF_8)));
    }

    /** Uses up the message, whatever the outcome; empty if it was not issued for this address, is used or expired. */
    Future<Optional<Message>> take(ProjectId project, WalletAddress address, String message) {
        return store.takeMessage(database.writes(), project, hash(address, message), clock.instant());
    }

    Future<Void> purge(Database ofServer) {
        return WalletStore.EXPIRED.remove(ofServer, clock.instant());
    }
}
