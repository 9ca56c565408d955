package dev.vestibule.database;

import dev.vestibule.config.ShardAddress;

/**
 * One of the databases over which projects are spread. Each project is in one of them, with everything that it has;
 * dashboard accounts, memberships, invitations to projects, and slugs are at home.
 */
public record Shard(String name) {
    public static final Shard HOME = new Shard(ShardAddress.HOME);

    public boolean isHome() {
        return equals(HOME);
    }

    @Override
    public String toString() {
        return name;
    }
}
