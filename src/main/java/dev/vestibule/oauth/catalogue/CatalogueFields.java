package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import dev.vestibule.oauth.catalogue.CatalogueEntry.Endpoints;
import dev.vestibule.oauth.catalogue.CatalogueEntry.Setting;
import dev.vestibule.oauth.catalogue.TextSource.Template;
import dev.vestibule.oauth.catalogue.UserMapping.Email;
import dev.vestibule.oauth.catalogue.UserMapping.Verified;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Reads one entry of the catalogue, and notes all that is wrong with it. */
final class CatalogueFields {
    private static final String REQUIRED = "required";
    private static final Set<String> ALGORITHMS =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "HS256");

    private final CatalogueNode node;

    private CatalogueFields(CatalogueNode node) {
        this.node = node;
    }

    /** What it reads counts only where there are no violations. */
    static CatalogueEntry read(Provider provider, ObjectNode object, List<Violation> violations) {
        return new CatalogueFields(new CatalogueNode(object, "", violations)).entry(provider);
    }

    private CatalogueEntry entry(Provider provider) {
        var entry = new CatalogueEntry(
                provider,
                node.text("issuer", CatalogueFields::url),
                new Endpoints(
                        node.text("authorizationEndpoint", CatalogueFields::url),
                        node.text("tokenEndpoint", CatalogueFields::url),
                        node.text("userInfoEndpoint", CatalogueFields::url),
                        node.text("emailsEndpoint", CatalogueFields::url),
                        node.text("jwksUri", CatalogueFields::url)),
                Objects.requireNonNullElse(node.texts("scopes", text -> text), List.of()),
                node.flag("pkce"),
                node.text("clientAuthentication", ClientAuthentication::of),
                node.texts("idTokenAlgorithms", CatalogueFields::algorithm),
                node.map("authorizationParameters"),
                node.map("parametersWithScopes"),
                node.map("tokenParameters"),
                settings(node.map("settings")),
                user(node.within("user")));
        node.refuseOthers();
        checkTogether(entry);
        return entry;
    }

    private Map<Setting, Optional<String>> settings(Map<String, String> given) {
        var settings = new EnumMap<Setting, Optional<String>>(Setting.class);
        given.forEach((name, value) -> {
            var setting = Setting.find(name);
            if (setting.isEmpty()) {
                node.refuse("settings." + name, "must be issuer, tenant, teamId or keyId");
            } else {
                settings.put(setting.get(), REQUIRED.equals(value) ? Optional.empty() : Optional.of(value));
            }
        });
        return settings;
    }

    private static UserMapping user(CatalogueNode user) {
        var emails = new ArrayList<Email>();
        for (var email : user.objects("emails")) {
            emails.add(new Email(source(email, "address"), verified(email)));
            email.refuseOthers();
        }
        var mapping = new UserMapping(source(user, "subject"), emails, source(user, "name"), source(user, "avatar"));
        user.refuseOthers();
        if (mapping.subject().alternatives().isEmpty()) {
            user.refuse("subject", "is required");
        }
        if (mapping.subject().mentions(UserMapping.POSTED)) {
            user.refuse("subject", "must not come with the browser");
        }
        if (emails.stream().anyMatch(email -> email.mentions(UserMapping.POSTED))) {
            user.refuse("emails", "must not come with the browser");
        }
        return mapping;
    }

    private static TextSource source(CatalogueNode of, String name) {
        var templates = of.texts(name, Template::of);
        return templates == null ? TextSource.none() : new TextSource(templates);
    }

    private static Verified verified(CatalogueNode email) {
        if (email.isFlag("verified")) {
            return new Verified(Boolean.TRUE.equals(email.flag("verified")), List.of());
        }
        var flags = email.texts("verified", TextSource::pointer);
        return new Verified(false, flags == null ? List.of() : flags);
    }

    private void checkTogether(CatalogueEntry entry) {
        var endpoints = entry.endpoints();
        if (endpoints.token() == null && entry.issuer() == null) {
            node.refuse("tokenEndpoint", "is required where there is no issuer to discover it");
        }
        if (endpoints.token() != null && endpoints.authorization() == null) {
            node.refuse("authorizationEndpoint", "is required beside a tokenEndpoint");
        }
        if (entry.user().mentions(UserMapping.ID_TOKEN) && entry.issuer() == null) {
            node.refuse("issuer", "is required where the user comes from an ID token");
        }
        if (entry.user().mentions(UserMapping.ID_TOKEN) && endpoints.token() != null && endpoints.jwks() == null) {
            node.refuse("jwksUri", "is required beside a tokenEndpoint where the user comes from an ID token");
        }
        if (entry.user().mentions(UserMapping.USER_INFO) && endpoints.token() != null && endpoints.userInfo() == null) {
            node.refuse("userInfoEndpoint", "is required beside a tokenEndpoint where the user comes from there");
        }
        if (entry.user().mentions(UserMapping.PRIMARY_EMAIL) && endpoints.emails() == null) {
            node.refuse("emailsEndpoint", "is required where the email comes from there");
        }
        if (entry.clientAuthentication() == ClientAuthentication.APPLE_JWT
                && !entry.settings().keySet().containsAll(Set.of(Setting.TEAM_ID, Setting.KEY_ID))) {
            node.refuse("settings", "must have teamId and keyId where the clientAuthentication is appleJwt");
        }
    }

    private static String algorithm(String text) {
        if (!ALGORITHMS.contains(text)) {
            throw new InvalidValueException("must be RS, PS or ES with 256, 384 or 512, or HS256");
        }
        return text;
    }

    /** Absolute, http or https, with holes where settings go. */
    private static String url(String text) {
        try {
            var url = new URI(text.replaceAll("\\{(?:tenant|tid)}", "x").replace(Setting.ISSUER.hole(), "https://x"));
            if (("https".equals(url.getScheme()) || "http".equals(url.getScheme()))
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawFragment() == null) {
                return text;
            }
        } catch (URISyntaxException malformed) {
            // refused below
        }
        throw new InvalidValueException(
                "must be an absolute http or https URL with no holes but {issuer}, {tenant} and {tid}");
    }
}
