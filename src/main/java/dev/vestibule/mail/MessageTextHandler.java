package dev.vestibule.mail;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.HashingPool.JobLength;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.mail.MessageTextStore.Written;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The texts of a project's mails and SMS, {@code /v1/dashboard/projects/:projectId/message-texts}. */
public final class MessageTextHandler {
    /** A message and a language, which the path names. */
    public record Selected(MessageKind kind, Language language) {
        public static Selected of(ApiRequest request) {
            try {
                return new Selected(
                        MessageKind.of(request.pathParam("message")).orElseThrow(MessageTextHandler::notFound),
                        Language.of(request.pathParam("language")));
            } catch (InvalidValueException unknown) {
                throw notFound();
            }
        }
    }

    /** A text of a message: the server's, and the project's own if it has one. */
    private record Part(
            String name,
            int maxLength,
            boolean isLine,
            String serverText,
            @Nullable String ownText) {}

    private record Message(
            String message,
            Language language,
            List<String> placeholders,
            @Nullable String requiredPlaceholder,
            List<String> ownLanguages,
            List<Part> parts) {}

    private record Messages(List<Message> messages) {}

    private final Database database;
    private final MessageTextStore store = new MessageTextStore();
    private final MailRenderer renderer;
    private final HashingPool workers;

    /** The server's texts are read on a thread of the hashing pool, as they are for the first mail. */
    MessageTextHandler(Database database, MailRenderer renderer, HashingPool workers) {
        this.database = database;
        this.renderer = renderer;
        this.workers = workers;
    }

    /** {@code GET …/message-texts}: all messages in one language. */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project();
        var asked = request.query(query -> query.optional("language", Language::of));
        var language = Objects.requireNonNullElse(asked, mostUsed(project));
        return store.list(database.writes(), project.id())
                .compose(written -> workers.run(
                        project.id().value(),
                        JobLength.LONG,
                        () -> new Messages(MessageKind.ALL.stream()
                                .map(kind -> message(new Selected(kind, language), written))
                                .toList())))
                .map(Reply::ok);
    }

    private static Language mostUsed(Project project) {
        return Objects.requireNonNullElse(project.locale(), Language.EN);
    }

    /** {@code GET …/message-texts/:message/:language}. */
    public Future<Reply> get(ApiRequest request) {
        return reply(request.project(), Selected.of(request));
    }

    /** {@code PUT …/message-texts/:message/:language}: replaces the project's own texts of a message. */
    public Future<Reply> set(ApiRequest request) {
        var project = request.project();
        var selected = Selected.of(request);
        var texts = request.allFields(fields -> MessageTexts.read(fields, selected.kind()));
        var trail = request.trail();
        return database.inTransaction(transaction -> (texts.isEmpty()
                                ? store.delete(transaction, project.id(), selected.kind(), selected.language())
                                        .<Void>mapEmpty()
                                : store.save(transaction, project.id(), selected.kind(), selected.language(), texts))
                        .compose(saved -> trail.record(
                                transaction,
                                Logged.MESSAGE_TEXTS_UPDATED,
                                Target.project(project.id().value()),
                                details(selected, List.copyOf(texts.keySet())))))
                .compose(saved -> reply(project, selected));
    }

    /** {@code DELETE …/message-texts/:message/:language}: goes back to the server's texts. */
    public Future<Reply> reset(ApiRequest request) {
        var project = request.project().id();
        var selected = Selected.of(request);
        var trail = request.trail();
        return database.inTransaction(transaction -> store.delete(
                                transaction, project, selected.kind(), selected.language())
                        .compose(deleted -> deleted
                                ? trail.record(
                                        transaction,
                                        Logged.MESSAGE_TEXTS_UPDATED,
                                        Target.project(project.value()),
                                        details(selected, List.of()))
                                : Future.failedFuture(ApiException.of(
                                        ErrorCode.NOT_FOUND, "The project has no texts of its own for this."))))
                .map(deleted -> Reply.success());
    }

    private static Map<String, ?> details(Selected selected, List<String> fields) {
        return Map.of(
                "message",
                selected.kind().key(),
                "language",
                selected.language().text(),
                "fields",
                fields);
    }

    private Future<Reply> reply(Project project, Selected selected) {
        return store.list(database.writes(), project.id())
                .compose(written ->
                        workers.run(project.id().value(), JobLength.LONG, () -> Reply.ok(message(selected, written))));
    }

    private Message message(Selected selected, List<Written> written) {
        var kind = selected.kind();
        var own = Written.texts(written, kind, selected.language());
        return new Message(
                kind.key(),
                selected.language(),
                kind.placeholders(),
                kind.indispensable().orElse(null),
                written.stream()
                        .filter(texts -> texts.message().equals(kind.key()))
                        .map(Written::language)
                        .toList(),
                kind.parts().stream().map(part -> part(selected, part, own)).toList());
    }

    private Part part(Selected selected, MessagePart part, Map<String, String> own) {
        return new Part(
                part.text(),
                part.maxCharacters(),
                part.isLine(),
                renderer.source(selected.language(), selected.kind(), part),
                own.get(part.text()));
    }

    private static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such message, or it is not written in this language.");
    }
}
