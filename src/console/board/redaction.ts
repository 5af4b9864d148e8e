/** Removes secrets from pages. Error texts may quote URLs with a password or a signature. */

/** Returns a copy of a JSON value with all texts redacted. */
export type Redact = (value: unknown) => unknown;

const userInfo = /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]*@/gi;
/** Presigned URLs carry their signature in the query. */
const query = /(\bhttps?:\/\/[^\s?#"'<>]*)\?[^\s#"'<>)]*/gi;

/** A shorter secret could be part of any word. */
const shortestSecret = 6;

/** @param secrets texts that must not appear, such as the API key. */
export function createRedaction(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter(
    (secret) => secret !== undefined && secret.length >= shortestSecret,
  ) as string[];

  function redactText(text: string): string {
    const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
    return withoutKnown.replace(userInfo, '$1[login]@').replace(query, '$1?[query]');
  }

  function redact(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redact(inner)]));
  }
  return redact;
}
