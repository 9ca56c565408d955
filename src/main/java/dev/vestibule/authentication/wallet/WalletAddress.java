package dev.vestibule.authentication.wallet;

import dev.vestibule.error.InvalidValueException;
import java.util.regex.Pattern;
import org.apache.commons.codec.binary.Base58;

/**
 * The address of a wallet, in the one form that is stored and shown: on EVM chains with the capitals of EIP-55, on
 * Solana the key in Base58.
 */
record WalletAddress(WalletChain chain, String text) {
    private static final Pattern EVM = Pattern.compile("0x[0-9a-fA-F]{40}");
    private static final int MAX_SOLANA = 44;
    private static final int SHOWN = 4;

    /** Refuses an EVM address whose capitals are wrong: then it has a typing error. */
    static WalletAddress parse(WalletChain chain, String text) {
        return new WalletAddress(
                chain,
                switch (chain) {
                    case EVM -> evm(text);
                    case SOLANA -> solana(text);
                });
    }

    private static String evm(String text) {
        if (!EVM.matcher(text).matches()) {
            throw new InvalidValueException("must be 0x and 40 hexadecimal digits");
        }
        var checked = EvmSignatures.checksummed(text.substring(2));
        var letters = text.substring(2).chars().filter(Character::isLetter);
        var kinds = letters.mapToObj(Character::isUpperCase).distinct().count();
        if (kinds > 1 && !checked.equals(text)) {
            throw new InvalidValueException("must have the capitals of EIP-55, or none");
        }
        return checked;
    }

    private static String solana(String text) {
        if (text.length() > MAX_SOLANA) {
            throw new InvalidValueException(SolanaSignatures.KEY_RULE);
        }
        var key = SolanaSignatures.decodeBase58(text);
        if (key.length != SolanaSignatures.KEY_BYTES
                || !new Base58().encodeToString(key).equals(text)) {
            throw new InvalidValueException(SolanaSignatures.KEY_RULE);
        }
        return text;
    }

    /** Its beginning and end, by which people recognise it. */
    String shortened() {
        var start = chain == WalletChain.EVM ? SHOWN + 2 : SHOWN;
        return text.substring(0, start) + "…" + text.substring(text.length() - SHOWN);
    }
}
