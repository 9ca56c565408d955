package dev.vestibule.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The size of everything that could grow, at a moment of a soak. */
record SoakSample(
        double answersPerSecond,
        double p99Millis,
        long residentMib,
        double heapMib,
        long threads,
        long files,
        long postgresConnections,
        Map<String, TableSize> tables) {
    static final String HEADER = "   answers/s     p99 ms   resident MiB   heap MiB   threads   files   PostgreSQL's"
            + " connections   tables MiB   dead rows";

    private static final String TABLES = """
            SELECT concat_ws(' ', relname, pg_total_relation_size(relid), n_live_tup, n_dead_tup) FROM pg_stat_user_tables
            """;
    private static final String CONNECTIONS =
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

    private static final long LARGE_BYTES = 128 * 1024;

    /** With indexes and what is stored out of line. */
    record TableSize(long bytes, long liveRows, long deadRows) {}

    static SoakSample of(MeasuredServer server, Sample traffic) {
        var sql = server.database().sql();
        var process = server.process();
        var resident = process.residentMib(); // before the collection
        return new SoakSample(
                traffic.perSecond(),
                traffic.millis(99),
                resident,
                process.heapMibAfterCollection(),
                process.threads(),
                process.openFiles(),
                sql.count(CONNECTIONS),
                sql.texts(TABLES).stream()
                        .map(line -> line.split(" "))
                        .collect(Collectors.toMap(
                                words -> words[0],
                                words -> new TableSize(
                                        Long.parseLong(words[1]),
                                        Long.parseLong(words[2]),
                                        Long.parseLong(words[3])))));
    }

    TableSize table(String name) {
        return tables.getOrDefault(name, new TableSize(0, 0, 0));
    }

    /** Those that the traffic has filled, by their names. */
    List<String> largeTables() {
        return tables.keySet().stream()
                .filter(name -> table(name).bytes() > LARGE_BYTES)
                .sorted()
                .toList();
    }

    String inWords() {
        return String.format(
                Locale.ROOT,
                "%12.0f %10.1f %14d %10.1f %9d %7d %26d %12.1f %11d",
                answersPerSecond,
                p99Millis,
                residentMib,
                heapMib,
                threads,
                files,
                postgresConnections,
                tables.values().stream().mapToLong(TableSize::bytes).sum() / 1024.0 / 1024,
                tables.values().stream().mapToLong(TableSize::deadRows).sum());
    }
}
