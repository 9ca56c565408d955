package dev.vestibule.database;

import dev.vestibule.config.ShardAddress;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import java.time.Duration;

/**
 * One of the databases over which projects are spread. Each project is in one of them, with everything that it has;
 * dashboard accounts, memberships, invitations to projects, and slugs are at home.
 */
public record Shard(String name) {
    public static final Shard HOME = new Shard(ShardAddress.HOME);

    /** Another node may know the database. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** A 503 for a project in a database that this node's settings lack. */
    public static ApiException notSetUp() {
        return ApiException.of(ErrorCode.UNAVAILABLE, "The database of this project is not set up here.", RETRY_AFTER);
    }

    public boolean isHome() {
        return equals(HOME);
    }

    @Override
    public String toString() {
        return name;
    }
}
