package dev.vestibule.oauth.provider;

import dev.vestibule.crypto.PrivateKeys;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldRule;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.oauth.catalogue.CatalogueEntry;
import dev.vestibule.oauth.catalogue.CatalogueSetting;
import dev.vestibule.oauth.catalogue.ClientAuthentication;
import dev.vestibule.oauth.provider.ProviderSettings.SetProviderRequest;
import dev.vestibule.outbound.TargetUrl;
import dev.vestibule.project.branding.LogoCheck;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules of the fields with which a project sets up a provider. */
public final class ProviderFields {
    private static final int MAX_NAME = 100;
    private static final int MAX_ICON_KIB = 16;
    private static final int MAX_CLIENT_ID = 512;
    private static final int MAX_SECRET = 8192;
    private static final int MAX_SCOPES = 50;
    private static final int MAX_NATIVE_CLIENTS = 20;
    /** A scope-token (RFC 6749, 3.3). */
    private static final Pattern SCOPE = Pattern.compile("[!#-\\[\\]-~]{1,256}");

    private static final Pattern TENANT = Pattern.compile(
            "common|organizations|consumers|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern APPLE_ID = Pattern.compile("[A-Za-z0-9]{1,64}");

    public static final FieldType<String> CLIENT_SECRET = FieldType.text(MAX_SECRET, ProviderFields::secret);

    /** Checked like logos, since the same pages show it. */
    private static final FieldType<String> ICON = LogoCheck.upTo(MAX_ICON_KIB);

    private static final FieldType<List<String>> SCOPES = FieldType.strings(MAX_SCOPES, ProviderFields::scope);

    private static final FieldType<List<String>> CLIENT_IDS =
            FieldType.strings(MAX_NATIVE_CLIENTS, ProviderFields::clientId);

    private static final String NOT_A_SETTING = "is not a setting of this provider";
    private static final String ALLOW_PRIVATE = "oauth.allowPrivateIssuers";

    private final CatalogueEntry entry;
    private final boolean allowPrivate;

    /** Private addresses and plain http are only for development and for issuers in an internal network. */
    ProviderFields(CatalogueEntry entry, boolean allowPrivate) {
        this.entry = entry;
        this.allowPrivate = allowPrivate;
    }

    /**
     * The secret is required if none is stored, or if the issuer changes: another issuer must not receive the old one.
     */
    SetProviderRequest read(Fields fields, Optional<ProviderSettings> stored) {
        var issuer = setting(fields, CatalogueSetting.ISSUER, text -> issuer(text, allowPrivate));
        var secret = FieldType.text(MAX_SECRET, this::clientSecret);
        var keepsSecret = stored.filter(settings -> Objects.equals(settings.issuer(), issuer))
                .isPresent();
        return new SetProviderRequest(
                look(fields, "name", FieldType.text(MAX_NAME, ProviderFields::name)),
                look(fields, "icon", ICON),
                fields.required("clientId", ProviderFields::clientId),
                keepsSecret ? fields.optional("clientSecret", secret) : fields.required("clientSecret", secret),
                fields.has("enabled")
                        ? fields.required("enabled", FieldType.bool())
                        : Boolean.valueOf(stored.map(ProviderSettings::enabled).orElse(true)),
                fields.optional("scopes", SCOPES),
                Objects.requireNonNullElse(fields.optional("oauthFlow", OauthFlow::of), OauthFlow.AUTO),
                issuer,
                setting(fields, CatalogueSetting.TENANT, ProviderFields::tenant),
                setting(fields, CatalogueSetting.TEAM_ID, ProviderFields::appleId),
                setting(fields, CatalogueSetting.KEY_ID, ProviderFields::appleId),
                Objects.requireNonNullElse(fields.optional("storeTokens", FieldType.bool()), false),
                nativeClientIds(fields));
    }

    /** Known providers have a name and a mark that people know, and many demand that nobody changes them. */
    private @Nullable String look(Fields fields, String field, FieldType<String> type) {
        var given = fields.optional(field, type);
        if (given != null && !entry.isIssuerOfProject()) {
            fields.reject(field, NOT_A_SETTING);
        }
        return given;
    }

    private List<String> nativeClientIds(Fields fields) {
        var ids = Objects.requireNonNullElse(fields.optional("nativeClientIds", CLIENT_IDS), List.<String>of());
        if (!ids.isEmpty() && !entry.hasNativeSignIn()) {
            fields.reject("nativeClientIds", NOT_A_SETTING);
        }
        return ids;
    }

    /** Rejects a setting that this provider does not have, such as an issuer for a provider with a fixed one. */
    private @Nullable String setting(Fields fields, CatalogueSetting setting, FieldRule<String> rule) {
        var known = entry.settings().get(setting);
        if (known == null) {
            if (fields.optional(setting.fieldName(), text -> text) != null) {
                fields.reject(setting.fieldName(), NOT_A_SETTING);
            }
            return null;
        }
        return known.isEmpty()
                ? fields.required(setting.fieldName(), rule)
                : Objects.requireNonNullElse(fields.optional(setting.fieldName(), rule), known.get());
    }

    /** A field rule: what people know a provider by. */
    public static String name(String text) {
        return Text.line(text, MAX_NAME);
    }

    /** A field rule. */
    public static String clientId(String text) {
        return Text.line(text, MAX_CLIENT_ID);
    }

    /** Any printable text; Apple's private key has several lines. */
    private static String secret(String text) {
        var secret = text.strip();
        Text.printable(secret.replaceAll("[\\r\\n]", ""));
        if (secret.isEmpty()) {
            throw new InvalidValueException("must have 1 to " + MAX_SECRET + " characters");
        }
        return secret;
    }

    private String clientSecret(String text) {
        var secret = secret(text);
        if (entry.clientAuthentication() == ClientAuthentication.APPLE_JWT
                && PrivateKeys.p256(secret).isEmpty()) {
            throw new InvalidValueException("must be the private key that Apple gave you: the content of its .p8 file");
        }
        return secret;
    }

    private static String scope(String text) {
        if (!SCOPE.matcher(text).matches()) {
            throw new InvalidValueException("must be a scope of 1 to 256 characters, without spaces and quotes");
        }
        return text;
    }

    private static String tenant(String text) {
        if (!TENANT.matcher(text).matches()) {
            throw new InvalidValueException("must be common, organizations, consumers, or a tenant's id in lower case");
        }
        return text;
    }

    private static String appleId(String text) {
        if (!APPLE_ID.matcher(text).matches()) {
            throw new InvalidValueException("must have 1 to 64 letters and digits");
        }
        return text;
    }

    /** Stored exactly as written, because tokens must name exactly this (OpenID Connect Discovery, 4.3). */
    public static String issuer(String text, boolean allowPrivate) {
        var url = TargetUrl.of(text, allowPrivate, ALLOW_PRIVATE);
        if (url.getRawQuery() != null) {
            throw new InvalidValueException("must not have a query");
        }
        if (!allowPrivate && !"https".equals(url.getScheme())) {
            throw new InvalidValueException(
                    "must be an https URL (the server's setting " + ALLOW_PRIVATE + " allows http)");
        }
        return text;
    }
}
