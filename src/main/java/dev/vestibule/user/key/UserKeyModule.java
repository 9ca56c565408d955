package dev.vestibule.user.key;

import dev.vestibule.access.Floor;
import dev.vestibule.token.TokenModule;

/** Builds the API keys of users. */
public final class UserKeyModule {
    private final UserKeys keys;
    private final UserKeyHandler operations;

    public UserKeyModule(Floor floor, TokenModule tokens) {
        this.keys = new UserKeys(floor.database(), floor.clock());
        this.operations = new UserKeyHandler(
                floor.database(),
                keys,
                tokens.signedTokens(),
                floor.settings().users().maxKeys(),
                floor.clock());
    }

    /** Checks keys, and tokens that were given for them. */
    public UserKeys keys() {
        return keys;
    }

    public UserKeyHandler operations() {
        return operations;
    }
}
