package dev.vestibule.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.authentication.oauth.RedirectUrlTarget;
import dev.vestibule.authentication.passkey.ClientDataTarget;
import dev.vestibule.authentication.wallet.WalletTarget;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.crypto.foreign.ForeignHashes;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.ForwardedTarget;
import dev.vestibule.journal.audit.AuditCursorTarget;
import dev.vestibule.json.Json;
import dev.vestibule.json.MalformedJsonException;
import dev.vestibule.json.Timestamps;
import dev.vestibule.json.WebUrl;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.oauth.jose.DpopProof;
import dev.vestibule.oauth.jose.SignedAssertion;
import dev.vestibule.outbound.PublicAddresses;
import dev.vestibule.outbound.TargetUrl;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.branding.LogoTarget;
import dev.vestibule.telemetry.trace.otlp.TraceParentTarget;
import dev.vestibule.token.RefreshTokens;
import dev.vestibule.user.UserCursorTarget;
import dev.vestibule.user.organization.scim.ScimTarget;
import dev.vestibule.webhook.delivery.RetryAfterTarget;
import io.netty.util.NetUtil;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Each parser with its promise. The name is that of its folder in the corpus and of its method in {@code ParserFuzz}.
 */
@SuppressWarnings("ImmutableEnumChecker") // a promise has no state
public enum ParserTarget {
    API_KEY(text(ParserTarget::apiKey)),
    AUDIT_CURSOR(text(AuditCursorTarget::check)),
    CLIENT_DATA(ClientDataTarget::check),
    DPOP_PROOF(text(ParserTarget::dpopProof)),
    FOREIGN_HASH(text(ParserTarget::foreignHash)),
    FORWARDED(text(ForwardedTarget::check)),
    JSON(ParserTarget::json),
    LOGO(text(LogoTarget::dataUrl)),
    REDIRECT_URL(text(RedirectUrlTarget::check)),
    REFRESH_TOKEN(text(ParserTarget::refreshToken)),
    RESET_CODE(text(text -> canonical(EmailCodes::parseResetCode, text))),
    RETRY_AFTER(text(RetryAfterTarget::check)),
    SCIM_FILTER(text(ScimTarget::filter)),
    SCIM_PATH(text(ScimTarget::path)),
    SIGNED_ASSERTION(text(ParserTarget::signedAssertion)),
    SVG(LogoTarget::svg),
    TARGET_URL(text(ParserTarget::targetUrl)),
    TIMESTAMP(text(ParserTarget::timestamp)),
    TRACE_PARENT(text(TraceParentTarget::check)),
    USER_CURSOR(text(UserCursorTarget::check)),
    VERIFICATION_CODE(text(text -> canonical(EmailCodes::parseVerificationCode, text))),
    WALLET_ADDRESS(text(WalletTarget::address)),
    WALLET_SIGNATURE(text(WalletTarget::signature)),
    WEB_URL(text(ParserTarget::webUrl));

    private static final Instant LAST_TIME = Instant.parse("9999-12-31T23:59:59.999Z");
    private static final RefreshTokens REFRESH_TOKENS = new RefreshTokens(new KeyedHash(
            new MasterKeys(MasterSecret.fromSetting("a master secret of 32 bytes or more"), List.of()), "fuzz"));

    private final Consumer<byte[]> promise;

    ParserTarget(Consumer<byte[]> promise) {
        this.promise = promise;
    }

    /** {@code TARGET_URL} is {@code targetUrl}. */
    String method() {
        var words = name().toLowerCase(Locale.ROOT).split("_", -1);
        return words[0]
                + Arrays.stream(words)
                        .skip(1)
                        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                        .collect(Collectors.joining());
    }

    /** Fails if the parser does not keep its promise for this input. */
    public void check(byte[] input) {
        promise.accept(input);
    }

    private static Consumer<byte[]> text(Consumer<String> promise) {
        return input -> promise.accept(new String(input, StandardCharsets.UTF_8));
    }

    /** What a rule makes of a text, or null if it refuses it as it may. */
    public static <T> @Nullable T acceptedBy(Function<String, T> rule, String text) {
        try {
            return rule.apply(text);
        } catch (InvalidValueException refused) {
            return null;
        }
    }

    private static void apiKey(String text) {
        ApiKey.parse(text).ifPresent(key -> {
            assertThat(key.hash()).isEqualTo(ApiKey.parse(text).orElseThrow().hash());
            assertThat(ApiKey.looksLikeKey(text)).isTrue();
        });
    }

    /** What is accepted is signed by the key that its thumbprint names. */
    private static void dpopProof(String text) {
        DpopProof.parse(text).ifPresent(proof -> {
            assertThat(proof.thumbprint()).hasSize(43);
            assertThat(proof.url()).doesNotContain("?", "#");
            assertThat(proof.isMadeWithin(Duration.ofMinutes(1), LAST_TIME)).isIn(true, false);
        });
    }

    /** Nobody's keys have signed it. */
    private static void signedAssertion(String text) {
        SignedAssertion.parse(text).ifPresent(assertion -> {
            assertThat(assertion.claims().isObject()).isTrue();
            assertThat(assertion.isSignedBy(List.of())).isFalse();
        });
    }

    /** People may type it in many ways, of which one is left. */
    private static void canonical(Function<String, String> rule, String text) {
        var code = acceptedBy(rule, text);
        if (code != null) {
            assertThat(code).matches("[0-9A-Z]{6,13}");
            assertThat(rule.apply(code)).isEqualTo(code);
        }
    }

    private static void foreignHash(String text) {
        acceptedBy(ForeignHashes::parse, text);
    }

    /** What is accepted is accepted again as this server writes it, and means the same. */
    private static void json(byte[] input) {
        try {
            var value = Json.parse(Buffer.buffer(input));
            if (!value.isMissingNode()) {
                var again = Json.parse(Json.encode(value));
                assertThat(again.equals(ParserTarget::compare, value)).isTrue();
            }
        } catch (MalformedJsonException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    /** 7.0 is 7. */
    private static int compare(JsonNode one, JsonNode other) {
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue());
        }
        return one.equals(other) ? 0 : 1;
    }

    /** Nobody can make one without the key. */
    private static void refreshToken(String text) {
        assertThat(REFRESH_TOKENS.read(text)).isEmpty();
        assertThat(REFRESH_TOKENS.read("rt_" + text)).isEmpty();
    }

    private static void targetUrl(String text) {
        var url = acceptedBy(target -> TargetUrl.of(target, false, "webhooks.allowPrivateTargets"), text);
        if (url != null) {
            assertThat(url.getHost()).isNotBlank().doesNotContain("%", "@", "\\");
            assertThat(url.getRawUserInfo()).isNull();
            var address = NetUtil.createInetAddressFromIpAddressString(url.getHost());
            assertThat(address == null || PublicAddresses.isPublic(address)).isTrue();
        }
    }

    private static void webUrl(String text) {
        var url = acceptedBy(WebUrl::absolute, text);
        if (url != null) {
            assertThat(URI.create(url).getRawAuthority()).isNotBlank();
        }
    }

    private static void timestamp(String text) {
        var time = acceptedBy(Timestamps::parse, text);
        if (time != null) {
            assertThat(time).isBetween(Instant.EPOCH, LAST_TIME);
            assertThat(Timestamps.parse(Timestamps.format(time))).isEqualTo(time);
        }
    }
}
