/** Removes secrets from pages. Error texts may quote URLs with a password or a signature. */

/** Returns a copy of a JSON value with all texts redacted. */
export type Redact = (value: unknown) => unknown;

/** Text that may be a URL. Quotes do not end it: URLs and passwords may contain them. */
const stretch = /[^\s"<>]+/g;
const closing = ").,;:'";

/** Shorter secrets could be part of any word, and are not replaced. */
const shortestSecret = 6;

/** @param secrets texts that must not appear, such as the API key. */
export function createRedaction(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter(
    (secret) => secret !== undefined && secret.length >= shortestSecret,
  ) as string[];

  function redactText(text: string): string {
    const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
    return withoutKnown.replace(stretch, (piece) => withoutQuery(withoutLogins(piece)));
  }

  function redact(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redact(inner)]));
  }
  return redact;
}

/** `redis://user:password@host` -> `redis://[login]@host`, for each URL in the text. */
function withoutLogins(text: string): string {
  const [first = '', ...rest] = text.split('://');
  return [first, ...rest.map(withoutLogin)].join('://');
}

/** @param address URL without its scheme. */
function withoutLogin(address: string): string {
  const end = address.search(/[/?#]/);
  const authority = end < 0 ? address : address.slice(0, end);
  const login = authority.lastIndexOf('@');
  return login < 0 ? address : `[login]${address.slice(login)}`;
}

/** Removes the query, which has the signature of a presigned URL. Punctuation that follows the URL stays. */
function withoutQuery(text: string): string {
  const start = text.search(/https?:\/\//i);
  const query = start < 0 ? -1 : text.indexOf('?', start);
  if (query < 0) return text;
  let end = text.length;
  while (end > query + 1 && closing.includes(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, query)}?[query]${text.slice(end)}`;
}
