/** Signs messages as Standard Webhooks 1.0 describes. */
import { createHmac } from 'node:crypto';

/**
 * @param key bytes of the secret; undefined: the message is not signed.
 * @param id the same in all attempts.
 * @param at time of the attempt: Unix epoch, milliseconds.
 */
export function signedHeaders(
  key: Buffer | undefined,
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (!key) return headers;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...headers, 'webhook-signature': `v1,${signature}` };
}
