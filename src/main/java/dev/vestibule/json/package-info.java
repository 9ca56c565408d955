/**
 * The one configured Jackson mapper, and the reader that turns a JSON object into a record.
 *
 * <p>A request's body is read field by field through {@link dev.vestibule.json.Fields} rather than bound by Jackson. So
 * one response can name every failing field, absent and null stay different in a partial update, and the wording of a
 * violation is this server's own. Rules for single values ({@link dev.vestibule.json.Text}, {@link
 * dev.vestibule.json.WebUrl} and those of the rooms) are plain functions from string to value. None of them sees a text
 * before its length was checked: {@link dev.vestibule.json.FieldType} has one limit for all, and a larger one has to be
 * declared with the field.
 *
 * <p>Public routes ignore unknown fields, since clients of many versions send them. Management routes read by {@code
 * readStrictly}: a typo such as {@code revok} would otherwise succeed and do nothing. What a reader asks for is what is
 * known, so there is no list of names beside it, and free-form values are not looked into.
 *
 * <p>Parsing is strict because other parsers will read the same text: a duplicate key or trailing text could mean one
 * thing here and another thing there. Depth and number length are limited because both cost time to parse.
 */
@NullMarked
package dev.vestibule.json;

import org.jspecify.annotations.NullMarked;
