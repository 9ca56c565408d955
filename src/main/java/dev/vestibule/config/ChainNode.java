package dev.vestibule.config;

import java.net.URI;

/** The JSON-RPC endpoint of a node of an EVM chain, by the chain's number (EIP-155). */
public record ChainNode(int chainId, URI url) {}
