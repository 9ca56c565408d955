// @ts-check
/**
 * The language of the person: its texts, and how it writes dates and numbers. Each language is a file of `messages/` with
 * the same keys; a browser loads only its own, and those of the folders in it when their screens are opened. `{name}` in a text is a placeholder for a value.
 */

/** The available languages, each by its own name. */
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
const TAG = /^[a-z]+(-[a-z\d]+)*$/i; // some browsers say en-US@posix, which no format accepts

/** @param {string} tag */
const primaryLanguage = (tag) => tag.split("-")[0].toLowerCase();

/** The language that was chosen in this browser, or an empty text: the first available one of the browser's languages. */
export function chosenLanguage() {
  try {
    const choice = localStorage.getItem(CHOICE) ?? "";
    return Object.hasOwn(LANGUAGES, choice) ? choice : "";
  } catch {
    return ""; // a browser that stores nothing for pages
  }
}

/**
 * Throws if the browser stores nothing for pages.
 * @param {string} language
 */
export function chooseLanguage(language) {
  if (language === "") {
    localStorage.removeItem(CHOICE);
  } else {
    localStorage.setItem(CHOICE, language);
  }
}

/** With the browser's region, which decides the form of dates: `en-GB`. */
function localeOfPerson() {
  const choice = chosenLanguage();
  const wanted = choice ? [choice] : Object.keys(LANGUAGES);
  return navigator.languages.find((tag) => TAG.test(tag) && wanted.includes(primaryLanguage(tag))) ?? (choice || "en");
}

/** @param {string} file */
async function loadMessages(file) {
  const response = await fetch(new URL(`messages/${file}.json`, import.meta.url));
  if (!response.ok) {
    throw new Error(`There are no texts: ${response.status}.`);
  }
  return response.json();
}

const locale = localeOfPerson();
const language = primaryLanguage(locale);
document.documentElement.lang = language;

/**
 * The texts of the console. Each module waits for them.
 * @type {Messages}
 */
export const messages = await loadMessages(language);

/**
 * The texts of a screen that has more of them than other screens should load.
 * @type {<Name extends keyof ScreenMessages>(name: Name) => Promise<ScreenMessages[Name]>}
 */
export const screenMessages = (name) => loadMessages(`${name}/${language}`);

/** @type {Fill} */
export const fill = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => String(values[/** @type {keyof typeof values} */ (name)]));

const timeFormat = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });

const stepFormats = {
  hour: new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }),
  // The server counts by days in UTC.
  day: new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }),
};
const numberFormat = new Intl.NumberFormat(locale);

const millisecondFormat = new Intl.NumberFormat(locale, { style: "unit", unit: "millisecond" });

/** @param {number} count */
export const formatMilliseconds = (count) => millisecondFormat.format(count);

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"];

/**
 * In the unit that is easiest to read.
 * @param {number} bytes
 */
export function formatBytes(bytes) {
  const step = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[step],
    maximumFractionDigits: step && 1,
  }).format(bytes / 1000 ** step);
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;
const durationFormats = ["second", "minute", "hour", "day"].map(
  (unit) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }),
);

/**
 * In words: in minutes or hours if there are many seconds, rounded up.
 * @param {number} seconds
 */
export function formatDuration(seconds) {
  const step = seconds < 2 * MINUTE ? 0 : seconds < 2 * HOUR ? 1 : 2;
  return durationFormats[step].format(Math.ceil(seconds / [1, MINUTE, HOUR][step]));
}

/**
 * In words, in the largest unit of which there is a whole number.
 * @param {number} seconds
 */
export function formatExactly(seconds) {
  const steps = [1, MINUTE, HOUR, DAY];
  const step = steps.filter((unit) => seconds % unit === 0).length - 1;
  return durationFormats[step].format(seconds / steps[step]);
}

/** @param {number} count */
export const formatNumber = (count) => numberFormat.format(count);

/**
 * The beginning of an hour or a day in a plot.
 * @param {"hour" | "day"} interval
 * @param {string} timestamp
 */
export const formatStep = (interval, timestamp) => stepFormats[interval].format(new Date(timestamp));

/** @param {string} timestamp */
export const formatDate = (timestamp) => dateFormat.format(new Date(timestamp));

/** @param {string | null | undefined} timestamp */
export function formatTime(timestamp) {
  return timestamp ? timeFormat.format(new Date(timestamp)) : messages.never;
}
