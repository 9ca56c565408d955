package dev.vestibule;

/** Starts the server. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println("hi");
    }
}
