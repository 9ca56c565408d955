package dev.vestibule.mail;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the codes and links that one person was sent are worth, as promised. */
final class PromisedCodes {
    static final int WRONG_PER_DAY = 12;
    private static final int TRIES = 5;
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int MAILS_IN_WINDOW = 10;

    enum Kind {
        SIGN_IN(10, true, "000000"),
        LINK(15, false, "ml_" + "A".repeat(43)),
        VERIFICATION(10, true, "000000"),
        RESET(30, false, "00000-0000-0000"),
        SMS(10, true, "000000");

        private final Duration lifetime;
        private final boolean isShort;
        private final String neverSent;

        Kind(int minutes, boolean isShort, String neverSent) {
            this.lifetime = Duration.ofMinutes(minutes);
            this.isShort = isShort;
            this.neverSent = neverSent;
        }

        /** So that it can be guessed, and tries are counted. */
        boolean isShort() {
            return isShort;
        }
    }

    /** The wrong codes of an address or number in a day that begins with the first. */
    private static final class WrongCodes {
        private int used;
        private Instant end = Instant.MIN;

        boolean areSpent(Instant now) {
            return used >= WRONG_PER_DAY && now.isBefore(end);
        }

        void count(Instant now) {
            if (!now.isBefore(end)) {
                used = 0;
                end = now.plus(Duration.ofDays(1));
            }
            used++;
        }
    }

    private static final class Code {
        private final List<String> sent = new ArrayList<>();
        private final WrongCodes wrong;
        private Instant askedAt = Instant.MIN;
        private Instant windowStart = Instant.MIN;
        private int asked;
        private boolean isGood;
        private Instant expiresAt = Instant.EPOCH;
        private int tries;
        private int triesSinceAsked;

        Code(WrongCodes wrong) {
            this.wrong = wrong;
        }

        boolean wasAskedFor() {
            return asked > 0;
        }

        String sentBefore(int count, String otherwise) {
            return sent.size() > count ? sent.get(sent.size() - 1 - count) : otherwise;
        }
    }

    private final Map<Kind, Code> codes = new EnumMap<>(Kind.class);
    private final WrongCodes wrongByMail = new WrongCodes();
    private final WrongCodes wrongBySms = new WrongCodes();
    private boolean isVerified;
    private boolean isBanned;

    PromisedCodes() {
        for (var kind : Kind.values()) {
            codes.put(kind, new Code(kind == Kind.SMS ? wrongBySms : wrongByMail));
        }
    }

    private Code of(Kind kind) {
        return Objects.requireNonNull(codes.get(kind));
    }

    String newest(Kind kind) {
        return of(kind).sentBefore(0, kind.neverSent);
    }

    String older(Kind kind) {
        return of(kind).sentBefore(1, kind.neverSent);
    }

    String wrong(Kind kind) {
        var right = newest(kind);
        return right.substring(0, right.length() - 1) + (right.endsWith("0") ? "1" : "0");
    }

    /** The expiry of the newest code; long ago if there is none. */
    Instant expiryOf(Kind kind) {
        return of(kind).expiresAt;
    }

    /** Somebody asks for one; whether it is sent. */
    boolean ask(Kind kind, Instant now) {
        var code = of(kind);
        var isNewWindow = !now.isBefore(code.windowStart.plus(WINDOW));
        if (code.wasAskedFor() && now.isBefore(code.askedAt.plus(INTERVAL))) {
            return false;
        }
        if (kind != Kind.SMS && !isNewWindow && code.asked >= MAILS_IN_WINDOW) {
            return false;
        }
        code.asked = isNewWindow ? 1 : code.asked + 1;
        code.windowStart = isNewWindow ? now : code.windowStart;
        code.askedAt = now;
        code.triesSinceAsked = 0;
        return !isBanned && !(kind == Kind.VERIFICATION && isVerified);
    }

    /** It arrives, and replaces the last one. */
    void send(Kind kind, String text, Instant now) {
        var code = of(kind);
        code.sent.add(text);
        code.isGood = true;
        code.expiresAt = now.plus(kind.lifetime);
        code.tries = 0;
    }

    /** Somebody uses one; the answer's status. */
    int use(Kind kind, String text, Instant now) {
        var code = of(kind);
        if (kind.isShort && code.wrong.areSpent(now)) {
            return 429;
        }
        var isRight = code.isGood
                && text.equals(newest(kind))
                && now.isBefore(code.expiresAt)
                && (!kind.isShort || code.tries < TRIES);
        if (isRight && isKeptForBanned(kind)) {
            return 403;
        }
        countTry(kind);
        if (!isRight) {
            if (kind.isShort && code.wasAskedFor() && code.triesSinceAsked <= TRIES) {
                code.wrong.count(now);
            }
            return 401;
        }
        useUp(kind);
        if (kind == Kind.VERIFICATION && isVerified) {
            return 401;
        }
        if (isBanned) {
            return 403;
        }
        isVerified |= kind != Kind.SMS;
        return 200;
    }

    void countTry(Kind kind) {
        var code = of(kind);
        code.tries++;
        code.triesSinceAsked++;
    }

    /** A banned user cannot use the code, which is valid again once the ban is lifted. */
    private boolean isKeptForBanned(Kind kind) {
        return isBanned && (kind == Kind.RESET || (kind == Kind.VERIFICATION && !isVerified));
    }

    private void useUp(Kind kind) {
        of(kind).isGood = false;
        if (kind == Kind.SIGN_IN || kind == Kind.LINK) { // they are two ways of one sign in
            of(Kind.SIGN_IN).isGood = false;
            of(Kind.LINK).isGood = false;
        }
    }

    boolean isVerified() {
        return isVerified;
    }

    void unverify() {
        isVerified = false;
    }

    boolean isBanned() {
        return isBanned;
    }

    void setBanned(boolean banned) {
        isBanned = banned;
    }

    /** All tries of a day again. */
    void unlock() {
        wrongByMail.used = 0;
        wrongBySms.used = 0;
    }
}
