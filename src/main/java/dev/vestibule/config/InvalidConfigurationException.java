package dev.vestibule.config;

import java.util.List;

/** The configuration is wrong. The message has a line for each fault and is safe to print. */
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
