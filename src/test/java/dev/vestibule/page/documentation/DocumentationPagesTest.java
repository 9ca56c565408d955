package dev.vestibule.page.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.page.Assets;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DocumentationPagesTest {
    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger readings = new AtomicInteger();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private JsonNode failTheFirstTime() {
        if (readings.getAndIncrement() == 0) {
            throw new IllegalStateException("too many open files");
        }
        return JsonNodeFactory.instance.objectNode();
    }

    @Test
    void aFailureIsNotKeptAndASuccessIs() {
        var pages = new DocumentationPages(new Assets(), this::failTheFirstTime);

        assertThatThrownBy(() -> pages.index(vertx).await()).hasMessageContaining("too many open files");
        var index = pages.index(vertx).await();

        assertThat(pages.index(vertx).await()).isSameAs(index);
        assertThat(readings).hasValue(2);
    }
}
