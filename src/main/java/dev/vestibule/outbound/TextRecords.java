package dev.vestibule.outbound;

import dev.vestibule.config.DomainSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.dns.DnsClientOptions;
import io.vertx.core.dns.DnsException;
import io.vertx.core.dns.DnsResponseCode;
import java.util.List;

/** Looks up TXT records of names that customers enter (RFC 1035, 3.3.14), and trusts the DNS server for its answers. */
public final class TextRecords {
    private final Vertx vertx;
    private final DomainSettings settings;

    public TextRecords(Vertx vertx, DomainSettings settings) {
        this.vertx = vertx;
        this.settings = settings;
    }

    /** The texts at an ASCII name, none if it does not exist; fails if the DNS server does not say. */
    public Future<List<String>> find(String name) {
        var options = new DnsClientOptions().setQueryTimeout(settings.timeout().toMillis());
        settings.dnsHost().ifPresent(host -> options.setHost(host).setPort(settings.dnsPort()));
        var client = vertx.createDnsClient(options);
        return client.resolveTXT(name)
                .recover(failure ->
                        isAbsence(failure) ? Future.succeededFuture(List.of()) : Future.failedFuture(failure))
                .eventually(client::close);
    }

    private static boolean isAbsence(Throwable failure) {
        return failure instanceof DnsException answer && answer.code() == DnsResponseCode.NXDOMAIN;
    }
}
