package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.pgclient.SslMode;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseAddressTest {
    @Test
    void everyPartIsTaken() {
        assertThat(DatabaseAddress.parse(
                        "postgresql://vest:pw@db.example:5433/auth?sslmode=verify-full&sslrootcert=/etc/ca.pem"))
                .isEqualTo(new DatabaseAddress(
                        "db.example",
                        5433,
                        "vest",
                        Optional.of(new Secret("pw")),
                        "auth",
                        SslMode.VERIFY_FULL,
                        Optional.of(Path.of("/etc/ca.pem"))));
    }

    @Test
    void omittedPartsHaveTheDefaultsOfLibpq() {
        assertThat(DatabaseAddress.parse("postgres://vest@db/auth"))
                .isEqualTo(new DatabaseAddress(
                        "db", 5432, "vest", Optional.empty(), "auth", SslMode.PREFER, Optional.empty()));
    }

    @Test
    void percentEncodedCharactersAreDecodedAndAPlusIsAPlus() {
        DatabaseAddress address = DatabaseAddress.parse("postgresql://my%2Duser:p%40%2F%3A%25+s:s@db/a%20b");

        assertThat(address.user()).isEqualTo("my-user");
        assertThat(address.password()).contains(new Secret("p@/:%+s:s"));
        assertThat(address.database()).isEqualTo("a b");
    }

    @ParameterizedTest
    @CsvSource({
        "db.example, '', prefer",
        "db.example, ?sslmode=require, require",
        "db.example, ?sslmode=disable, disable",
        "127.0.0.1.example, '', prefer",
        "10.0.0.1, ?sslmode=allow, allow"
    })
    void aConnectionOverANetworkThatDoesNotVerifyTheServerIsCalledOut(String host, String query, String mode) {
        assertThat(DatabaseAddress.parse("postgresql://user:hidden@" + host + "/auth" + query)
                        .warning())
                .hasValueSatisfying(warning -> assertThat(warning)
                        .contains(host + ":5432", "sslmode=" + mode, "sslmode=verify-full")
                        .doesNotContain("hidden"));
    }

    @ParameterizedTest
    @CsvSource({
        "db.example/auth?sslmode=verify-full",
        "db.example/auth?sslmode=verify-ca",
        "localhost/auth",
        "127.0.0.1/auth?sslmode=disable",
        "[::1]:5433/auth"
    })
    void aVerifiedConnectionAndOneWithinThisMachineAreNotCalledOut(String rest) {
        assertThat(DatabaseAddress.parse("postgresql://user:password@" + rest).warning())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "postgresql://u:p@my_db:5433/auth, my_db, jdbc:postgresql://my_db:5433/auth?sslmode=prefer",
        "postgresql://u:p@[::1]/auth, ::1, jdbc:postgresql://[::1]:5432/auth?sslmode=prefer",
        "postgresql://u:p@db/a%20%26b, db, jdbc:postgresql://db:5432/a+%26b?sslmode=prefer",
        "postgresql://u:p@db/a?sslmode=verify-ca, db, "
                + "jdbc:postgresql://db:5432/a?sslmode=verify-ca&sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory",
        "postgresql://u:p@db/a?sslmode=verify-full&sslrootcert=/c.pem, db, "
                + "jdbc:postgresql://db:5432/a?sslmode=verify-full&sslrootcert=%2Fc.pem"
    })
    void anyHostIsReachableByJdbcToo(String url, String host, String jdbcUrl) {
        assertThat(DatabaseAddress.parse(url).host()).isEqualTo(host);
        assertThat(DatabaseAddress.parse(url).jdbcUrl()).isEqualTo(jdbcUrl);
    }

    @ParameterizedTest
    @CsvSource({
        "db/auth, does not begin with postgresql://",
        "mysql://u:p@db/auth, does not begin with postgresql://",
        "postgresql:u, names no user",
        "postgresql://db/auth, names no user",
        "postgresql://:p@db/auth, names no user",
        "postgresql://u:p@/auth, 'names no single host, or a wrong port'",
        "'postgresql://u:p@db1,db2/auth', 'names no single host, or a wrong port'",
        "postgresql://u:p@db:http/auth, 'names no single host, or a wrong port'",
        "postgresql://u:p@%2Fvar%2Frun/auth, 'names no single host, or a wrong port'",
        "postgresql://u:p@db:0/auth, has a port that is not 1 to 65535",
        "postgresql://u:p@db:65536/auth, has a port that is not 1 to 65535",
        "postgresql://u:p@db, names no database",
        "postgresql://u:p@db/, names no database",
        "postgresql://u:p@db/a/b, names no database",
        "postgresql://u:p@db/a?sslmode=maybe, has an sslmode that is not",
        "postgresql://u:p@db/a?sslmode=, may have only the parameters sslmode and sslrootcert",
        "postgresql://u:p@db/a?connect_timeout=3, may have only the parameters sslmode and sslrootcert",
        "postgresql://u:p@db/a#b, has a #",
        "postgresql://u:p^@db/a, is not a URL",
        "postgresql://u:p%zz@db/a, is not a URL"
    })
    void aWrongAddressIsRefusedForItsReason(String url, String reason) {
        assertThatThrownBy(() -> DatabaseAddress.parse(url)).hasMessageStartingWith(reason);
    }

    @Test
    void anAtSignInThePasswordIsForgiven() {
        assertThat(DatabaseAddress.parse("postgresql://u:p@w@db/auth").password())
                .contains(new Secret("p@w"));
    }

    @Test
    void itsTextHidesThePassword() {
        assertThat(DatabaseAddress.parse("postgresql://u:hunter2@db/auth").toString())
                .contains("db", "[redacted]")
                .doesNotContain("hunter2");
    }
}
