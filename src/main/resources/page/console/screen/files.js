// @ts-check
/** Saves files for the person. */

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
 * A file name with the content and the day.
 * @param {string} what
 * @param {string} ending
 */
export const datedName = (what, ending) => `${what}-${new Date().toISOString().slice(0, 10)}.${ending}`;
