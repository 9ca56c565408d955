package dev.vestibule.oauth.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogueTest {
    private final Path folder;

    CatalogueTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private Catalogue with(String... lines) throws IOException {
        var file = folder.resolve("own.yaml");
        Files.write(file, Arrays.asList(lines));
        return Catalogue.read(Optional.of(file));
    }

    private static CatalogueEntry entry(Catalogue catalogue, String name) {
        return catalogue.find(new Provider(name)).orElseThrow();
    }

    private static JsonNode json(String text) {
        return Json.parse(Buffer.buffer(text.replace('\'', '"')));
    }

    @Test
    void theBuiltInOneHasElevenInTheOrderOfLoginPages() {
        assertThat(Catalogue.read(Optional.empty()).providers())
                .extracting(Provider::name)
                .containsExactly(
                        "google",
                        "github",
                        "kakao",
                        "apple",
                        "microsoft",
                        "facebook",
                        "discord",
                        "naver",
                        "line",
                        "x",
                        "oidc");
    }

    @Test
    void onlyAnIssuerThatAProjectNamesIsUntrusted() {
        var catalogue = Catalogue.read(Optional.empty());
        assertThat(catalogue.providers().stream()
                        .filter(provider ->
                                catalogue.find(provider).orElseThrow().isIssuerOfProject()))
                .extracting(Provider::name)
                .containsExactly("oidc");
    }

    @Test
    void anOwnFileChangesSomeFieldsOfAnEntryAndNoOther() throws IOException {
        var changed = entry(
                with(
                        "github:",
                        "  authorizationEndpoint: https://github.example.com/login/oauth/authorize",
                        "  scopes: ['read:user']"),
                "github");

        assertThat(changed.authorizationEndpoint())
                .isEqualTo(new UrlTemplate("https://github.example.com/login/oauth/authorize"));
        assertThat(changed.tokenEndpoint()).isEqualTo(new UrlTemplate("https://github.com/login/oauth/access_token"));
        assertThat(changed.scopes()).containsExactly("read:user");
        assertThat(changed.pkce()).isTrue();
    }

    @Test
    void anOwnFileAddsProvidersAtTheEndAndRemovesOthers() throws IOException {
        var catalogue = with(
                "kakao: null", "our-login:", "  like: oidc", "  issuer: https://login.example.com", "  settings: null");

        assertThat(catalogue.providers())
                .extracting(Provider::name)
                .hasSize(11)
                .doesNotContain("kakao")
                .endsWith("oidc", "our-login");
        var added = entry(catalogue, "our-login");
        assertThat(added.settings()).isEmpty();
        assertThat(added.isIssuerOfProject()).isFalse();
        assertThat(added.user()).isEqualTo(entry(catalogue, "oidc").user());
    }

    @Test
    void aFileWithNothingInItChangesNothing() throws IOException {
        assertThat(with("# nothing").providers()).hasSize(11);
    }

    @Test
    void aSettingIsRequiredOrHasADefault() {
        var catalogue = Catalogue.read(Optional.empty());
        assertThat(entry(catalogue, "apple").settings())
                .isEqualTo(
                        Map.of(CatalogueSetting.TEAM_ID, Optional.empty(), CatalogueSetting.KEY_ID, Optional.empty()));
        assertThat(entry(catalogue, "microsoft").settings())
                .isEqualTo(Map.of(CatalogueSetting.TENANT, Optional.of("common")));
    }

    static List<Object[]> mistakes() {
        var minimal = "tokenEndpoint: https://a.example, authorizationEndpoint: https://b.example";
        return List.of(
                new Object[] {"- a list", "must be a mapping of names to providers"},
                new Object[] {"a: [", "line 1: is not valid YAML"},
                new Object[] {"a: {}\na: {}", "line 2: is not valid YAML"},
                new Object[] {"google: text", "google must be a mapping"},
                new Object[] {"Google: {}", "the name of a provider must begin with a letter"},
                new Object[] {"oidc-acme: {like: oidc}", "oidc-acme must not begin with oidc-"},
                new Object[] {"google: {scope: [email]}", "google.scope is not a known field: known are authorization"},
                new Object[] {"google: {pkce: sometimes}", "google.pkce must be true or false"},
                new Object[] {"google: {scopes: [1]}", "google.scopes[0] must be a text"},
                new Object[] {"google: {issuer: accounts.google.com}", "google.issuer must be an absolute http"},
                new Object[] {"google: {issuer: 'https://{host}'}", "google.issuer must be an absolute http"},
                new Object[] {
                    "google: {clientAuthentication: none}",
                    "google.clientAuthentication has none, which is not one of basic,"
                },
                new Object[] {
                    "google: {idTokenAlgorithms: [none]}",
                    "google.idTokenAlgorithms[0] has none, which is not one of RS256"
                },
                new Object[] {
                    "google: {settings: {host: a}}", "google.settings has host, which is not one of issuer, tenant,"
                },
                new Object[] {"google: {user: {subject: sub}}", "google.user.subject must hold a JSON pointer"},
                new Object[] {"google: {user: {subject: /sub}}", "google.user.subject must point into /idToken"},
                new Object[] {"google: {user: {subject: /posted/id}}", "google.user.subject must not come from /posted"
                },
                new Object[] {
                    "google: {user: {emails: [{address: /posted/email}]}}",
                    "google.user.emails must not come from /posted"
                },
                new Object[] {
                    "google: {user: {emails: [{address: /idToken/email, verified: /posted/verified}]}}",
                    "google.user.emails must not come from /posted"
                },
                new Object[] {
                    "google: {user: {nick: /idToken/nick}}", "google.user.nick is not a known field: known are avatar"
                },
                new Object[] {"google: {user: {subject: [/idToken/sub, 1]}}", "google.user.subject[1] must be a text"},
                new Object[] {"google: {user: {emails: [{verified: [x]}]}}", "google.user.emails[0].verified must be"},
                new Object[] {"google: {user: {emails: [a]}}", "google.user.emails[0] must be a mapping"},
                new Object[] {"google: {user: a}", "google.user must be a mapping"},
                new Object[] {"google: {tokenParameters: {a: {b: c}}}", "google.tokenParameters.a must be a text"},
                new Object[] {"google: {tokenParameters: {a: null}}", "google.tokenParameters.a must be a text"},
                new Object[] {"google: {tokenParameters: a}", "google.tokenParameters must be a mapping"},
                new Object[] {"google: {provider: google}", "google.provider is not a known field"},
                new Object[] {"new: {like: nobody}", "new.like must name an entry"},
                new Object[] {"new: {like: google}", "new.like must name an entry that is not like another"},
                new Object[] {"new: {}", "new.tokenEndpoint is required"},
                new Object[] {"new: {" + minimal + "}", "new.user.subject is required"},
                new Object[] {"new: {" + minimal + ", user: {subject: /idToken/sub}}", "new.issuer is required"},
                new Object[] {
                    "new: {" + minimal + ", user: {subject: /userInfo/id}}", "new.userInfoEndpoint is required"
                },
                new Object[] {
                    "new: {" + minimal + ", user: {subject: /primaryEmail/email}}", "new.emailsEndpoint is required"
                },
                new Object[] {
                    "new: {" + minimal + ", clientAuthentication: appleJwt}", "new.settings must have teamId and keyId"
                });
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsNamedWithFileAndField(String text, String problem) {
        assertThatThrownBy(() -> with(text.split("\n", -1)))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("oauth.catalogueFile: " + folder.resolve("own.yaml"))
                .hasMessageContaining(problem);
    }

    @Test
    void allMistakesAreNamedAtOnce() {
        assertThatThrownBy(() -> with("google: {pkce: 1, scope: a}", "new: {}"))
                .isInstanceOfSatisfying(
                        InvalidConfigurationException.class,
                        invalid -> assertThat(invalid.lines()).hasSize(4));
    }

    @Test
    void aTextComesFromTheFirstSourceThatHasOne() {
        var name = entry(Catalogue.read(Optional.empty()), "apple").user().name();

        assertThat(name.read(json("{'posted':{'name':{'firstName':'Ann','lastName':'Lee'}}}")))
                .contains("Ann Lee");
        assertThat(name.read(json("{'posted':{'name':{'firstName':'','lastName':'Lee'}}}")))
                .contains("Lee");
        assertThat(name.read(json("{'posted':{'name':{'firstName':[1],'lastName':null}}}")))
                .isEmpty();
    }

    @Test
    void aVerifiedEmailNeedsEveryFlag() {
        var kakao = entry(Catalogue.read(Optional.empty()), "kakao")
                .user()
                .emails()
                .get(0)
                .verified();
        var account = "{'userInfo':{'kakao_account':{'is_email_valid':%s,'is_email_verified':%s}}}";

        assertThat(kakao.read(json(account.formatted("true", "true")))).isTrue();
        assertThat(kakao.read(json(account.formatted("'true'", "1")))).isTrue();
        assertThat(kakao.read(json(account.formatted("false", "true")))).isFalse();
        assertThat(kakao.read(json(account.formatted("true", "null")))).isFalse();
        assertThat(kakao.read(json(account.formatted("true", "'yes'")))).isFalse();
        assertThat(kakao.read(json("{}"))).isFalse();
    }
}
