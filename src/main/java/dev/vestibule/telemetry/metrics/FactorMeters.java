package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Meters of submitted codes and links, of removed factors, and of passkeys. */
public final class FactorMeters {
    /** The outcomes of one kind of code. */
    private record Outcomes(Counter accepted, Counter wrong, Counter exhausted) {}

    /** What a passkey is used for. */
    public enum Ceremony {
        REGISTRATION,
        SIGN_IN
    }

    /** The outcome of using a passkey. */
    public enum Outcome {
        ACCEPTED,
        REFUSED,
        /** The challenge was unknown, used or too old. */
        EXPIRED,
        /** The key is in use twice. */
        CLONED
    }

    private final Map<Ceremony, Map<Outcome, Counter>> passkeys = new EnumMap<>(Ceremony.class);
    private final MeterRegistry registry;
    private final Outcomes totp;
    private final Outcomes backupCode;
    private final Outcomes emailOtp;
    private final Outcomes magicLink;
    private final Outcomes sms;
    private final Outcomes wallet;

    FactorMeters(MeterRegistry registry) {
        this.registry = registry;
        totp = outcomes(registry, "totp");
        backupCode = outcomes(registry, "backup_code");
        emailOtp = outcomes(registry, "email_otp");
        magicLink = outcomes(registry, "magic_link");
        sms = outcomes(registry, "sms");
        wallet = outcomes(registry, "wallet");
        for (var ceremony : Ceremony.values()) {
            var counters = new EnumMap<Outcome, Counter>(Outcome.class);
            for (var outcome : Outcome.values()) {
                counters.put(outcome, passkeys(registry, ceremony, outcome));
            }
            passkeys.put(ceremony, counters);
        }
    }

    private static Outcomes outcomes(MeterRegistry registry, String factor) {
        return new Outcomes(
                codes(registry, factor, "accepted"),
                codes(registry, factor, "wrong"),
                codes(registry, factor, "exhausted"));
    }

    private static Counter codes(MeterRegistry registry, String factor, String outcome) {
        return Counter.builder("vestibule.factors.codes")
                .description("Codes and links given; exhausted: refused unseen after too many wrong ones")
                .tag("factor", factor)
                .tag("outcome", outcome)
                .register(registry);
    }

    /** Counts a removal by the user, by management, or by the owner of an email that a stranger had used. */
    public void removed(String remover) {
        Counter.builder("vestibule.factors.removed")
                .description("Second factors that were removed, and by whom")
                .tag("factor", "totp")
                .tag("by", remover)
                .register(registry)
                .increment();
    }

    private static Counter passkeys(MeterRegistry registry, Ceremony ceremony, Outcome outcome) {
        return Counter.builder("vestibule.factors.passkeys")
                .description(
                        "Passkeys that were to be registered or to sign in; cloned: refused since its key is in use twice")
                .tag("ceremony", ceremony.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    public void passkey(Ceremony ceremony, Outcome outcome) {
        var counters = Objects.requireNonNull(passkeys.get(ceremony));
        Objects.requireNonNull(counters.get(outcome)).increment();
    }

    private Outcomes of(boolean isBackupCode) {
        return isBackupCode ? backupCode : totp;
    }

    public void checked(boolean isBackupCode, boolean isRight) {
        var outcomes = of(isBackupCode);
        (isRight ? outcomes.accepted() : outcomes.wrong()).increment();
    }

    public void emailOtp(boolean isRight) {
        (isRight ? emailOtp.accepted() : emailOtp.wrong()).increment();
    }

    public void emailOtpExhausted() {
        emailOtp.exhausted().increment();
    }

    public void magicLink(boolean isRight) {
        (isRight ? magicLink.accepted() : magicLink.wrong()).increment();
    }

    public void sms(boolean isRight) {
        (isRight ? sms.accepted() : sms.wrong()).increment();
    }

    public void smsExhausted() {
        sms.exhausted().increment();
    }

    /** Counts a message that a wallet has signed, or should have. */
    public void wallet(boolean isRight) {
        (isRight ? wallet.accepted() : wallet.wrong()).increment();
    }

    public void exhausted(boolean isBackupCode) {
        of(isBackupCode).exhausted().increment();
    }
}
