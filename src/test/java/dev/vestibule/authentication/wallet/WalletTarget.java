package dev.vestibule.authentication.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fuzz.ParserTarget;

/** An address has one text for each wallet, and no made-up signature is one. */
public final class WalletTarget {
    private static final String KEY = "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g";

    private WalletTarget() {}

    public static void address(String text) {
        for (var chain : WalletChain.values()) {
            var address = ParserTarget.acceptedBy(typed -> WalletAddress.parse(chain, typed), text);
            if (address != null) {
                assertThat(WalletAddress.parse(chain, address.text())).isEqualTo(address);
                assertThat(address.text()).isEqualToIgnoringCase(text);
            }
        }
    }

    public static void signature(String text) {
        assertThat(SolanaSignatures.isBy(KEY, "a message", text)).isFalse();
    }
}
