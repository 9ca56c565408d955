package dev.vestibule.mail;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * The keyed hashes that identify an address in the database. Requests and attempts of everyone count under the first
 * one, whether or not there is an account, and decide the response to a wrong code. Mails that are requested from a
 * network that the account recently signed in from are sent under the second one, which strangers do not affect: they
 * cannot use up its quota of mails, replace what was sent, or invalidate it with guesses.
 */
public record AddressKeys(Buffer ofAnyone, Buffer ofKnownNetworks) {
    Buffer of(boolean isKnownNetwork) {
        return isKnownNetwork ? ofKnownNetworks : ofAnyone;
    }

    /** Everybody's requests are counted together, those from known networks once more for their own mails. */
    List<Buffer> counted(boolean isKnownNetwork) {
        return isKnownNetwork ? List.of(ofAnyone, ofKnownNetworks) : List.of(ofAnyone);
    }

    Buffer[] both() {
        return new Buffer[] {ofAnyone, ofKnownNetworks};
    }
}
