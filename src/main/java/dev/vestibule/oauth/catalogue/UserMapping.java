package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Where a provider says who a user is: in the verified claims of its ID token, its answers, or the posted form. */
public record UserMapping(TextSource subject, List<Email> emails, TextSource name, TextSource avatar) {
    public static final String ID_TOKEN = "idToken";
    public static final String USER_INFO = "userInfo";
    public static final String PRIMARY_EMAIL = "primaryEmail";
    public static final String POSTED = "posted";
    static final List<String> SOURCES = List.of(ID_TOKEN, USER_INFO, PRIMARY_EMAIL, POSTED);

    public UserMapping {
        emails = List.copyOf(emails);
    }

    /** Whether anything is read from one of the sources. */
    public boolean mentions(String source) {
        return subject.mentions(source)
                || name.mentions(source)
                || avatar.mentions(source)
                || emails.stream().anyMatch(email -> email.mentions(source));
    }

    /** An address, and whether the provider says that it is verified. */
    public record Email(TextSource address, Verified verified) {
        boolean mentions(String source) {
            return address.mentions(source)
                    || verified.flags().stream().anyMatch(flag -> source.equals(flag.getMatchingProperty()));
        }
    }

    /** Known beforehand where there are no flags; else true where all of them are. */
    public record Verified(boolean otherwise, List<JsonPointer> flags) {
        public Verified {
            flags = List.copyOf(flags);
        }

        public boolean read(JsonNode said) {
            return flags.isEmpty() ? otherwise : flags.stream().allMatch(flag -> isTrue(said.at(flag)));
        }

        /** Apple writes flags as texts, Microsoft also as numbers. */
        private static boolean isTrue(JsonNode node) {
            return (node.isBoolean() && node.booleanValue())
                    || (node.isTextual()
                            && (node.textValue().equals("true")
                                    || node.textValue().equals("1")))
                    || (node.isIntegralNumber() && node.canConvertToInt() && node.intValue() == 1);
        }
    }
}
