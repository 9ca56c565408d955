package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.journal.NoticeKind;
import dev.vestibule.mail.MailBranding.Colours;
import dev.vestibule.mail.MailRenderer.InvitationText;
import dev.vestibule.mail.OutboxMessage.QueuedCode;
import dev.vestibule.mail.OutboxMessage.QueuedNotice;
import dev.vestibule.mail.RecipientStore.Recipient;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.user.UserId;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MailRendererTest {
    private static final MailBranding BRAND = MailBranding.plain("Acme");

    private static final String FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";

    private static final InvitationText INVITATION =
            new InvitationText("Operator", 7, "https://auth.example.com/console/#/invitation/");

    private final Path folder;

    MailRendererTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static Mail render(MailRenderer renderer, Language language, CodePurpose purpose, MailBranding brand) {
        var ann = new Recipient(new UserId(new UUID(1, 2)), "Ann", true, false, brand, "https://a.example/reset?x=1");
        return renderer.render(queued(language, purpose), ann, "012345");
    }

    private static QueuedCode queued(Language language, CodePurpose purpose) {
        var id = new UUID(1, 2);
        return new QueuedCode(
                new ProjectId(id), id, purpose, "ann@example.com", Buffer.buffer(), language, Instant.EPOCH, 1);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void everyLanguageHasAllPhrases(Language language) {
        var renderer = MailRenderer.load(Optional.empty(), INVITATION);
        for (var purpose : List.of(CodePurpose.VERIFICATION, CodePurpose.PASSWORD_RESET)) {
            var mail = render(renderer, language, purpose, BRAND);
            var minutes = purpose == CodePurpose.VERIFICATION ? "10" : "30";
            assertThat(mail.subject()).contains("Acme");
            assertThat(mail.text()).contains("012345", minutes, "Ann", "Acme").doesNotContain("{{", "{%");
            assertThat(mail.html()).contains("012345", minutes, "Ann", "Acme").doesNotContain("{{", "{%");
            assertThat(mail.text().contains("https://a.example/reset?x=1&code=012345&email=ann%40example.com"))
                    .isEqualTo(purpose == CodePurpose.PASSWORD_RESET);
            assertThat(mail.html()
                            .contains(
                                    "href=\"https://a.example/reset?x=1&amp;code=012345&amp;email=ann%40example.com\""))
                    .isEqualTo(purpose == CodePurpose.PASSWORD_RESET);
        }
    }

    private static Mail signIn(Language language, CodePurpose kind, MailBranding brand, String page) {
        var id = new UUID(1, 2);
        var queued = new QueuedCode(
                new ProjectId(id), id, kind, "ann@example.com", Buffer.buffer(), language, Instant.EPOCH, 1);
        var ann = new Recipient(new UserId(id), "Ann", true, false, brand, null);
        var secret = kind == CodePurpose.EMAIL_OTP ? "012345" : "ml_a-b_c";
        return MailRenderer.load(Optional.empty(), INVITATION)
                .renderSignIn(queued, brand, Optional.of(ann), secret, page);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void aCodeOrLinkThatSignsInSaysSoInEveryLanguage(Language language) {
        var code = signIn(language, CodePurpose.EMAIL_OTP, BRAND, "https://a.example/in");
        var link = signIn(language, CodePurpose.MAGIC_LINK, BRAND, "https://a.example/in?x=1#/door");
        assertThat(code.code()).isEqualTo("012345");
        assertThat(link.code()).isEmpty();
        assertThat(code.subject()).contains("Acme").isNotEqualTo(link.subject());
        assertThat(link.subject()).contains("Acme");
        assertThat(code.subject()).doesNotContain("012345");
        for (var body : List.of(code.text(), code.html())) {
            assertThat(body).contains("012345", "10", "Ann", "Acme").doesNotContain("{{", "{%", "a.example");
        }
        assertThat(link.text()).contains("https://a.example/in?x=1&token=ml_a-b_c#/door", "15", "Ann", "Acme");
        assertThat(link.html()).contains("href=\"https://a.example/in?x=1&amp;token=ml_a-b_c#/door\"", "15", "Acme");
    }

    @Test
    void neitherTheBrandNorThePageCanBreakOutOfAMailThatSignsIn() {
        var brand = MailBranding.plain("<b>A\r\nBcc: x@y");
        var mail = signIn(Language.EN, CodePurpose.MAGIC_LINK, brand, "https://a.example/?x=%22'");
        assertThat(mail.subject()).doesNotContain("\r", "\n");
        assertThat(mail.html()).doesNotContain("<b>A").contains("x=%22&#39;&amp;token=ml_a-b_c");
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void anInvitationHasItsTokenAndALinkToThePageThatAcceptsIt(Language language) {
        var renderer = MailRenderer.load(Optional.empty(), INVITATION);
        var mail = renderer.renderInvitation(queued(language, CodePurpose.INVITATION), BRAND, "inv_a-b_c");

        assertThat(mail.subject()).contains("Acme");
        for (var body : List.of(mail.text(), mail.html())) {
            assertThat(body).contains("7", "Acme").doesNotContain("{{", "{%");
            assertThat(body).contains("https://auth.example.com/console/#/invitation/inv_a-b_c");
            assertThat(body.replace("/inv_a-b_c", "")).as("the token to type").contains("inv_a-b_c");
        }
    }

    private static Mail notice(MailRenderer renderer, Language language, NoticeKind kind, Notice notice) {
        var id = new UUID(1, 2);
        var queued = new QueuedNotice(
                new ProjectId(id),
                id,
                new UserId(id),
                kind,
                "ann@example.com",
                language,
                Buffer.buffer(),
                Instant.EPOCH,
                1);
        var ann = new Recipient(new UserId(id), "Ann", true, false, BRAND, null);
        return renderer.renderNotice(queued, BRAND, Optional.of(ann), notice);
    }

    private static Notice notice(String userAgent) {
        return Notice.of(Instant.parse("2026-03-09T07:05:00Z"), new Device(userAgent, "203.0.113.7", "KR"));
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void aNoticeSaysInEveryLanguageWhatHappenedWhenAndFromWhere(Language language) {
        var renderer = MailRenderer.load(Optional.empty(), INVITATION);
        var subjects = new HashSet<String>();
        for (var kind : NoticeKind.values()) {
            var mail = notice(renderer, language, kind, notice(FIREFOX).withProvider("GitHub"));
            subjects.add(mail.subject());
            assertThat(mail.subject()).contains("Acme");
            for (var body : List.of(mail.text(), mail.html())) {
                assertThat(body)
                        .contains("Ann", "Acme", "2026", "07:05 UTC", "Firefox, Linux", "203.0.113.7")
                        .contains(new Locale("", "KR").getDisplayCountry(language.locale()))
                        .doesNotContain("{{", "{%", "<a ");
            }
        }
        assertThat(subjects).hasSize(NoticeKind.values().length);
    }

    @Test
    void aNoticeIsUnchangedAfterTheOutbox() {
        var notice = notice(FIREFOX)
                .withNewEmail("new@example.com")
                .withUndo("undo_1", 7, "https://a.example/undo?token=undo_1");
        var renderer = MailRenderer.load(Optional.empty(), INVITATION);

        var read = Notice.decode(notice.encode());
        var mail = notice(renderer, Language.EN, NoticeKind.EMAIL_CHANGED, read);

        assertThat(mail.text())
                .isEqualTo(notice(renderer, Language.EN, NoticeKind.EMAIL_CHANGED, notice)
                        .text());
        assertThat(mail.code()).isEqualTo("undo_1");
        assertThat(mail.text())
                .contains("undo_1", "7 days", "Or undo the change on this page:", "New address: new@example.com");
        assertThat(mail.html()).contains("href=\"https://a.example/undo?token=undo_1\"");
        assertThat(read).hasToString("Notice");
    }

    /** A thief writes the user agent; the owner of the account reads it. */
    @Test
    void aNoticeQuotesNothingOfAnUnknownUserAgent() {
        var renderer = MailRenderer.load(Optional.empty(), INVITATION);
        for (var evil : List.of("Call 0800-EVIL or visit https://evil.example", "evil\r\nBcc: evil@evil.example", "")) {
            var mail = notice(renderer, Language.EN, NoticeKind.NEW_SIGN_IN, notice(evil));
            assertThat(mail.text())
                    .contains("Device: Unknown device or program")
                    .doesNotContainIgnoringCase("evil");
            assertThat(mail.html()).contains("Unknown device or program").doesNotContainIgnoringCase("evil");
        }
        var mixed = notice("Mozilla/5.0 (Windows) Chrome/1 https://evil.example");
        assertThat(notice(renderer, Language.EN, NoticeKind.NEW_SIGN_IN, mixed).text())
                .contains("Device: Chrome, Windows")
                .doesNotContain("evil");
    }

    @Test
    void aPhraseMissingInTheOperatorsFileStaysBuiltIn() throws IOException {
        Files.writeString(folder.resolve("fr.properties"), "notice.new_sign_in.subject=Salut {{ brand }}");
        var renderer = MailRenderer.load(Optional.of(folder), INVITATION);

        var mail = notice(renderer, Language.FR, NoticeKind.NEW_SIGN_IN, notice(FIREFOX));

        assertThat(mail.subject()).isEqualTo("Salut Acme");
        assertThat(mail.text()).contains("Nouvelle connexion", "Bonjour Ann");
    }

    @Test
    void anOperatorsFileReplacesTheBuiltInOneAndTheOthersStay() throws IOException {
        Files.writeString(folder.resolve("layout.html"), "<p>{{ intro }} <b>{{ code }}</b></p>");
        Files.writeString(folder.resolve("de.properties"), """
                greeting=Moin {{ name }}
                expires={{ minutes }} Minuten
                verification.subject={{ brand }}: grüezi
                verification.title=t
                verification.intro=<i>
                verification.ignore=i
                password_reset.subject=s
                password_reset.title=t
                password_reset.intro=i
                password_reset.link=l
                password_reset.ignore=i
                invitation.subject=s
                invitation.title=t
                invitation.intro=i
                invitation.expires=e
                invitation.ignore=i
                """);
        var renderer = MailRenderer.load(Optional.of(folder), INVITATION);

        var german = render(renderer, Language.DE, CodePurpose.VERIFICATION, BRAND);
        assertThat(german.subject()).isEqualTo("Acme: grüezi");
        assertThat(german.html()).isEqualTo("<p>&lt;i&gt; <b>012345</b></p>");
        assertThat(german.text()).contains("Moin Ann", "10 Minuten");
        assertThat(render(renderer, Language.EN, CodePurpose.VERIFICATION, BRAND)
                        .subject())
                .isEqualTo("Your code for Acme");
    }

    @Test
    void aBrokenTemplateFailsTheStart() throws IOException {
        for (var wrong : new String[] {"{{ code", "{{ cod }}", "{% nonsense %}"}) {
            Files.writeString(folder.resolve("layout.txt"), wrong);
            assertThatThrownBy(() -> MailRenderer.load(Optional.of(folder), INVITATION))
                    .as(wrong)
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("mail.templates");
        }
        Files.delete(folder.resolve("layout.txt"));
        Files.writeString(folder.resolve("fr.properties"), "notice.date=nonsense");
        assertThatThrownBy(() -> MailRenderer.load(Optional.of(folder), INVITATION))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("fr");
    }

    @Test
    void theTextOnTheBrandsColourIsReadable() {
        var dark = MailBranding.of("A", new Colours("#123", "#112233cc", null, null, null, null), 3, null, Map.of());
        var light = MailBranding.of("A", new Colours("#ffe", "#ffffcc", null, null, null, null), null, null, Map.of());
        assertThat(dark.primaryStart()).isEqualTo("#112233");
        assertThat(dark.primaryEnd()).isEqualTo("#112233");
        assertThat(dark.textOnPrimary()).isEqualTo("#ffffff");
        assertThat(light.textOnPrimary()).isEqualTo("#111827");
    }
}
