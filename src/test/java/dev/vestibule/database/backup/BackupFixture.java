package dev.vestibule.database.backup;

import dev.vestibule.config.Secret;
import dev.vestibule.fixture.Sql;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Databases to back up and to restore into, and what they hold. */
final class BackupFixture {
    private static final String TABLES = """
            SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
              AND relname NOT IN ('nodes', 'node_reports', 'project_changes', 'schema_history')
            """;

    /** Everything but the rows: columns, constraints, indexes, triggers, functions, storage options and comments. */
    private static final String CATALOGUE = """
            SELECT format('%s.%s %s %s %s %s', attrelid::regclass, attname, atttypid::regtype, attnotnull, attstattarget,
                          pg_get_expr(adbin, adrelid))
            FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
            WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
            UNION ALL
            SELECT format('%s: %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
            UNION ALL
            SELECT format('%s %s', relname, reloptions) FROM pg_class WHERE relnamespace = 'public'::regnamespace
            UNION ALL
            SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
            UNION ALL
            SELECT format('%s %s %s', tgrelid::regclass, tgenabled, pg_get_triggerdef(oid)) FROM pg_trigger
            WHERE NOT tgisinternal
            UNION ALL
            SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
            UNION ALL
            SELECT format('%s %s %s', pg_describe_object(classoid, objoid, objsubid), classoid::regclass, description)
            FROM pg_description WHERE pg_describe_object(classoid, objoid, objsubid) !~ 'pg_|information_schema'
            ORDER BY 1
            """;

    private BackupFixture() {}

    /** A database of a role that is not a superuser, on the same PostgreSQL. */
    static Sql emptyDatabase(Sql neighbour) {
        var name = "restored_" + UUID.randomUUID().toString().replace('-', '_');
        neighbour.update("CREATE ROLE " + name + " LOGIN PASSWORD 'restored'");
        neighbour.update("GRANT " + name + " TO CURRENT_USER");
        neighbour.update("CREATE DATABASE " + name + " OWNER " + name);
        var url = URI.create(neighbour.databaseUrl());
        return new Sql("postgresql://" + name + ":restored@" + url.getHost() + ":" + url.getPort() + "/" + name
                + "?sslmode=disable");
    }

    static Login login(Sql database) {
        var url = URI.create(database.databaseUrl());
        var userAndPassword = url.getUserInfo().split(":", 2);
        return new Login(
                "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath(),
                userAndPassword[0],
                new Secret(userAndPassword[1]));
    }

    static List<String> catalogue(Sql database) {
        return database.texts(CATALOGUE);
    }

    /** A number of rows and a checksum for each table. */
    static Map<String, String> content(Sql database) {
        var content = new TreeMap<String, String>();
        for (var table : database.texts(TABLES)) {
            content.put(
                    table,
                    database.texts(
                                    "SELECT count(*) || ' ' || coalesce(md5(string_agg(row::text, ' ' ORDER BY row::text)),"
                                            + " '') FROM \"" + table + "\" AS row")
                            .get(0));
        }
        return content;
    }

    static boolean isEmpty(Sql database) {
        return database.count("SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace)"
                        + " + (SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace)")
                == 0;
    }
}
