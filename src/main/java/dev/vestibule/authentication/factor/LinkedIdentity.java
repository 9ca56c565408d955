package dev.vestibule.authentication.factor;

/** A user's identity at a provider, as stored in {@code identities}, or a wallet. */
public record LinkedIdentity(String provider, String issuer, String subject) {
    public static LinkedIdentity ofWallet(String chain, String address) {
        return new LinkedIdentity("wallet", chain, address);
    }
}
