package dev.vestibule.page.hosted;

import dev.vestibule.authentication.oauth.Pkce;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.page.hosted.HostedCodeStore.Grant;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Issues a code for a session, and exchanges the code for the tokens of the session. */
final class HostedCodes {
    /** How much time a browser has to return. */
    static final Duration LIFETIME = Duration.ofSeconds(60);

    /** How much time a person has to write down backup codes. */
    private static final Duration TICKET_LIFETIME = Duration.ofMinutes(15);

    /** How long a second use is detected. */
    private static final Duration REUSE_DETECTION = Duration.ofHours(1);

    private static final int CODE_BYTES = 32;

    /** In place of a challenge, so that no verifier matches it. */
    private static final String LENT = "lent to a browser";

    /** The data that an application presents. */
    record Redemption(
            Project project,
            boolean byServer,
            String code,
            @Nullable String codeVerifier,
            @Nullable String returnTo) {
        @Override
        public String toString() {
            return "Redemption[" + project.id() + "]";
        }
    }

    private final Database database;
    private final HostedCodeStore store = new HostedCodeStore();
    private final ActiveSessionStore active = new ActiveSessionStore();
    private final SessionStore sessions;
    private final TokenIssuer tokens;
    private final Clock clock;

    HostedCodes(Database database, SessionStore sessions, TokenIssuer tokens, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.tokens = tokens;
        this.clock = clock;
    }

    Future<String> issue(Project project, Grant grant) {
        var code = SignedFields.base64(RandomSecrets.bytes(CODE_BYTES));
        return store.add(
                        database.writes(),
                        project.id(),
                        code,
                        grant,
                        clock.instant().plus(LIFETIME))
                .map(code);
    }

    /**
     * Holds a session while the page still has something to show, and returns a ticket that this browser can use once.
     * An application cannot redeem the ticket: no verifier matches its stored challenge.
     */
    Future<String> hold(HostedVisit visit, String returnTo, SessionId session, UserId user) {
        var ticket = SignedFields.base64(RandomSecrets.bytes(CODE_BYTES));
        return store.add(
                        database.writes(),
                        visit.project().id(),
                        ticket,
                        new Grant(session, user, holder(visit), returnTo),
                        clock.instant().plus(TICKET_LIFETIME))
                .map(ticket);
    }

    /** Empty if the ticket belongs to another browser or another return URL, was used, or has expired. */
    Future<Optional<Grant>> release(HostedVisit visit, String returnTo, String ticket) {
        return store.take(database.writes(), visit.project().id(), ticket, clock.instant())
                .map(taken -> taken.filter(
                        grant -> holder(visit).equals(grant.codeChallenge()) && returnTo.equals(grant.returnTo())));
    }

    /** Lends a session to a browser, which can use the returned secret once, as a code. */
    Future<String> lend(ProjectId project, SessionId session, UserId user) {
        var secret = SignedFields.base64(RandomSecrets.bytes(CODE_BYTES));
        return store.add(
                        database.writes(),
                        project,
                        secret,
                        new Grant(session, user, LENT, ""),
                        clock.instant().plus(LIFETIME))
                .map(secret);
    }

    /** Empty if nothing was lent by this secret, or it was used, or has expired. */
    Future<Optional<Grant>> takeLent(ProjectId project, String secret) {
        return store.take(database.writes(), project, secret, clock.instant())
                .map(taken -> taken.filter(grant -> LENT.equals(grant.codeChallenge())));
    }

    private static String holder(HostedVisit visit) {
        return "held for " + visit.proof().token();
    }

    /** A 401 if the code is not valid for this request; a code that was used before ends the session. */
    Future<TokenResponse> redeem(Redemption redemption, Supplier<Trail> trail) {
        var project = redemption.project();
        return store.take(database.writes(), project.id(), redemption.code(), clock.instant())
                .compose(taken -> taken.isEmpty()
                        ? refuse(redemption, trail)
                        : isFor(redemption, taken.get())
                                ? open(project, taken.get())
                                : endMisused(project, taken.get(), trail.get())
                                        .compose(ended -> Future.failedFuture(refusal())));
    }

    /**
     * Refuses the code, and ends its session: somebody else may have copied the code, and that session must not
     * survive.
     */
    private Future<TokenResponse> refuse(Redemption redemption, Supplier<Trail> trail) {
        var project = redemption.project();
        return store.find(database.writes(), project.id(), redemption.code())
                .compose(known ->
                        known.isEmpty() ? Future.succeededFuture() : endMisused(project, known.get(), trail.get()))
                .compose(done -> Future.failedFuture(refusal()));
    }

    private static boolean isFor(Redemption redemption, Grant grant) {
        var challenge = grant.codeChallenge();
        var verifier = redemption.codeVerifier();
        var isProved = challenge == null
                ? redemption.byServer() && verifier == null
                : verifier != null && Pkce.matches(verifier, challenge);
        return isProved
                && (redemption.returnTo() == null || redemption.returnTo().equals(grant.returnTo()));
    }

    private Future<TokenResponse> open(Project project, Grant grant) {
        var now = clock.instant();
        return active.findOpened(database.writes(), project.id(), grant.session(), grant.user(), now)
                .map(found -> found.orElseThrow(HostedCodes::refusal))
                .compose(opened -> sessions.requireCurrent(
                                project.id(), grant.session(), opened.person(), now, HostedCodes::refusal)
                        .map(opened))
                .compose(opened -> tokens.open(
                        database.reads(),
                        project,
                        ApiVariant.A,
                        new Completed(
                                grant.session(),
                                opened.person().authentication(),
                                opened.person().user()),
                        Duration.between(now, opened.expiresAt())));
    }

    /**
     * The caller can be the application or a thief, so the audit entry records whose session it was, and where the
     * request came from.
     */
    private Future<Void> endMisused(Project project, Grant grant, Trail trail) {
        return database.inTransaction(transaction -> sessions.end(
                        transaction, project.id(), grant.session(), EndReason.TOKEN_REUSED, clock.instant())
                .compose(ended -> ended.isEmpty()
                        ? Future.succeededFuture()
                        : trail.record(
                                transaction,
                                Logged.CODE_MISUSED,
                                Target.user(grant.user().value()),
                                Map.of("sessionId", grant.session().value()))));
    }

    /** Ends a session that nobody can use. */
    Future<Void> end(Project project, SessionId session) {
        return database.inTransaction(transaction ->
                        sessions.end(transaction, project.id(), session, EndReason.SIGNED_OUT, clock.instant()))
                .map(Optional::isPresent)
                .mapEmpty();
    }

    Future<Void> purge(Database at) {
        return HostedCodeStore.EXPIRED.remove(at, clock.instant().minus(REUSE_DETECTION));
    }

    private static ApiException refusal() {
        return ApiException.of(
                ErrorCode.INVALID_AUTHORIZATION_CODE,
                "The code is unknown, expired or used, or the codeVerifier or redirectUri is not the one from the request.");
    }
}
