// @ts-check
/** Files that the person gets. */

/**
 * @param {Blob} file
 * @param {string} name
 */
export function saveFile(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/**
 * A file's name that says what is in it, of which day.
 * @param {string} what
 * @param {string} ending
 */
export const datedName = (what, ending) => `${what}-${new Date().toISOString().slice(0, 10)}.${ending}`;
