package dev.vestibule.outbound;

import io.vertx.core.Future;
import java.net.InetAddress;
import java.util.List;

/** Finds all addresses of a host name without blocking. */
@FunctionalInterface
interface AddressLookup {
    Future<List<InetAddress>> all(String name);
}
