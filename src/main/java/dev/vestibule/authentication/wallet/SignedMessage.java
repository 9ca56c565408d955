package dev.vestibule.authentication.wallet;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message and its signature by the wallet of an address, as clients send them.
 *
 * @param walletType the application that holds the wallet, one of those that clients know
 */
record SignedMessage(WalletAddress address, String walletType, String message, String signature) {
    private static final Set<String> TYPES =
            Set.of("metamask", "pexus", "walletconnect", "coinbase", "phantom", "trust", "other");

    private static final int MAX_MESSAGE = 4096;
    /** Signatures of contracts contain those of several owners. */
    private static final int MAX_SIGNATURE = 4098;

    private static final int MAX_ADDRESS = 100;

    static SignedMessage of(Fields fields) {
        return new SignedMessage(address(fields), type(fields), message(fields), signature(fields));
    }

    /** Reads a request of a server, which does not say which application the wallet is in. */
    static SignedMessage withoutType(Fields fields) {
        return new SignedMessage(address(fields), "other", message(fields), signature(fields));
    }

    static WalletAddress address(Fields fields) {
        var chain = fields.required("chain", WalletChain::parse);
        return fields.required("address", FieldType.text(MAX_ADDRESS, text -> WalletAddress.parse(known(chain), text)));
    }

    /** After a violation it is null, and the request is refused whatever its address is. */
    private static WalletChain known(@Nullable WalletChain chain) {
        return Objects.requireNonNullElse(chain, WalletChain.EVM);
    }

    static String type(Fields fields) {
        return Objects.requireNonNullElse(fields.optional("walletType", SignedMessage::type), "other");
    }

    private static String type(String text) {
        if (!TYPES.contains(text)) {
            throw new InvalidValueException("must be one of "
                    + String.join(", ", TYPES.stream().sorted().toList()));
        }
        return text;
    }

    static @Nullable Integer chainId(Fields fields) {
        return fields.optional("chainId", FieldType.integer(1, Integer.MAX_VALUE));
    }

    private static String message(Fields fields) {
        return fields.required("message", FieldType.text(MAX_MESSAGE, Text::wellFormed));
    }

    private static String signature(Fields fields) {
        return fields.required("signature", FieldType.text(MAX_SIGNATURE, text -> text));
    }

    /** Takes a millisecond. */
    boolean isGenuine() {
        return switch (address.chain()) {
            case EVM -> EvmSignatures.isBy(address.text(), message, signature);
            case SOLANA -> SolanaSignatures.isBy(address.text(), message, signature);
        };
    }

    /** Leaves out the message, whose nonce may still be valid. */
    @Override
    public String toString() {
        return "SignedMessage[" + address + "]";
    }
}
