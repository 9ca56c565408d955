package dev.vestibule.webhook;

/** The response of an endpoint that sends a delivery, which may be waiting or done already. */
record DeliveryResponse(boolean success, Delivery delivery) {}
