package dev.vestibule.authentication.wallet;

import dev.vestibule.config.WalletSettings;
import dev.vestibule.config.WalletSettings.ChainNode;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.outbound.Destination;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.outbound.OutboundException;
import dev.vestibule.outbound.OutboundResponse;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Wallets that are contracts: whether one has signed a message is asked of the contract (EIP-1271), at the operator's
 * node of its chain.
 */
final class ContractWallets {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
    private static final Duration KEEP_ALIVE = Duration.ofMinutes(1);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final int BODY_LIMIT = 8192;
    private static final int OK = 200;

    /** {@code isValidSignature(bytes32,bytes)}, which answers with the same four bytes. */
    private static final String METHOD = "1626ba7e";

    private static final String VALID = "0x" + METHOD + "0".repeat(56);
    private static final String OFFSET_OF_SIGNATURE = "40";
    private static final int WORD_DIGITS = 64;
    private static final Pattern SIGNATURE = Pattern.compile("0x(?:[0-9a-fA-F]{2}){1,2048}");

    private final OutboundClient client;
    private final Map<Integer, Destination> nodes;

    ContractWallets(Vertx vertx, WalletSettings settings) {
        var limits = new OutboundClient.Limits(
                CONNECT_LIMIT, settings.timeout(), BODY_LIMIT, settings.inFlight(), KEEP_ALIVE);
        this.client = new OutboundClient(vertx, limits, true); // only the operator names nodes
        this.nodes = settings.nodes().stream()
                .collect(Collectors.toMap(
                        ChainNode::chainId, node -> Destination.of(node.url()), (first, second) -> first));
    }

    /** False for a chain without a node; a 503 if the node does not answer. */
    Future<Boolean> isBy(String address, int chainId, String message, String signature) {
        var node = nodes.get(chainId);
        if (node == null || !SIGNATURE.matcher(signature).matches()) {
            return Future.succeededFuture(false);
        }
        var call = Map.of("to", address, "data", data(EvmSignatures.hash(message), signature.substring(2)));
        var body =
                Json.encode(Map.of("jsonrpc", "2.0", "id", 1, "method", "eth_call", "params", List.of(call, "latest")));
        var headers = HttpHeaders.headers().set(HttpHeaders.CONTENT_TYPE, "application/json");
        return client.send(HttpMethod.POST, node, headers, body)
                .recover(failure -> Future.failedFuture(failure instanceof OutboundException ? silent() : failure))
                .map(ContractWallets::isValid);
    }

    /** The method and its parameters, in the contract ABI. */
    private static String data(byte[] hash, String signature) {
        var length = signature.length();
        var padding = Math.floorMod(-length, WORD_DIGITS);
        return "0x" + METHOD + HexFormat.of().formatHex(hash) + word(OFFSET_OF_SIGNATURE)
                + word(Integer.toHexString(length / 2)) + signature + "0".repeat(padding);
    }

    private static String word(String digits) {
        return "0".repeat(WORD_DIGITS - digits.length()) + digits;
    }

    /** An error in an answer of the node means that the contract refused, or is none. */
    private static boolean isValid(OutboundResponse response) {
        if (response.status() != OK || response.isTruncated()) {
            throw silent();
        }
        try {
            return Json.parse(response.body()).path("result").asText().equals(VALID);
        } catch (MalformedJsonException malformed) {
            throw silent();
        }
    }

    private static ApiException silent() {
        return ApiException.of(
                ErrorCode.UNAVAILABLE, "The chain of the wallet cannot be asked now. Try again later.", RETRY_AFTER);
    }
}
