package dev.vestibule.authentication.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.fixture.TestWallet;
import dev.vestibule.fixture.TestWallet.Evm;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Locale;
import org.apache.commons.codec.binary.Base58;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WalletSignaturesTest {
    /** Of the documentation of web3.js, for the text "Some data". */
    private static final String KNOWN_ADDRESS = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23";

    private static final String KNOWN_SIGNATURE = "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd"
            + "6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c";

    private static boolean isGenuine(String chain, String address, String message, String signature) {
        var parsed = WalletAddress.parse(WalletChain.parse(chain), address);
        return new SignedMessage(parsed, "other", message, signature).isGenuine();
    }

    @Test
    void aPublishedSignatureOfAPersonalMessageIsGenuine() {
        assertThat(isGenuine("evm", KNOWN_ADDRESS, "Some data", KNOWN_SIGNATURE))
                .isTrue();
        assertThat(isGenuine("evm", KNOWN_ADDRESS, "Some date", KNOWN_SIGNATURE))
                .isFalse();
    }

    /** The examples of EIP-55. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x52908400098527886E0F7030069857D2E4169EE7",
                "0xde709f2102306220921060314715629080e2fb77",
                "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
                "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
                "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"
            })
    void anAddressHasTheCapitalsOfItsChecksum(String address) {
        assertThat(WalletAddress.parse(WalletChain.EVM, address.toLowerCase(Locale.ROOT))
                        .text())
                .isEqualTo(address);
        assertThat(WalletAddress.parse(WalletChain.EVM, address).text()).isEqualTo(address);
    }

    @Test
    void aTypingErrorInAnAddressIsNoticed() {
        assertThatThrownBy(() -> WalletAddress.parse(WalletChain.EVM, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"))
                .isInstanceOf(InvalidValueException.class);
    }

    @Test
    void theOtherFormOfASignatureIsRefused() {
        var bytes = HexFormat.of().parseHex(KNOWN_SIGNATURE.substring(2));
        var r = new BigInteger(1, bytes, 0, 32);
        var s = new BigInteger(1, bytes, 32, 32);
        assertThat(isGenuine("evm", KNOWN_ADDRESS, "Some data", Evm.hex(r, s, 28)))
                .isTrue();
        assertThat(isGenuine("evm", KNOWN_ADDRESS, "Some data", Evm.hex(r, s, 1)))
                .isTrue();
        assertThat(isGenuine("evm", KNOWN_ADDRESS, "Some data", Evm.hex(r, Evm.ORDER.subtract(s), 27)))
                .isFalse();
        for (int v : new int[] {0, 2, 26, 27, 29, 30, 255}) {
            assertThat(isGenuine("evm", KNOWN_ADDRESS, "Some data", Evm.hex(r, s, v)))
                    .as("v %s", v)
                    .isFalse();
        }
    }

    @Test
    void numbersOutsideTheCurveAreNoSignature() {
        var two = BigInteger.TWO;
        for (var r : new BigInteger[] {
            BigInteger.ZERO, Evm.ORDER, Evm.ORDER.add(two), two.pow(256).subtract(two)
        }) {
            assertThat(isGenuine("evm", KNOWN_ADDRESS, "Some data", Evm.hex(r, two, 27)))
                    .isFalse();
            assertThat(isGenuine("evm", KNOWN_ADDRESS, "Some data", Evm.hex(two, r, 27)))
                    .isFalse();
        }
        for (int r = 1; r < 30; r++) { // half of these are no x of a point
            assertThat(isGenuine("evm", KNOWN_ADDRESS, "", Evm.hex(BigInteger.valueOf(r), two, 28)))
                    .isFalse();
        }
    }

    @Test
    void bothKindsOfWalletsSignAnyText() {
        for (var wallet : new TestWallet[] {TestWallet.evm(), TestWallet.solana()}) {
            for (var text : new String[] {"", "\n", "Grüße 👋", "a".repeat(4096)}) {
                assertThat(isGenuine(wallet.chain(), wallet.address(), text, wallet.sign(text)))
                        .isTrue();
                assertThat(isGenuine(wallet.chain(), wallet.address(), text + " ", wallet.sign(text)))
                        .isFalse();
            }
        }
    }

    /** Under the neutral element any message has the signature R = s·B; the JDK accepts it. */
    @Test
    void aKeyOfSmallOrderSignsNothing() {
        var neutral = new byte[32];
        neutral[0] = 1;
        var signature = new byte[64];
        signature[0] = 1;
        assertThat(isGenuine(
                        "solana",
                        new Base58().encodeToString(neutral),
                        "anything",
                        HexFormat.of().formatHex(signature)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0x",
                "1",
                "11111111111111111111111111111111111111111111",
                "0OIl",
                "é",
                "\u0000",
                "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM0",
                "2wMZzcc2pEZCmvA5QMKCsfT5YxJcD1eeDs1f4GkrqeEB1"
            })
    void otherTextsAreNoSolanaAddress(String text) {
        assertThatThrownBy(() -> WalletAddress.parse(WalletChain.SOLANA, text))
                .isInstanceOf(InvalidValueException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0x", "0x00", "zz", "11111", "\u0000", "0OIl", "1é"})
    void otherTextsAreNoSignature(String text) {
        assertThat(isGenuine("evm", KNOWN_ADDRESS, "Some data", text)).isFalse();
        assertThat(isGenuine("solana", TestWallet.solana().address(), "Some data", text))
                .isFalse();
    }
}
