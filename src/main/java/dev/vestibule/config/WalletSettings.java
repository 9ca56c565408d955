package dev.vestibule.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** The nodes of EVM chains that know the wallets which are contracts. */
public record WalletSettings(List<ChainNode> nodes, Duration timeout, int inFlight) {
    /** The JSON-RPC endpoint of a node of an EVM chain, by the chain's number (EIP-155). */
    public record ChainNode(int chainId, URI url) {
        private static final Pattern PARTS = Pattern.compile("([1-9][0-9]{0,8})=(\\S+)");
        private static final SettingType<ChainNode> TYPE = new SettingType<>(
                "a chain's number, = and the http or https URL of a node",
                false,
                ChainNode::parse,
                text -> text.replaceFirst("=.*", "=" + SettingType.MASK)); // the URLs of providers contain a key

        private static ChainNode parse(String text) {
            var parts = PARTS.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException();
            }
            return new ChainNode(
                    Integer.parseInt(parts.group(1)),
                    SettingType.HTTP_URL.parser().apply(parts.group(2)));
        }
    }

    static WalletSettings read(SettingsSection wallets) {
        return new WalletSettings(
                wallets.list(
                        "nodes",
                        ChainNode.TYPE,
                        "1=https://node.example.com/key",
                        "JSON-RPC endpoints, each for one EVM chain. A wallet that is a contract signs in with the"
                                + " answer of its chain's node (EIP-1271), so this node decides who may sign in. They may"
                                + " be in a private network. Without one, only wallets with a key sign in."),
                wallets.value(
                        "timeoutSeconds",
                        SettingType.seconds(1, 60),
                        "5",
                        "Longest time for a node to answer; then the sign in fails."),
                wallets.value(
                        "inFlight",
                        SettingType.wholeNumber(1, 256),
                        "16",
                        "Maximum number of requests to one node at once. More wait within their time."));
    }
}
