package dev.vestibule.config;

import java.time.Duration;
import java.util.List;

/** The nodes of EVM chains that know the wallets which are contracts. */
public record WalletSettings(List<ChainNode> nodes, Duration timeout, int inFlight) {
    static WalletSettings read(SettingsSection wallets) {
        return new WalletSettings(
                wallets.list(
                        "nodes",
                        SettingType.CHAIN_NODE,
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
