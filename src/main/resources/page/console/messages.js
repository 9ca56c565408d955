import en from "./messages/en.js";

/** The texts of the console; a language is one module with the same names. */
export const t = en;

const time = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function when(timestamp) {
  return timestamp ? time.format(new Date(timestamp)) : t.never;
}
