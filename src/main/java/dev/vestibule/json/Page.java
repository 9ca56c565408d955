package dev.vestibule.json;

/** A page of a list: at most {@code limit} rows after the first {@code offset}. */
public record Page(int limit, int offset) {}
