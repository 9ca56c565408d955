package dev.vestibule.crypto.foreign;

/** A password hash of another system, parsed, and with a cost that a sign in can afford. */
public interface ForeignHash {
    /** Whether the password, in UTF-8, matches; this takes as long as the hash's own parameters demand. */
    boolean matches(byte[] password);

    /** How long verifying takes and how much memory it needs, estimated from the parameters. */
    HashCost cost();

    /** Throws an {@link dev.vestibule.error.InvalidValueException} if it costs more than an import allows. */
    void check(HashCeilings ceilings);
}
