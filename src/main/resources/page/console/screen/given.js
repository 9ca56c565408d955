// @ts-check
/** What people type into forms about organizations, as the server takes it. */
import { ApiError, call } from "../api.js";
import { messages } from "../messages.js";

const texts = messages.organizations;

/**
 * The user with an email, or a refusal of the field that has it.
 * @param {ProjectContext} context
 * @param {string} email
 */
export async function userOf(context, email) {
  const wanted = email.trim().toLowerCase();
  const query = new URLSearchParams({ projectId: context.id, search: wanted, limit: "100" });
  const found = wanted === "" ? null : await call("GET", `dashboard/users?${query}`);
  const user = found?.users.find((candidate) => candidate.email === wanted);
  if (!user) {
    throw new ApiError(422, texts.noUser, [{ field: "email", message: texts.noUser }]);
  }
  return user.id;
}

/**
 * Text that is not a number goes to the server as it is, which says what is wrong.
 * @param {string} text
 */
export const numberOf = (text) => /** @type {number} */ (/^\d+$/.test(text.trim()) ? Number(text) : /** @type {unknown} */ (text));
