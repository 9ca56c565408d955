package dev.vestibule.outbound;

import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.dns.impl.DnsAddressResolverProvider;
import io.vertx.core.internal.PromiseInternal;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.util.List;

/** Finds all addresses of a host name without blocking. */
@FunctionalInterface
interface AddressLookup {
    Future<List<InetAddress>> all(String name);

    /**
     * As Vert.x does for its own connections: the hosts file, then DNS. But nothing is cached, since Netty's caches
     * have no limit: they keep all names, addresses and aliases for as long as the records say, which may be years.
     */
    static AddressLookup byDns(Vertx vertx) {
        var internal = (VertxInternal) vertx;
        var resolver = DnsAddressResolverProvider.create(
                        internal, internal.nameResolver().options())
                .getDnsNameResolverBuilder()
                .copy()
                .eventLoop(internal.createEventLoopContext().nettyEventLoop())
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution) // nothing to close
                .resolveCache(NoopDnsCache.INSTANCE)
                .cnameCache(NoopDnsCnameCache.INSTANCE)
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE)
                .build();
        return name -> {
            PromiseInternal<List<InetAddress>> found =
                    internal.getOrCreateContext().promise();
            resolver.resolveAll(name).addListener(found);
            return found.future();
        };
    }
}
