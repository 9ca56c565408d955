package dev.vestibule.benchmark;

import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Many accounts of a server, used in turn by the clients of a load. */
record AccountPool(String name, MeasuredServer server, List<Account> accounts) {
    static final int CLIENTS = 64;

    private static final String OF = " of ";

    List<Line> lines(Vertx vertx) {
        return List.of(
                line(vertx, Paths.VERIFY, Client::verifying),
                line(vertx, Paths.ME, Client::askingForMe),
                line(vertx, Paths.REFRESH, Client::refreshing));
    }

    private Line line(Vertx vertx, String path, Function<Account, Client> client) {
        var clients = IntStream.range(0, CLIENTS)
                .mapToObj(number ->
                        Client.inTurns(share(number).stream().map(client).toList()))
                .toList();
        return new Line(path + OF + name, CLIENTS, server.clock(), () -> ClosedLoad.of(vertx, server.port(), clients));
    }

    private List<Account> share(int number) {
        return IntStream.range(0, accounts.size())
                .filter(i -> i % CLIENTS == number)
                .mapToObj(accounts::get)
                .toList();
    }

    /** Reports each path of these accounts compared to those of another server, measured in turns. */
    void report(Report report, Results results, AccountPool other, double bar) {
        for (var path : List.of(Paths.VERIFY, Paths.ME, Paths.REFRESH)) {
            report.figure(path + OF + other.name, CLIENTS, results);
            report.figure(path + OF + name, CLIENTS, results, path + OF + other.name, CLIENTS, bar);
        }
    }
}
