package dev.vestibule.benchmark;

/** CPU seconds of the measured process and of the PostgreSQL behind it. */
record Cpu(double process, double postgres) {
    static final Cpu NONE = new Cpu(0, 0);

    Cpu plus(Cpu other) {
        return new Cpu(process + other.process, postgres + other.postgres);
    }

    Cpu minus(Cpu other) {
        return new Cpu(process - other.process, postgres - other.postgres);
    }
}
