package dev.vestibule.benchmark;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.jspecify.annotations.Nullable;

/** A reported line of the table. The ratio is to another line that was measured in turns with this one. */
@JsonInclude(Include.NON_NULL)
record Figure(
        String name,
        int clients,
        double perSecond,
        double p50Millis,
        double p99Millis,
        double processCpuSecondsPer1000,
        double postgresCpuSecondsPer1000,
        @Nullable String comparedTo,
        @Nullable Double ratio,
        @Nullable Double bar) {
    static Figure of(String name, int clients, Sample sample) {
        return new Figure(
                name,
                clients,
                Report.rounded(sample.perSecond()),
                Report.rounded(sample.millis(50)),
                Report.rounded(sample.millis(99)),
                Report.rounded(sample.cpuPerThousand().process()),
                Report.rounded(sample.cpuPerThousand().postgres()),
                null,
                null,
                null);
    }

    Figure comparedTo(String other, double ratioToIt, double atLeast) {
        return new Figure(
                name,
                clients,
                perSecond,
                p50Millis,
                p99Millis,
                processCpuSecondsPer1000,
                postgresCpuSecondsPer1000,
                other,
                ratioToIt,
                atLeast);
    }
}
