package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.user.EmailDomain;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A domain of an organization, and the DNS record that proves it.
 *
 * @param failingSince since when the record of a verified domain is gone
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record OrganizationDomain(
        UUID id,
        OrganizationId organizationId,
        String domain,
        DomainPolicy policy,
        Status status,
        TextRecord record,
        @Nullable Instant verifiedAt,
        @Nullable Instant failingSince,
        Instant createdAt) {
    private static final String LABEL = "_vestibule-challenge.";
    private static final String VALUE = "vestibule-domain-verification=";

    /** Whether the domain counts as the organization's. */
    public enum Status {
        PENDING,
        VERIFIED,
        /** The record is gone; the domain still counts for a week. */
        FAILING;

        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A TXT record of the DNS. */
    public record TextRecord(String type, String name, String value) {
        static TextRecord of(String domain, String proof) {
            return new TextRecord("TXT", LABEL + EmailDomain.ascii(domain), VALUE + proof);
        }
    }

    static Status status(@Nullable Instant verifiedAt, @Nullable Instant failingSince) {
        if (verifiedAt == null) {
            return Status.PENDING;
        }
        return failingSince == null ? Status.VERIFIED : Status.FAILING;
    }
}
