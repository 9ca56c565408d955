/**
 * The one configured Jackson mapper, and the reader that turns a JSON object into a record.
 *
 * <p>A request's body is read field by field through {@link dev.vestibule.json.Fields} rather than bound by Jackson.
 * This way one response can name every failing field, a partial update can tell absent from null, and the wording of a
 * violation is this server's own. Rules for single values ({@link dev.vestibule.json.Text},
 * {@link dev.vestibule.json.WebUrl} and those in other packages) are plain functions from string to value. None of them
 * sees a text before its length has been checked: {@link dev.vestibule.json.FieldType} has one limit for all, and a
 * field that needs a larger one must declare it.
 *
 * <p>Public routes ignore unknown fields, since clients of many versions send them. Management routes use
 * {@code readStrictly}: otherwise a typo such as {@code revok} would succeed and do nothing. The known fields are those
 * that the reader asks for, so there is no separate list of names. Free-form values are not inspected.
 *
 * <p>Parsing is strict because other parsers will read the same text: a duplicate key or trailing text could mean one
 * thing here and another there. Depth and number length are limited because both cost time to parse.
 */
@NullMarked
package dev.vestibule.json;

import org.jspecify.annotations.NullMarked;
