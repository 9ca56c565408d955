package dev.vestibule.mail;

import dev.vestibule.journal.NoticeKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A mail or SMS whose texts a project can write itself. The invitation to a project is none of them: it comes from the
 * operator, to a person who does not know the project.
 *
 * @param key the beginning of the keys of its phrases, and its name in the API
 * @param purpose of a mail with a code or a link, otherwise null
 * @param notice of a mail that tells what happened, otherwise null
 * @param parts the texts that it consists of, in the order in which they are read
 * @param placeholders the values that its texts can show
 * @param indispensable the placeholder that the text with the same meaning must show, if there is one
 */
public record MessageKind(
        String key,
        @Nullable CodePurpose purpose,
        @Nullable NoticeKind notice,
        List<MessagePart> parts,
        List<String> placeholders,
        Optional<String> indispensable) {
    private static final String BRAND = "brand";
    private static final String CODE = "code";
    private static final String ORGANIZATION = "organization";
    private static final String PROVIDER = "provider";

    private static final List<MessagePart> PARTS_OF_CODES =
            List.of(MessagePart.SUBJECT, MessagePart.TITLE, MessagePart.INTRO, MessagePart.IGNORE);
    private static final List<MessagePart> PARTS_OF_NOTICES =
            List.of(MessagePart.SUBJECT, MessagePart.TITLE, MessagePart.INTRO, MessagePart.ACTION);

    /** These have no action: the server's own text says how to undo the change, next to the code. */
    private static final List<MessagePart> PARTS_OF_UNDOABLE_NOTICES =
            List.of(MessagePart.SUBJECT, MessagePart.TITLE, MessagePart.INTRO);

    /** One text for both purposes of an SMS. */
    public static final MessageKind SMS =
            new MessageKind("sms", null, null, List.of(MessagePart.TEXT), List.of(BRAND, CODE), Optional.of(CODE));

    public static final List<MessageKind> ALL = Stream.of(
                    Stream.of(
                            ofCode(CodePurpose.VERIFICATION, CODE, "minutes"),
                            ofCode(CodePurpose.EMAIL_OTP, CODE, "minutes"),
                            ofCode(CodePurpose.MAGIC_LINK, "minutes"),
                            ofCode(CodePurpose.PASSWORD_RESET, CODE, "minutes"),
                            ofCode(CodePurpose.EMAIL_CHANGE, CODE, "minutes"),
                            ofCode(CodePurpose.ORGANIZATION_INVITATION, ORGANIZATION, "days"),
                            SMS),
                    Arrays.stream(NoticeKind.values()).map(MessageKind::ofNotice))
            .flatMap(kinds -> kinds)
            .toList();

    private static MessageKind ofCode(CodePurpose purpose, String... placeholders) {
        return new MessageKind(
                purpose.text(),
                purpose,
                null,
                PARTS_OF_CODES,
                Stream.concat(Stream.of(BRAND), Stream.of(placeholders)).toList(),
                Stream.of(placeholders).filter(ORGANIZATION::equals).findFirst());
    }

    private static MessageKind ofNotice(NoticeKind notice) {
        var provider = notice == NoticeKind.PROVIDER_LINKED || notice == NoticeKind.PROVIDER_UNLINKED
                ? Optional.of(PROVIDER)
                : Optional.<String>empty();
        return new MessageKind(
                notice.phrases(),
                null,
                notice,
                notice.isUndoable() ? PARTS_OF_UNDOABLE_NOTICES : PARTS_OF_NOTICES,
                Stream.concat(Stream.of(BRAND), provider.stream()).toList(),
                provider);
    }

    /** Empty if there is no such message, or its texts are the server's alone. */
    public static Optional<MessageKind> of(String key) {
        return ALL.stream().filter(kind -> kind.key().equals(key)).findFirst();
    }
}
