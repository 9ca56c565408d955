package dev.vestibule.command;

/** A command cannot do what it was asked to; the message says why, and what to do, to who typed it. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommandException(String message) {
        super(message);
    }

    public CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}
