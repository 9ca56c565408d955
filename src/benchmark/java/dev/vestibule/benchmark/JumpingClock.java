package dev.vestibule.benchmark;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The real time, but for what it was put forward or back. */
final class JumpingClock extends Clock {
    private volatile Duration offset = Duration.ZERO;

    void jumpTo(Duration beforeOrAfterRealTime) {
        offset = beforeOrAfterRealTime;
    }

    @Override
    public Instant instant() {
        return Clock.systemUTC().instant().plus(offset);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("the server knows UTC alone");
    }
}
