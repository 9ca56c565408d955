package dev.vestibule.config;

import java.net.URI;
import java.util.regex.Pattern;

/** The JSON-RPC endpoint of a node of an EVM chain, by the chain's number (EIP-155). */
public record ChainNode(int chainId, URI url) {
    static final String FORM = "a chain's number, = and the http or https URL of a node";

    private static final Pattern PARTS = Pattern.compile("([1-9][0-9]{0,8})=(\\S+)");
    private static final String MASK = "********";

    static ChainNode parse(String text) {
        var parts = PARTS.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException();
        }
        return new ChainNode(
                Integer.parseInt(parts.group(1)), SettingType.HTTP_URL.parser().apply(parts.group(2)));
    }

    /** The URLs of providers contain a key. */
    static String masked(String text) {
        return text.replaceFirst("=.*", "=" + MASK);
    }
}
