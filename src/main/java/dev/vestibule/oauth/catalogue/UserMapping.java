package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Objects;

/** Where a provider says who a user is: in the ID token's verified claims, its API's responses, or the posted form. */
public record UserMapping(TextSource subject, List<Email> emails, TextSource name, TextSource avatar) {
    static final UserMapping NONE = new UserMapping(TextSource.NONE, List.of(), TextSource.NONE, TextSource.NONE);

    public UserMapping {
        subject = Objects.requireNonNullElse(subject, TextSource.NONE);
        emails = Objects.requireNonNullElse(emails, List.of());
        name = Objects.requireNonNullElse(name, TextSource.NONE);
        avatar = Objects.requireNonNullElse(avatar, TextSource.NONE);
    }

    /** Whether any value is read from the source. */
    public boolean mentions(String source) {
        return subject.mentions(source)
                || name.mentions(source)
                || avatar.mentions(source)
                || emails.stream().anyMatch(email -> email.mentions(source));
    }

    /** An address, and whether the provider says that it is verified. */
    public record Email(TextSource address, Verified verified) {
        public Email {
            address = Objects.requireNonNullElse(address, TextSource.NONE);
            verified = Objects.requireNonNullElse(verified, Verified.NEVER);
        }

        boolean mentions(String source) {
            return address.mentions(source)
                    || verified.flags().stream().anyMatch(flag -> source.equals(flag.getMatchingProperty()));
        }
    }

    /** A constant if there are no flags; otherwise true if every flag is true. */
    public record Verified(boolean constant, List<JsonPointer> flags) {
        static final Verified NEVER = new Verified(false, List.of());

        public Verified {
            flags = List.copyOf(flags);
        }

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Verified of(boolean constant) {
            return new Verified(constant, List.of());
        }

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Verified of(List<String> pointers) {
            return new Verified(
                    false, pointers.stream().map(TextSource::pointer).toList());
        }

        public boolean read(JsonNode responses) {
            return flags.isEmpty() ? constant : flags.stream().allMatch(flag -> isTrue(responses.at(flag)));
        }

        /** Whether the provider says that it is not verified, which is more than saying nothing. */
        public boolean isDenied(JsonNode responses) {
            return flags.isEmpty()
                    ? !constant
                    : flags.stream()
                            .map(responses::at)
                            .anyMatch(flag -> !flag.isMissingNode() && !flag.isNull() && !isTrue(flag));
        }

        /** Apple writes flags as strings, Microsoft also as numbers. */
        private static boolean isTrue(JsonNode node) {
            return (node.isBoolean() && node.booleanValue())
                    || (node.isTextual()
                            && (node.textValue().equals("true")
                                    || node.textValue().equals("1")))
                    || (node.isIntegralNumber() && node.canConvertToInt() && node.intValue() == 1);
        }
    }
}
