package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.vertx.pgclient.PgException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFailuresTest {
    /** A full disk, no memory, no connection left, a disk that fails, an operator who stops the server. */
    @ParameterizedTest
    @ValueSource(strings = {"53100", "53200", "53300", "58030", "57P01"})
    void aDatabaseThatCannotWorkAtTheMomentIsUnavailable(String state) {
        assertThat(SqlFailures.error(failure(state))).map(ApiException::code).contains(ErrorCode.UNAVAILABLE);
    }

    /** A syntax error, a column that is missing, a value that breaks a constraint. */
    @ParameterizedTest
    @ValueSource(strings = {"42601", "42703", "23514"})
    void aDefectOfTheServerIsNoErrorOfTheClient(String state) {
        assertThat(SqlFailures.error(failure(state))).isEmpty();
    }

    private static PgException failure(String state) {
        return new PgException("something failed", "ERROR", state, "");
    }
}
