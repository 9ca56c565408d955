package dev.vestibule.session;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.http.limits.ClientNetwork;
import dev.vestibule.project.ProjectId;
import io.netty.util.NetUtil;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The networks from which an account signed in, as keyed hashes. Strangers who guess its password lock it, but not in
 * these networks: each of them has its own number of tries.
 */
public final class SignInNetworks {
    /** No row has this key. */
    public static final Buffer NONE = Buffer.buffer();

    private static final Duration SEEN_PRECISION = Duration.ofDays(1); // so that not every sign in has to write

    private final KeyedHash hash;
    private final LimitSettings limits;

    public SignInNetworks(MasterKeys masterKeys, LimitSettings limits) {
        this.hash = new KeyedHash(masterKeys, "networks of sign ins");
        this.limits = limits;
    }

    /**
     * The key of a network for the account of an email or of a phone number; {@link #NONE} without one, without a
     * client's address, or while limits are disabled.
     */
    public Buffer key(ProjectId project, @Nullable String emailOrPhone, Device device) {
        var address =
                device.ipAddress() == null ? null : NetUtil.createInetAddressFromIpAddressString(device.ipAddress());
        if (!limits.enabled() || emailOrPhone == null || address == null) {
            return NONE;
        }
        var message = new ByteArrayOutputStream();
        message.writeBytes(project.toString().getBytes(StandardCharsets.UTF_8)); // always 36 bytes
        message.writeBytes(emailOrPhone.getBytes(StandardCharsets.UTF_8));
        message.write(0); // neither contains a zero byte
        message.writeBytes(ClientNetwork.of(address));
        return Buffer.buffer(hash.hash(message.toByteArray()));
    }

    /** Networks seen later than this are known. */
    public Instant knownSince(Instant now) {
        return now.minus(limits.knownNetworkTime());
    }

    /** Networks seen later than this do not need to be written again. */
    static Instant freshSince(Instant now) {
        return now.minus(SEEN_PRECISION);
    }

    /** How many networks of one account are remembered. */
    int perAccount() {
        return limits.knownNetworks();
    }

    /** How many failures a known network has before the lock of the account applies to it too. */
    public int tries() {
        return limits.failedSignins();
    }
}
