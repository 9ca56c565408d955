package dev.vestibule.config;

import java.util.List;

/** Everything that is wrong with the configuration, one line for each fault, safe to print. */
public final class InvalidConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidConfigurationException(List<String> lines) {
        super(String.join("\n", lines));
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    public List<String> lines() {
        return getMessage().lines().toList();
    }
}
