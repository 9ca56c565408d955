/**
 * What there is, by its own name. A language is one module of `messages/` with the same names, of which a browser loads one;
 * it imports nothing from here, since this module waits for it.
 */
export const LANGUAGES = {
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  ja: "日本語",
  ko: "한국어",
  pt: "Português",
  zh: "中文",
};

const CHOICE = "vestibule-language";
const TAG = /^[a-z]+(-[a-z\d]+)*$/i; // some browsers say en-US@posix, which no format takes
const primary = (tag) => tag.split("-")[0].toLowerCase();

/** The language that was chosen in this browser, or an empty text: the first of the browser's own that there is. */
export function chosenLanguage() {
  try {
    const choice = localStorage.getItem(CHOICE) ?? "";
    return Object.hasOwn(LANGUAGES, choice) ? choice : "";
  } catch {
    return ""; // a browser that keeps nothing for pages
  }
}

/** Throws where the browser keeps nothing for pages. */
export function chooseLanguage(language) {
  if (language === "") {
    localStorage.removeItem(CHOICE);
  } else {
    localStorage.setItem(CHOICE, language);
  }
}

/** With the region that the browser names, which dates are written for: `en-GB`. */
function localeOfPerson() {
  const choice = chosenLanguage();
  const wanted = choice ? [choice] : Object.keys(LANGUAGES);
  return navigator.languages.find((tag) => TAG.test(tag) && wanted.includes(primary(tag))) ?? (choice || "en");
}

const locale = localeOfPerson();
const language = primary(locale);
document.documentElement.lang = language;

/** The texts of the console. */
export const t = (await import(`./messages/${language}.js`)).default;

const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

const steps = {
  hour: new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }),
  // The server counts by days of UTC.
  day: new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }),
};
const numbers = new Intl.NumberFormat(locale);

const milliseconds = new Intl.NumberFormat(locale, { style: "unit", unit: "millisecond" });

export const millis = (count) => milliseconds.format(count);

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"];

/** A number of bytes, in the unit that is read best. */
export function size(bytes) {
  const step = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const unit = { style: "unit", unit: UNITS[step], maximumFractionDigits: step && 1 };
  return new Intl.NumberFormat(locale, unit).format(bytes / 1000 ** step);
}

const MINUTE = 60;
const HOUR = 3600;
const lengths = ["second", "minute", "hour"].map(
  (unit) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }),
);

/** So many seconds in words: by the minute or the hour where they are many, and never less than they are. */
export function duration(seconds) {
  const step = seconds < 2 * MINUTE ? 0 : seconds < 2 * HOUR ? 1 : 2;
  return lengths[step].format(Math.ceil(seconds / [1, MINUTE, HOUR][step]));
}

export const number = (count) => numbers.format(count);

/** Where an hour or a day of a plot begins. */
export const step = (interval, timestamp) => steps[interval].format(new Date(timestamp));

export function when(timestamp) {
  return timestamp ? time.format(new Date(timestamp)) : t.never;
}
