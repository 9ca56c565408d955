package dev.vestibule.authentication.wallet;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A wallet that signs in a user, as the API shows it. The chain's id is null for Solana, and where none was named. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record Wallet(
        UUID id,
        String address,
        WalletChain chain,
        String walletType,
        @Nullable Integer chainId,
        Instant createdAt) {}
