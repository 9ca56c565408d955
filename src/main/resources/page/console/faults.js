const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"/iy;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\r\n]*/y;
const DEEPEST = 500;

/** Where a text ceases to be JSON; its length where only the end is missing. Browsers do not tell it, or each in another way. */
export function faultOf(text) {
  let at = 0;
  function match(pattern) {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    at = found ? pattern.lastIndex : at;
    return found;
  }
  const space = () => match(SPACE);
  function is(character) {
    const found = text[at] === character;
    at += found ? 1 : 0;
    return found && space();
  }
  function value(depth) {
    if (depth > DEEPEST) {
      return false;
    }
    if (is("{")) {
      return is("}") || list(() => match(STRING) && space() && is(":") && value(depth + 1), "}");
    }
    if (is("[")) {
      return is("]") || list(() => value(depth + 1), "]");
    }
    return (text[at] === '"' ? match(STRING) : /[-\dtfn]/.test(text[at] ?? "") && match(WORD)) && space();
  }
  function list(item, end) {
    do {
      if (!item()) {
        return false;
      }
    } while (is(","));
    return is(end);
  }
  space();
  value(0);
  return at;
}
