package dev.vestibule.authentication.passkey;

import dev.vestibule.authentication.passkey.PasskeyNotifier.ChangeContext;
import dev.vestibule.authentication.passkey.PasskeySignIn.Request;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Fields;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.Device;
import dev.vestibule.user.Account;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;

/** Reauthentication with one of the user's own passkeys in an open session. The challenge is that of a sign in. */
public final class PasskeyProof {
    /** What an authenticator has signed. */
    public static final class Given {
        private final Request request;

        private Given(Request request) {
            this.request = request;
        }
    }

    /** A valid signature; whose passkey it is has not been checked yet. */
    public static final class Checked {
        private final Request request;
        private final PasskeySignIn.Checked passkey;

        private Checked(Request request, PasskeySignIn.Checked passkey) {
            this.request = request;
            this.passkey = passkey;
        }
    }

    private final PasskeySignIn signIn;

    PasskeyProof(PasskeySignIn signIn) {
        this.signIn = signIn;
    }

    /** A 404 if the project has no passkeys. */
    public static Given read(Fields fields, Project project, Trail trail, Device device, Language language) {
        RelyingParty.requireEnabled(project);
        return new Given(new Request(
                project,
                PasskeyFields.signed(fields),
                PasskeyFields.userHandle(fields),
                new ChangeContext(trail, device, language)));
    }

    /** A 401 if any check fails; the challenge is used up in any case. */
    public Future<Checked> check(Given given) {
        return signIn.check(given.request).map(passkey -> new Checked(given.request, passkey));
    }

    /**
     * Uses it, and says what it proves; a 401 if it does not belong to the account, and a 403 if the account needs two
     * factors and the passkey was only one. The transaction must hold the lock of the user's row.
     */
    public Future<Authentication> use(SqlConnection transaction, Account account, Checked checked) {
        return signIn.use(transaction, checked.request, account, checked.passkey);
    }
}
