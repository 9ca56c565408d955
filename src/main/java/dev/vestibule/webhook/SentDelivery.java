package dev.vestibule.webhook;

/** The answer of what sends something: the delivery, which waits for its attempt or is through already. */
record SentDelivery(boolean success, Delivery delivery) {}
