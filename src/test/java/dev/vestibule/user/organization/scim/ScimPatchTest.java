package dev.vestibule.user.organization.scim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.vestibule.error.ApiException;
import dev.vestibule.user.organization.scim.ScimGroup.Members;
import dev.vestibule.user.organization.scim.ScimPatch.Kind;
import dev.vestibule.user.organization.scim.ScimPatch.Operation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScimPatchTest {
    /** Copies would allocate memory, which tells the work, unlike a clock, on every machine. */
    @Test
    void addingOneMemberMoreDoesNotCopyThoseBefore() {
        var operations = new ArrayList<Operation>();
        operations.add(adding(10_000));
        for (var i = 0; i < 500; i++) {
            operations.add(adding(1));
        }
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var before = threads.getCurrentThreadAllocatedBytes();
        var steps = ScimGroup.steps(operations);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(30_000_000);
        assertThat(steps)
                .singleElement()
                .satisfies(step -> assertThat(((Members) step).users()).hasSize(10_500));
    }

    private static Operation adding(int members) {
        var ids = ScimJson.array();
        for (var i = 0; i < members; i++) {
            ids.add(UUID.randomUUID().toString());
        }
        return new Operation(Kind.ADD, ScimPatch.path("members"), ids);
    }

    /** The SDK compares each value with each, but copies none before it knows that it is new. */
    @ParameterizedTest
    @ValueSource(strings = {"roles", "urn:example:1.0:X:roles", "urn:example:1.0:X:of.roles"})
    void tooManyValuesAreRefusedBeforeTheyAreCompared(String path) {
        var resource = ScimJson.object();
        var first =
                new Operation(Kind.ADD, ScimPatch.path(path), ScimJson.array().add(0));
        ScimPatch.apply(List.of(first), resource);
        var before = resource.deepCopy();
        var values = ScimJson.array();
        IntStream.range(1, 200).forEach(values::add);
        var second = new Operation(Kind.ADD, ScimPatch.path(path), values);
        assertThatThrownBy(() -> ScimPatch.apply(List.of(second), resource))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("at most 100 values");
        assertThat(resource).isEqualTo(before);
    }
}
