package dev.vestibule.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsentTokensTest {
    private final ConsentTokens tokens =
            new ConsentTokens(new MasterKeys(MasterSecret.ofSetting("a master secret of 32 bytes or more"), List.of()));
    private final StateToken state = StateToken.next(ProjectId.next());

    private static AuthorizationCallback callback(String parameter, String value) {
        return AuthorizationCallback.of(
                MultiMap.caseInsensitiveMultiMap().add(parameter, value),
                Buffer.buffer(),
                new Device(null, null, null),
                null);
    }

    @Test
    void aTokenIsGoodForItsStateAndResponseAlone() {
        var token = tokens.toContinue(state, callback("code", "access_denied"));
        assertThat(tokens.mayContinue(state, callback("code", "access_denied"), token))
                .isTrue();
        assertThat(tokens.mayContinue(state, callback("code", "another"), token))
                .isFalse();
        assertThat(tokens.mayContinue(StateToken.next(state.project()), callback("code", "access_denied"), token))
                .isFalse();
    }

    @Test
    void aCodeIsNoErrorThatIsSpelledLikeIt() {
        var token = tokens.toContinue(state, callback("code", "access_denied"));
        assertThat(tokens.mayContinue(state, callback("error", "access_denied"), token))
                .isFalse();
    }
}
