// @ts-check
/** The colours: as the system has them, or as the person chose in this browser. */

const CHOICE = "vestibule-theme";
export const THEMES = /** @type {const} */ (["system", "light", "dark"]);

/** @typedef {typeof THEMES[number]} Theme */

/** @returns {Theme} */
export function chosenTheme() {
  try {
    const choice = localStorage.getItem(CHOICE);
    return THEMES.find((theme) => theme === choice) ?? "system";
  } catch {
    return "system"; // a browser that stores nothing for pages
  }
}

/** @param {Theme} theme */
function apply(theme) {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
}

/**
 * If the browser stores nothing for pages, only until the page is closed.
 * @param {Theme} theme
 */
export function chooseTheme(theme) {
  apply(theme);
  try {
    localStorage.setItem(CHOICE, theme);
  } catch {
    // nothing is kept
  }
}

/** Whether the page is dark now. */
export function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

apply(chosenTheme());
