/**
 * Whether a text holds something that looks like a key, a token or a password. Names of files, hashes of commits, UUIDs
 * and identifiers are none, however long they are.
 */
export function looksLikeSecret(text: string): boolean {
  return (
    hasSecretForm(text) ||
    [...text.matchAll(assignment)].some(([, sign = '', value = '']) => isAssigned(sign, value)) ||
    (text.match(/[A-Za-z0-9+/_=.~-]{20,}/g) ?? []).some(isRandom)
  );
}

/** The same by forms that nothing else has: addresses have random parts of their own. */
export function hasSecretForm(text: string): boolean {
  return knownForms.some((form) => form.test(text));
}

const knownForms: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/,
  /\bsk-(?:ant|proj|or|live|svcacct)?-?[\w-]{16,}/,
  /\b(?:sk|pk|rk)_(?:live|test)_\w{10,}/,
  /\bgh[oprsu]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/,
  /\bxox[a-z]-[\w-]{10,}|\bxapp-[\w-]{10,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}/,
  /\b(?:npm|hf|dop_v1|shpat|pypi)[_-]\w{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  // A JSON Web Token.
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/,
  // A login in an address.
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{1,100}:[^\s/:@]{3,100}@/i,
  /\b(?:bearer|basic)\s+(?=\S{0,100}\d)[\w+/=.~-]{16,}/i,
];

/** `password=…`, `API key: …`, `Passwort ist …`, `密码是…`. */
const assignment =
  /(?:passwo(?:rd|rt)|passwd|passphrase|\bpwd|\bpin|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|mot de passe|contraseña|パスワード|密码|密碼|口令)["'`”»]?\s*(=|:|：|->|→|\b(?:is|ist|lautet|est|es)\b|は|是|为|為)\s*["'`“«]?([^\s"'`”»,;]{4,})/giu;

/** What stands for a value, or says where it is. */
const placeholder = /^(?:[<[{(*$%…]|x{3,}|\.{2,}|process\.env|env[.:])/i;

/** A plain word after a colon or an "is" is prose: `token: required`, `the password is in the vault`. */
function isAssigned(sign: string, value: string): boolean {
  if (placeholder.test(value)) return false;
  if (sign === '=') return !/^(?:true|false|null|none|undefined)\W*$/i.test(value);
  const isMixed = /\p{L}/u.test(value) && /[\d!@#$%^&*+=?]/.test(value);
  return (isMixed || /^\d{4,}\W*$/.test(value)) && !/[()/]|\.\w{1,5}$/.test(value);
}

/** Letters and digits in an order that no word has: less than half of them stand in something that could be one. */
function isRandom(run: string): boolean {
  const signs = run.replaceAll(/[^A-Za-z0-9]/g, '');
  if (signs.length < 20 || /^[\da-f]+$/i.test(signs)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(signs)).length;
  if (kinds < 2 || !/\d/.test(signs)) return false;
  // Parts of names, in capitals between separators too, and years.
  const wordLike = run.match(/[A-Z]?[a-z]{2,}|(?<![A-Za-z\d])[A-Z]{3,}(?![A-Za-z\d])|\d{4}(?!\d)/g) ?? [];
  const share = wordLike.filter(({ length }) => length > 2).join('').length / signs.length;
  return kinds === 3 ? share < 0.5 : signs.length >= 24 && share < 0.35;
}
