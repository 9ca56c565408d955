package dev.vestibule.user;

import com.google.common.base.Suppliers;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.Violation;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.project.BotSettings.DisposableEmailRule;
import dev.vestibule.project.Project;
import dev.vestibule.telemetry.metrics.CaptchaMeters;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Recognises addresses of mailboxes that anybody can open for an hour, by a list of their domains. A listed domain
 * includes its subdomains. The project's settings say what happens to such an address.
 */
public final class DisposableEmails {
    private static final String BUILT_IN = "/email/disposable-domains.txt";

    private final Supplier<Set<String>> domains;
    private final CaptchaMeters meters;

    /** Reads the operator's list, one domain a line; without one, the built-in list is read when it is first needed. */
    public DisposableEmails(Optional<Path> file, CaptchaMeters meters) {
        this.meters = meters;
        var given = file.map(DisposableEmails::read);
        domains = given.<Supplier<Set<String>>>map(list -> () -> list)
                .orElseGet(() -> Suppliers.memoize(DisposableEmails::readBuiltIn));
    }

    private static Set<String> read(Path file) {
        try (var lines = Files.newBufferedReader(file)) {
            return domains(lines);
        } catch (IOException failure) {
            throw new UncheckedIOException("captcha.disposableDomainsFile cannot be read", failure);
        }
    }

    private static Set<String> readBuiltIn() {
        var list = Objects.requireNonNull(DisposableEmails.class.getResourceAsStream(BUILT_IN), BUILT_IN);
        try (var lines = new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
            return domains(lines);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Set<String> domains(BufferedReader lines) {
        return lines.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(UnicodeText::lowerAscii)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Fails with a 422 if the project refuses this address, which is in canonical form. */
    public void requireLasting(Project project, String email) {
        if (isRefused(project, email)) {
            throw ApiException.invalid(
                    ErrorCode.DISPOSABLE_EMAIL,
                    List.of(new Violation("email", "must not belong to a disposable mailbox")));
        }
    }

    /** Whether the project refuses this address. */
    public boolean isRefused(Project project, String email) {
        var isRefused = project.bots().disposableEmails() == DisposableEmailRule.REFUSE && isDisposable(email);
        if (isRefused) {
            meters.refused();
        }
        return isRefused;
    }

    /** Records that the email of a new user is disposable, if the project wants to know. */
    public Future<Void> flag(SqlConnection transaction, Project project, Trail trail, User created) {
        var email = created.email();
        if (email == null || project.bots().disposableEmails() != DisposableEmailRule.FLAG || !isDisposable(email)) {
            return Future.succeededFuture();
        }
        meters.flagged();
        return trail.record(transaction, Logged.DISPOSABLE_EMAIL, created.target());
    }

    private boolean isDisposable(String email) {
        var name = EmailDomain.ascii(email.substring(email.lastIndexOf('@') + 1));
        while (!domains.get().contains(name)) {
            var dot = name.indexOf('.');
            if (dot < 0) {
                return false;
            }
            name = name.substring(dot + 1);
        }
        return true;
    }
}
