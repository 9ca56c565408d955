package dev.vestibule.mail;

import io.vertx.core.buffer.Buffer;

/**
 * The keyed hashes under which the database knows an address. What everyone asks for and tries is counted under the first,
 * whether or not there is an account, and decides what a wrong code is answered with. What is asked for from a network that
 * the account signed in from lately is sent under the second, which strangers do not touch: they neither use up its quota of
 * mails, nor replace what was sent, nor void it by guesses.
 */
record AddressKeys(Buffer ofAnyone, Buffer ofKnownNetworks) {
    Buffer[] both() {
        return new Buffer[] {ofAnyone, ofKnownNetworks};
    }
}
