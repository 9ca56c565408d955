package dev.vestibule.user.organization;

import com.google.common.net.InternetDomainName;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Links;
import dev.vestibule.json.Change;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.json.WebUrl;
import dev.vestibule.project.OrganizationSettings;
import dev.vestibule.project.Slug;
import dev.vestibule.user.EmailDomain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of an organization that requests set. */
final class OrganizationFields {
    private static final int MAX_NAME = 100;
    private static final int MAX_METADATA = 16_384;

    private OrganizationFields() {}

    /** A new organization; without a slug, the name gives one. */
    record New(
            String name,
            @Nullable String slug,
            @Nullable String logoUrl,
            @Nullable Map<String, Object> metadata,
            @Nullable Integer maxMembers) {
        static New read(Fields fields, int mostMembers) {
            return new New(
                    fields.required("name", OrganizationFields::name),
                    fields.optional("slug", Slug::check),
                    fields.optional("logoUrl", WebUrl::absolute),
                    fields.optional("metadata", FieldType.object(MAX_METADATA)),
                    fields.optional("maxMembers", FieldType.integer(1, mostMembers)));
        }
    }

    /** The change of each field. */
    record Changes(
            Change<String> name,
            Change<String> slug,
            Change<String> logoUrl,
            Change<Map<String, Object>> metadata,
            Change<Integer> maxMembers) {
        static Changes read(Fields fields, int mostMembers) {
            return new Changes(
                    fields.replacement("name", OrganizationFields::name),
                    fields.replacement("slug", Slug::check),
                    fields.change("logoUrl", WebUrl::absolute),
                    fields.change("metadata", FieldType.object(MAX_METADATA)),
                    fields.replacement("maxMembers", FieldType.integer(1, mostMembers)));
        }

        /** The names of the changed fields, never their values. */
        List<String> names() {
            var changes = new LinkedHashMap<String, Change<?>>();
            changes.put("name", name);
            changes.put("slug", slug);
            changes.put("logoUrl", logoUrl);
            changes.put("metadata", metadata);
            changes.put("maxMembers", maxMembers);
            return changes.entrySet().stream()
                    .filter(change -> change.getValue().isMade())
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /** How many members a caller can allow an organization. */
    static int mostMembers(OrganizationSettings settings, boolean isManagement) {
        return isManagement ? OrganizationSettings.MOST_MEMBERS : settings.maxMembers();
    }

    private static String name(String text) {
        return Links.rejectIn(Text.line(text, MAX_NAME));
    }

    /** In the form of the domains of emails; not one under which anybody can register a name. */
    static String domain(String text) {
        var domain = EmailDomain.canonical(UnicodeText.lower(Text.printable(text)))
                .orElseThrow(() -> new InvalidValueException("must be a domain, such as example.com"));
        var ascii = EmailDomain.ascii(domain);
        if (InternetDomainName.isValid(ascii) && InternetDomainName.from(ascii).isPublicSuffix()) {
            throw new InvalidValueException(
                    "must be a domain of your own, and not one under which anybody can register one");
        }
        return domain;
    }
}
