package dev.vestibule.config;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The cost of a password hash, how many can run or wait at once, and where breached passwords are looked up. */
public record PasswordSettings(
        int memoryKibibytes,
        int iterations,
        int parallelism,
        int threads,
        int queue,
        int heapBudgetKibibytes,
        int nativeBudgetKibibytes,
        boolean breachCheck,
        URI breachUrl,
        Duration breachTimeout) {

    private static final int MAX_BUDGET_KIB = 64 * 1024 * 1024;
    private static final long MIN_NATIVE_KIB = 64 * 1024;

    /**
     * Budgets that are not set are derived from the memory of the heap, and from what the heap leaves of the memory of
     * the machine or container.
     */
    static PasswordSettings read(SettingsSection passwords) {
        return new PasswordSettings(
                passwords.value(
                        "memory",
                        SettingType.kibibytes(1024, 1024 * 1024),
                        "19456",
                        "Memory of one hash. After a change of memory, iterations or parallelism, each password is hashed"
                                + " again at its next sign in. If they get cheaper, failed sign ins of accounts with an older"
                                + " hash take longer than others until then, so their time tells that the account exists."),
                passwords.value("iterations", SettingType.wholeNumber(1, 100), "2", "Passes over the memory."),
                passwords.value("parallelism", SettingType.wholeNumber(1, 16), "1", "Lanes of one hash."),
                passwords
                        .optional(
                                "threads",
                                SettingType.wholeNumber(1, 256),
                                "4",
                                "Threads that hash passwords. Default: the number of cores.")
                        .orElseGet(Runtime.getRuntime()::availableProcessors),
                passwords.value(
                        "queue",
                        SettingType.wholeNumber(1, 100_000),
                        "256",
                        "Maximum number of sign ins that wait for a thread; above it, the project with the most of them"
                                + " gets 503."),
                passwords
                        .optional(
                                "heapBudget",
                                SettingType.kibibytes(1024, MAX_BUDGET_KIB),
                                "131072",
                                "Heap memory for all hashes that run at once, which imported scrypt hashes use; one"
                                        + " that needs more is neither imported nor verified. Default: a third of the"
                                        + " heap; at most half of it.")
                        .orElse(kib(heapBytes() / 3)),
                passwords
                        .optional(
                                "nativeBudget",
                                SettingType.kibibytes(1024, MAX_BUDGET_KIB),
                                "524288",
                                "Memory outside the heap for all hashes that run at once, which Argon2 hashes use;"
                                        + " memory must fit in it. Default: a quarter of what the heap leaves of the"
                                        + " memory of the machine or container, but at least 65536.")
                        .orElse((int) Math.max(MIN_NATIVE_KIB, kib((memoryBytes() - heapBytes()) / 4))),
                passwords.value(
                        "breachCheck",
                        SettingType.FLAG,
                        "false",
                        "true looks new passwords up in Pwned Passwords, which learns 5 digits of a hash; those found are"
                                + " refused. Common passwords are refused in any case."),
                passwords.value(
                        "breachUrl",
                        SettingType.HTTP_URL,
                        "https://api.pwnedpasswords.com",
                        "The service for breachCheck: any with the range API of Pwned Passwords, including one in"
                                + " your own network."),
                passwords.value(
                        "breachTimeoutMillis",
                        SettingType.millis(50, 30_000),
                        "1000",
                        "Longest wait for that service; a password that could not be checked is accepted."));
    }

    /**
     * The settings that this process does not have enough memory for; empty if there are none. Hashes get at most half
     * of the heap, so that everything else has room.
     */
    public List<String> problems() {
        var problems = new ArrayList<String>();
        var largest = kib(heapBytes() / 2);
        if (heapBudgetKibibytes > largest) {
            problems.add("passwords.heapBudget must be at most %d KiB, half of the heap (-Xmx), not %d"
                    .formatted(largest, heapBudgetKibibytes));
        }
        if (memoryKibibytes > nativeBudgetKibibytes) {
            problems.add(
                    ("passwords.memory must be at most %d KiB, which passwords.nativeBudget is here, not %d: one hash"
                                    + " must fit in it")
                            .formatted(nativeBudgetKibibytes, memoryKibibytes));
        }
        return problems;
    }

    private static long heapBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    /** The memory of the container if it has a limit, or else of the machine. */
    private static long memoryBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    private static int kib(long bytes) {
        return (int) Math.min(MAX_BUDGET_KIB, bytes / 1024);
    }
}
