package dev.vestibule.authentication.wallet;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestedUser;
import dev.vestibule.authentication.wallet.WalletLinks.Signer;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Project;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The wallets of the caller and of a user, and sign in with a wallet. */
public final class WalletHandler {
    private final Database database;
    private final WalletStore store = new WalletStore();
    private final WalletMessages messages;
    private final WalletSignIn signIn;
    private final WalletLinks links;
    private final TokenIssuer tokens;
    private final RecentSignIn recent;

    WalletHandler(
            Database database,
            WalletMessages messages,
            WalletSignIn signIn,
            WalletLinks links,
            TokenIssuer tokens,
            RecentSignIn recent) {
        this.database = database;
        this.messages = messages;
        this.signIn = signIn;
        this.links = links;
        this.tokens = tokens;
        this.recent = recent;
    }

    private record NonceRequest(
            WalletAddress address, @Nullable Integer chainId) {
        static NonceRequest of(Fields fields) {
            SignedMessage.type(fields);
            return new NonceRequest(SignedMessage.address(fields), SignedMessage.chainId(fields));
        }
    }

    /** {@code POST /v1/auth/web3/nonce}: a message that the wallet is to sign. */
    public Future<Reply> nonce(ApiRequest request) {
        var project = allowed(request.project());
        var input = request.fields(NonceRequest::of);
        return messages.issue(project, input.address(), input.chainId(), request.header(HttpHeaders.ORIGIN))
                .map(Reply::ok);
    }

    /** {@code POST /v1/auth/web3/verify}: opens a session for the wallet that has signed such a message. */
    public Future<Reply> verify(ApiRequest request) {
        var signer = signer(request, request.project());
        return signIn.run(signer, request.variant())
                .compose(result -> tokens.respond(database.reads(), signer.project(), request.variant(), result))
                .map(Reply::ok);
    }

    /**
     * The wallets of the caller or, in the management API, of a user, even where sign in with wallets is switched off.
     */
    public Future<Reply> list(ApiRequest request) {
        request.userIfAny().ifPresent(caller -> allowed(caller.project()));
        return RequestedUser.of(request)
                .find(database)
                .compose(user ->
                        store.listForUser(database.reads(), user.project().id(), user.id()))
                .map(Reply::ok);
    }

    /** {@code POST /v1/auth/web3/wallets/link}: from now on the wallet signs in the user. */
    public Future<Reply> link(ApiRequest request) {
        var caller = request.user();
        recent.require(caller);
        var signer = signer(request, caller.project());
        return links.link(signer, caller.user().id(), caller.token().session()).map(Reply::ok);
    }

    /** {@code DELETE /v1/auth/web3/wallets/:walletId}: from now on it opens no session; open sessions stay. */
    public Future<Reply> unlink(ApiRequest request) {
        var caller = request.user();
        var project = allowed(caller.project());
        recent.require(caller);
        return links.unlink(
                        project,
                        caller.user().id(),
                        caller.token().session(),
                        wallet(request),
                        request.trail(),
                        request.device(),
                        request.language())
                .map(removed -> Reply.success());
    }

    /** {@code DELETE …/users/:userId/web3-wallets/:walletId} in the management API. */
    public Future<Reply> unlinkForUser(ApiRequest request) {
        return links.unlinkByManagement(request.project(), user(request), wallet(request), request.trail())
                .map(removed -> Reply.success());
    }

    /** A text of the application, and the chain of a wallet that is a contract. */
    private record SignedText(
            SignedMessage signed, @Nullable Integer chainId) {
        /** The longer name first: it is then the one that a misspelt {@code chainI} is taken for. */
        static SignedText of(Fields fields) {
            var chainId = SignedMessage.chainId(fields);
            return new SignedText(SignedMessage.withoutType(fields), chainId);
        }
    }

    private record Verified(boolean valid, String address) {}

    /**
     * {@code POST /v1/backend/web3/verify-signature}: whether the wallet has signed a text, which can be any text of
     * the application.
     */
    public Future<Reply> verifySignature(ApiRequest request) {
        var project = allowed(request.project());
        var input = request.allFields(SignedText::of);
        return links.check(project, input.signed(), input.chainId())
                .map(proved -> Reply.ok(new Verified(
                        proved.isPresent(), input.signed().address().text())));
    }

    /** A 404 if the project has no sign in with wallets. */
    private static Project allowed(Project project) {
        project.factors().requireWallets();
        return project;
    }

    private static Signer signer(ApiRequest request, Project project) {
        return new Signer(
                allowed(project),
                request.fields(SignedMessage::of),
                request.trail(),
                request.device(),
                request.language());
    }

    private static UserId user(ApiRequest request) {
        return new UserId(request.pathId("userId"));
    }

    private static UUID wallet(ApiRequest request) {
        return request.pathId("walletId");
    }
}
