package dev.vestibule.project;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a component of {@link Project}, or of a record in it, as a setting. {@link ProjectMapping} derives how it is
 * stored, validated and returned from this annotation and from the component's type. Null clears a nullable setting.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface ProjectSetting {
    /** A column of the table {@code projects}. */
    String column();

    /**
     * The field of the API, within an object such as {@code sessionConfig.maxLifetime}; empty if it has the name of the
     * component.
     */
    String field() default "";

    /** The rule for a text, or for each text of a list. */
    TextRule rule() default TextRule.NONE;

    /** The smallest number, or the shortest time in seconds. */
    int min() default 0;

    /** The largest number, the longest time in seconds, or the maximum length of a list. */
    int max() default 0;

    /** Whether only the server sets it, and no request changes it. */
    boolean fixed() default false;

    /**
     * Whether it can be changed without a recent sign in, because it affects neither how users prove who they are nor
     * where codes and links are sent.
     */
    boolean harmless() default false;
}
