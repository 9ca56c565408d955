package dev.vestibule.benchmark;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** The results of some seconds of a load. */
record Sample(Histogram latencies, double seconds, Cpu cpu) {
    /** Lets the load settle, watches it for that time, and stops it. */
    static Sample of(Load load, CpuClock clock, Duration settle, Duration time) {
        pause(settle);
        var sample = watch(load, clock, time);
        load.stop();
        return sample;
    }

    /** Leaves the load running. */
    static Sample watch(Load load, CpuClock clock, Duration time) {
        var cpu = clock.now();
        var start = System.nanoTime();
        load.latencies().reset();
        pause(time);
        var latencies = load.latencies().getIntervalHistogram();
        var seconds = (System.nanoTime() - start) / 1e9;
        return new Sample(latencies, seconds, clock.now().minus(cpu));
    }

    private static void pause(Duration time) {
        var end = System.nanoTime() + time.toNanos();
        for (var left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    Sample plus(Sample other) {
        var both = latencies.copy();
        both.add(other.latencies);
        return new Sample(both, seconds + other.seconds, cpu.plus(other.cpu));
    }

    double perSecond() {
        return latencies.getTotalCount() / seconds;
    }

    double millis(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1e6;
    }

    /** CPU seconds for a thousand answers. */
    Cpu cpuPerThousand() {
        var thousands = latencies.getTotalCount() / 1000.0;
        return new Cpu(cpu.process() / thousands, cpu.postgres() / thousands);
    }
}
