/** Files that the person gets. */

export function keep(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** A file's name that says what is in it, of which day. */
export const named = (what, ending) => `${what}-${new Date().toISOString().slice(0, 10)}.${ending}`;
