package dev.vestibule.authentication.wallet;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/** The kinds of chains whose wallets can sign in; they differ in addresses and signatures. */
enum WalletChain {
    EVM("evm", "Ethereum"),
    SOLANA("solana", "Solana");

    private final String text;
    private final String title;

    WalletChain(String text, String title) {
        this.text = text;
        this.title = title;
    }

    /** The name in the API and the database. */
    @JsonValue
    String text() {
        return text;
    }

    /** The name in the messages that people sign. */
    String title() {
        return title;
    }

    /** A field rule. */
    static WalletChain parse(String text) {
        for (var chain : values()) {
            if (chain.text.equals(text)) {
                return chain;
            }
        }
        throw new InvalidValueException("must be evm or solana");
    }
}
