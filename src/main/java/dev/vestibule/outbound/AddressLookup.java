package dev.vestibule.outbound;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Finds all addresses of a host name without blocking. */
@FunctionalInterface
interface AddressLookup {
    Future<List<InetAddress>> all(String name);

    /** As Vert.x does for its own connections: the hosts file, then DNS, cached for as long as DNS allows. */
    static AddressLookup byDns(Vertx vertx) {
        return name -> {
            Promise<List<InetSocketAddress>> found = Promise.promise();
            ((VertxInternal) vertx).nameResolver().resolveAll(name, found::handle);
            return found.future()
                    .map(addresses -> addresses.stream()
                            .map(InetSocketAddress::getAddress)
                            .toList());
        };
    }
}
