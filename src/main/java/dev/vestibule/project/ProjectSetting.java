package dev.vestibule.project;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a component of {@link Project}, or of a record in it, as a setting. How it is stored, what a request may change it
 * to, and how it is returned follow from this and from the component's type: {@link ProjectMapping}. One that is nullable
 * is cleared by null.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface ProjectSetting {
    /** Of the table {@code projects}. */
    String column();

    /** The field of the API, within an object as {@code sessionConfig.maxLifetime}; empty if it is named as the component. */
    String field() default "";

    /** What a text must be, or each text of a list. */
    TextRule rule() default TextRule.NONE;

    /** The least number, or the shortest time in seconds. */
    int min() default 0;

    /** The greatest number, the longest time in seconds, or how many texts a list may have. */
    int max() default 0;

    /** Whether the server sets it, and no request changes it. */
    boolean fixed() default false;

    /**
     * Whether it is changed without a recent sign in, because it neither says what proves who a user is nor where the proofs
     * are sent.
     */
    boolean harmless() default false;
}
