package dev.vestibule.project.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.vestibule.user.UserId;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistinctUsersTest {
    /** Four standard errors. */
    private static final double TOLERANCE = 10;

    private static List<UUID> users(int count) {
        return Stream.generate(UserId::next).map(UserId::value).limit(count).toList();
    }

    private static DistinctUsers of(List<UUID> users) {
        var distinct = new DistinctUsers();
        users.forEach(distinct::add);
        return distinct;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 126, 127})
    void fewUsersAreCountedExactlyHoweverOftenTheyAppear(int count) {
        var users = users(count);
        var distinct = of(users);
        for (var user : users) {
            assertThat(distinct.add(user)).as("news").isFalse();
        }
        assertThat(distinct.count()).isEqualTo(count);
        assertThat(DistinctUsers.of(distinct.toBytes()).count()).isEqualTo(count);
        assertThat(distinct.toBytes()).hasSize(8 * count);
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 129, 1000, 200_000})
    void manyUsersAreEstimatedInABoundedSpace(int count) {
        var users = users(count);
        var distinct = of(users);
        assertThat(distinct.count()).isCloseTo(count, withinPercentage(TOLERANCE));
        assertThat(distinct.toBytes()).hasSize(1024);
        assertThat(users).noneMatch(distinct::add);
        assertThat(DistinctUsers.of(distinct.toBytes()).count()).isEqualTo(distinct.count());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 100, 5000})
    void aUserOfSeveralHoursCountsOnce(int more) {
        var users = users(100 + more);
        var one = of(users.subList(0, 60));
        var other = of(users.subList(40, users.size()));
        var otherBefore = other.toBytes();

        assertThat(one.addAll(other)).as("news").isTrue();
        assertThat(one.count()).isCloseTo(users.size(), withinPercentage(users.size() > 127 ? TOLERANCE : 0));
        assertThat(one.addAll(other)).as("news").isFalse();
        assertThat(other.toBytes()).isEqualTo(otherBefore);

        assertThat(other.addAll(one)).as("news for the other").isTrue();
        assertThat(other.count()).isEqualTo(one.count());
    }

    @Test
    void aCopyIsIndependentOfTheOriginal() {
        var users = users(400);
        var original = of(users.subList(0, 200));
        var copy = DistinctUsers.of(original.toBytes());
        users.forEach(copy::add);
        assertThat(original.count()).isCloseTo(200, withinPercentage(TOLERANCE));
    }
}
