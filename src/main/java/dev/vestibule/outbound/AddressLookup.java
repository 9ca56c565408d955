package dev.vestibule.outbound;

import io.vertx.core.Future;
import java.net.InetAddress;
import java.util.List;

/** Finds the addresses of a name without holding up a thread. */
@FunctionalInterface
interface AddressLookup {
    Future<List<InetAddress>> all(String name);
}
