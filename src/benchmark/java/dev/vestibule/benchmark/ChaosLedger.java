package dev.vestibule.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.TestReceiver.Received;
import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** What the server acknowledged, how often it was held to that, and every promise that it broke. */
final class ChaosLedger {
    static final String HOOK = "/hook";
    private static final Duration RECOVERY = Duration.ofSeconds(3);

    private static final Map<String, String> SUBJECTS = Map.of(
            "user.created", "/data/user/id",
            "user.banned", "/data/user/id",
            "session.created", "/data/session/id",
            "session.ended", "/data/session/id");

    private final Map<String, LongAdder> acknowledged = new ConcurrentSkipListMap<>();
    private final Map<String, LongAdder> answers = new ConcurrentSkipListMap<>();
    private final LongAdder checks = new LongAdder();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Set<String> eventsToCome = ConcurrentHashMap.newKeySet();
    private final Set<String> mailsToCome = ConcurrentHashMap.newKeySet();
    private volatile long calmSince = Long.MAX_VALUE;

    /** A change of which an endpoint is to be told, with the id of whom or what it is about. */
    void acknowledge(String event, String subject) {
        acknowledge(event);
        eventsToCome.add(event + " " + subject);
    }

    void expectMail(String address) {
        mailsToCome.add(address);
    }

    void expectNoMail(String address) {
        mailsToCome.remove(address);
    }

    Set<String> mailsToCome() {
        return mailsToCome;
    }

    /** From now on, a database that is away is expected. */
    void expectOutage() {
        calmSince = Long.MAX_VALUE;
    }

    /** From now on, it is not, once the nodes have had the time to notice. */
    void expectCalm() {
        calmSince = System.nanoTime() + RECOVERY.toNanos();
    }

    /** A node says that it cannot reach the database, or has too much to do. */
    void unavailable() {
        if (System.nanoTime() > calmSince) {
            violate("503 though nothing was away");
        }
    }

    void acknowledge(String change) {
        count(acknowledged, change);
    }

    void answered(String what) {
        count(answers, what);
    }

    void check() {
        checks.increment();
    }

    void violate(String what) {
        violations.add(what);
    }

    private static void count(Map<String, LongAdder> counts, String name) {
        counts.computeIfAbsent(name, first -> new LongAdder()).increment();
    }

    /** The events that were acknowledged and did not arrive. */
    Set<String> missingEvents(List<Received> arrived) {
        var missing = ConcurrentHashMap.<String>newKeySet();
        missing.addAll(eventsToCome);
        arrived.stream()
                .map(delivery -> Json.parse(Buffer.buffer(delivery.body())))
                .forEach(event -> missing.remove(name(event)));
        return missing;
    }

    private static String name(JsonNode event) {
        var type = event.path("type").asText();
        return type + " " + event.at(SUBJECTS.getOrDefault(type, "/id")).asText();
    }

    int events() {
        return eventsToCome.size();
    }

    Map<String, Long> acknowledged() {
        return sums(acknowledged);
    }

    Map<String, Long> answers() {
        return sums(answers);
    }

    long checks() {
        return checks.sum();
    }

    Queue<String> violations() {
        return violations;
    }

    private static Map<String, Long> sums(Map<String, LongAdder> counts) {
        return counts.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, count -> count.getValue().sum(), Long::sum, TreeMap::new));
    }
}
