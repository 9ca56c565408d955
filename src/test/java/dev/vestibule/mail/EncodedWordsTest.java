package dev.vestibule.mail;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.mail.internet.MimeUtility;
import java.io.UnsupportedEncodingException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decodes with another implementation of RFC 2047. */
class EncodedWordsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Acme",
                "a?=b =?UTF-8?B?eA==?=",
                "Ünïcode 🚀 GmbH",
                "비밀번호 재설정 비밀번호 재설정 비밀번호 재설정 비밀번호 재설정 비밀번호 재설정 비밀번호 재설정",
                "🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀"
            })
    void anEncodedTextDecodesToItself(String text) throws UnsupportedEncodingException {
        var encoded = EncodedWords.of(text);

        assertThat(MimeUtility.decodeText(encoded)).isEqualTo(text);
        assertThat(encoded.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(76));
        assertThat(encoded).matches("[\\x21-\\x7e]*(?:\r\n [\\x21-\\x7e]+)*");
    }
}
