package dev.vestibule.outbound;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Looks names up as Vert.x does for its own connections: the hosts file, then DNS, cached for as long as DNS allows. */
final class DnsLookup implements AddressLookup {
    private final VertxInternal vertx;

    DnsLookup(Vertx vertx) {
        this.vertx = (VertxInternal) vertx;
    }

    @Override
    public Future<List<InetAddress>> all(String name) {
        Promise<List<InetSocketAddress>> found = Promise.promise();
        vertx.nameResolver().resolveAll(name, found::handle);
        return found.future()
                .map(addresses ->
                        addresses.stream().map(InetSocketAddress::getAddress).toList());
    }
}
