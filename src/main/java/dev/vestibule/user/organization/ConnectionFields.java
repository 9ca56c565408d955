package dev.vestibule.user.organization;

import dev.vestibule.http.Links;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.oauth.provider.ProviderFields;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fields of a connection that requests set; the rules are those of a project's providers. */
final class ConnectionFields {
    private static final int MAX_NAME = 100;

    private ConnectionFields() {}

    record New(String name, String issuer, String clientId, String clientSecret, boolean enabled) {
        static New read(Fields fields, boolean allowPrivate) {
            return new New(
                    fields.required("name", ConnectionFields::name),
                    fields.required("issuer", text -> ProviderFields.issuer(text, allowPrivate)),
                    fields.required("clientId", ProviderFields::clientId),
                    fields.required("clientSecret", ProviderFields.CLIENT_SECRET),
                    Objects.requireNonNullElse(fields.optional("enabled", FieldType.bool()), true));
        }

        /** Leaves out the secret, so that it never reaches a log. */
        @Override
        public String toString() {
            return "ConnectionFields.New[" + clientId + "]";
        }
    }

    /** Null for what stays. */
    record Changes(
            @Nullable String name,
            @Nullable String issuer,
            @Nullable String clientId,
            @Nullable String clientSecret,
            @Nullable Boolean enabled) {
        static Changes read(Fields fields, boolean allowPrivate) {
            return new Changes(
                    fields.optional("name", ConnectionFields::name),
                    fields.optional("issuer", text -> ProviderFields.issuer(text, allowPrivate)),
                    fields.optional("clientId", ProviderFields::clientId),
                    fields.optional("clientSecret", ProviderFields.CLIENT_SECRET),
                    fields.optional("enabled", FieldType.bool()));
        }

        /** The names of the given fields, never their values. */
        List<String> names() {
            return Stream.of(
                            name == null ? null : "name",
                            issuer == null ? null : "issuer",
                            clientId == null ? null : "clientId",
                            clientSecret == null ? null : "clientSecret",
                            enabled == null ? null : "enabled")
                    .filter(Objects::nonNull)
                    .toList();
        }

        /** Leaves out the secret, so that it never reaches a log. */
        @Override
        public String toString() {
            return "ConnectionFields.Changes" + names();
        }
    }

    private static String name(String text) {
        return Links.rejectIn(Text.line(text, MAX_NAME));
    }
}
