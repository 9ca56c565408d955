package dev.vestibule.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.config.DatabaseAddress.Host;
import io.vertx.pgclient.SslMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseAddressTest {
    @Test
    void everyPartIsRead() {
        assertThat(DatabaseAddress.parse(
                        "postgresql://vest:pw@db.example:5433/auth?sslmode=verify-full&sslrootcert=/etc/ca.pem"))
                .isEqualTo(new DatabaseAddress(
                        List.of(new Host("db.example", 5433)),
                        false,
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
                        List.of(new Host("db", 5432)),
                        false,
                        "vest",
                        Optional.empty(),
                        "auth",
                        SslMode.PREFER,
                        Optional.empty()));
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
    void aRemoteConnectionThatDoesNotVerifyTheServerIsWarnedAbout(String host, String query, String mode) {
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
    void verifiedAndLocalConnectionsAreNotWarnedAbout(String rest) {
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
        assertThat(DatabaseAddress.parse(url).hosts()).extracting(Host::name).containsExactly(host);
        assertThat(DatabaseAddress.parse(url).jdbcUrl()).isEqualTo(jdbcUrl);
    }

    @ParameterizedTest
    @CsvSource({
        "db/auth, does not begin with postgresql://",
        "mysql://u:p@db/auth, does not begin with postgresql://",
        "postgresql:u, names no user",
        "postgresql://db/auth, names no user",
        "postgresql://:p@db/auth, names no user",
        "postgresql://u:p@/auth, names no host",
        "'postgresql://u:p@db1,/auth', has an empty name in its list of hosts",
        "'postgresql://u:p@,db1/auth', has an empty name in its list of hosts",
        "'postgresql://u:p@db1,,db2/auth', has an empty name in its list of hosts",
        "'postgresql://u:p@db1,DB1:5432/auth', names a host twice",
        "'postgresql://u:p@[::1],[::1]/auth', names a host twice",
        "'postgresql://u:p@1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17/auth', names more than 16 hosts",
        "'postgresql://u:p@db1;db2:5433:1/auth', has a wrong host or port",
        "'postgresql://u:p@db1,::1/auth', has a wrong host or port",
        "'postgresql://u:p@db1,%2Fvar%2Frun/auth', names a Unix socket",
        "postgresql://u:p@db:http/auth, has a wrong host or port",
        "postgresql://u:p@%2Fvar%2Frun/auth, names a Unix socket",
        "postgresql://u:p@db:0/auth, has a port that is not 1 to 65535",
        "postgresql://u:p@db:65536/auth, has a port that is not 1 to 65535",
        "postgresql://u:p@db, names no database",
        "postgresql://u:p@db/, names no database",
        "postgresql://u:p@db/a/b, names no database",
        "postgresql://u:p@db/a?sslmode=maybe, has an sslmode that is not",
        "postgresql://u:p@db/a?sslmode=, 'may have only the parameters sslmode, sslrootcert and target_session_attrs'",
        "postgresql://u:p@db/a?connect_timeout=3, 'may have only the parameters sslmode, sslrootcert and target'",
        "'postgresql://u:p@db1,db2/a?target_session_attrs=any', has a target_session_attrs that is not primary",
        "'postgresql://u:p@db1,db2/a?target_session_attrs=standby', has a target_session_attrs that is not primary",
        "'postgresql://u:p@db1,db2/a?target_session_attrs=prefer-standby', has a target_session_attrs that is not",
        "'postgresql://u:p@db1,db2/a?host=db3', may have only the parameters",
        "postgresql://u:p@db/a#b, has a #",
        "postgresql://u:p^@db/a, is not a URL",
        "postgresql://u:p%zz@db/a, is not a URL"
    })
    void aWrongAddressIsRefusedWithTheReason(String url, String reason) {
        assertThatThrownBy(() -> DatabaseAddress.parse(url)).hasMessageStartingWith(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?target_session_attrs=primary", "?target_session_attrs=read-write"})
    void withSeveralHostsAPrimaryIsRequired(String query) {
        var address = DatabaseAddress.parse("postgresql://u:p@db_1:5433,[::1],DB3,[fe80::2]:6000/auth" + query);

        assertThat(address.hosts())
                .containsExactly(
                        new Host("db_1", 5433),
                        new Host("::1", 5432),
                        new Host("db3", 5432),
                        new Host("fe80::2", 6000));
        assertThat(address.primaryOnly()).isTrue();
        assertThat(address.jdbcUrl())
                .isEqualTo("jdbc:postgresql://db_1:5433,[::1]:5432,db3:5432,[fe80::2]:6000/auth"
                        + "?sslmode=prefer&targetServerType=primary");
        assertThat(address.warning())
                .hasValueSatisfying(
                        warning -> assertThat(warning).contains("at db_1:5433,db3:5432,[fe80::2]:6000 has"));
    }

    @Test
    void aSingleHostCanBeRequiredToBeAPrimaryToo() {
        var url = "postgresql://u:p@db/auth?sslmode=verify-full&target_session_attrs=primary";
        assertThat(DatabaseAddress.parse(url).primaryOnly()).isTrue();
    }

    @Test
    void anUnescapedAtSignInThePasswordIsAccepted() {
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
