// @ts-check
// Bytes as the server writes and reads them: base64url without padding.
/** @param {string} base64Url */
export const decode = base64Url =>
  Uint8Array.from(atob(base64Url.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0));

/** @param {ArrayBuffer} buffer */
export const encode = buffer =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
