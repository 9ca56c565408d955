package dev.vestibule.authentication.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.project.ProjectId;
import io.vertx.core.MultiMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsentTokensTest {
    private final ConsentTokens tokens = new ConsentTokens(
            new MasterKeys(MasterSecret.fromSetting("a master secret of 32 bytes or more"), List.of()));
    private final StateToken state = StateToken.next(ProjectId.next());

    private static ProviderAnswer answer(String parameter, String value) {
        return ProviderAnswer.of(MultiMap.caseInsensitiveMultiMap().add(parameter, value));
    }

    @Test
    void aTokenIsValidOnlyForItsStateAndResponse() {
        var token = tokens.toContinue(state, answer("code", "access_denied"));
        assertThat(tokens.mayContinue(state, answer("code", "access_denied"), token))
                .isTrue();
        assertThat(tokens.mayContinue(state, answer("code", "another"), token)).isFalse();
        assertThat(tokens.mayContinue(StateToken.next(state.project()), answer("code", "access_denied"), token))
                .isFalse();
    }

    @Test
    void aCodeIsNotTheErrorThatIsSpelledLikeIt() {
        var token = tokens.toContinue(state, answer("code", "access_denied"));
        assertThat(tokens.mayContinue(state, answer("error", "access_denied"), token))
                .isFalse();
    }
}
