package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.OauthStateStore.Waiting;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.project.CachedProject;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Carries out what a person has decided about a sign in that this server handles, or has completed in a popup. */
final class SignInConsent {
    private static final String REFUSED = "The sign in was refused.";

    /** What the form on our page sent. */
    record Decision(AuthorizationCallback callback, String consentToken, boolean isAllowed) {
        @Override
        public String toString() {
            return "Decision[" + isAllowed + "]";
        }
    }

    private final Database database;
    private final ProjectDirectory projects;
    private final OauthStateStore states = new OauthStateStore();
    private final SessionStore sessions;
    private final ConsentTokens consents;
    private final ServerHandledSignIn signIn;
    private final OauthPages pages;
    private final Clock clock;

    SignInConsent(
            Database database,
            ProjectDirectory projects,
            SessionStore sessions,
            ConsentTokens consents,
            ServerHandledSignIn signIn,
            OauthPages pages,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.sessions = sessions;
        this.consents = consents;
        this.signIn = signIn;
        this.pages = pages;
        this.clock = clock;
    }

    /**
     * A decision that is not about a waiting sign in, or not from our page, gets the same response as one about an
     * unknown sign in.
     */
    Future<Reply> decide(Decision decision) {
        var callback = decision.callback();
        if (callback.token().isEmpty()) {
            return Future.succeededFuture(pages.unknown(callback));
        }
        var token = callback.token().get();
        return projects.find(database, token.project())
                .compose(known -> known.isEmpty()
                        ? Future.succeededFuture(pages.unknown(callback))
                        : decide(known.map(CachedProject::project).get(), token, decision));
    }

    private Future<Reply> decide(Project project, StateToken token, Decision decision) {
        return states.waiting(database.writes(), token, clock.instant())
                .map(found -> found.filter(waiting -> isFromOurPage(token, waiting, decision)))
                .compose(waiting -> waiting.isEmpty()
                        ? Future.succeededFuture(pages.unknown(decision.callback()))
                        : decide(project, token, waiting.get(), decision));
    }

    private boolean isFromOurPage(StateToken token, Waiting waiting, Decision decision) {
        var session = waiting.heldSession();
        return session == null
                ? consents.mayContinue(token, decision.callback().answer(), decision.consentToken())
                : consents.mayHandOver(token, session, decision.consentToken());
    }

    private Future<Reply> decide(Project project, StateToken token, Waiting waiting, Decision decision) {
        var session = waiting.heldSession();
        if (!decision.isAllowed()) {
            return refuse(project, token, session, decision);
        }
        return session == null ? resume(project, token, waiting.state(), decision) : release(project, token, decision);
    }

    /** Our page, which has asked, has compared the address. */
    private Future<Reply> resume(Project project, StateToken token, OauthState state, Decision decision) {
        var callback = decision.callback();
        return states.claim(database.writes(), token, callback.network(), true, state.redirectUri(), clock.instant())
                .compose(claimed -> claimed.isEmpty()
                        ? Future.succeededFuture(pages.unknown(callback))
                        : signIn.finish(project, token, claimed.get(), callback, true));
    }

    private Future<Reply> release(Project project, StateToken token, Decision decision) {
        var now = clock.instant();
        return states.release(database.writes(), token, now, now.plus(ServerHandledSignIn.FETCH_TIME))
                .compose(released -> pages.reader(database, project, decision.callback())
                        .map(reader -> released ? pages.agreed(reader) : pages.unknown(decision.callback())));
    }

    private Future<Reply> refuse(Project project, StateToken token, @Nullable SessionId session, Decision decision) {
        return database.inTransaction(transaction -> refuse(transaction, token, session))
                .compose(refused -> pages.reader(database, project, decision.callback())
                        .map(reader -> refused ? pages.refused(reader) : pages.unknown(decision.callback())));
    }

    /** Also ends the session that the sign in has opened. */
    private Future<Boolean> refuse(SqlConnection transaction, StateToken token, @Nullable SessionId session) {
        var now = clock.instant();
        return states.refuse(transaction, token, REFUSED, now, now.plus(ServerHandledSignIn.FETCH_TIME))
                .compose(refused -> refused && session != null
                        ? sessions.end(transaction, token.project(), session, EndReason.SIGNED_OUT, now)
                                .map(refused)
                        : Future.succeededFuture(refused));
    }
}
