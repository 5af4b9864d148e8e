/** The setting `notify`: who is told what, by signed HTTP requests. `docs/notifications.md` explains it. */
import { z } from 'zod';
import { cidr } from './cidr.ts';

export const notificationEvents = [
  'campaign.ended',
  'campaign.paused',
  'review.waiting',
  'approval.waiting',
  'approval.done',
  'approval.rejected',
  'comment.added',
  'post.failed',
  'post.twice',
  'scrape.failed',
] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/** Each receiver is a connection pool and a job for every event. */
const mostReceivers = 20;

/** A mail server: its password stands in a file. */
function isMailServer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  return !url.username && !url.password && !url.search && !url.hash && /^\/?$/.test(url.pathname);
}

/** The form of the address; `processors/notify/receivers.ts` decides whether it may be reached. It may hold a token, so no message quotes it. */
function isReceiverUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash;
}

/** `standard`: as Standard Webhooks describe it, for programs. `email`: by SMTP. The others are incoming webhooks of chats. */
export const receiverFormats = ['standard', 'slack', 'teams', 'feishu', 'dingtalk', 'email'] as const;
export type ReceiverFormat = (typeof receiverFormats)[number];

const mostAddressees = 50;

const receiver = z
  .strictObject({
    url: z.string(),
    events: z
      .array(z.enum(notificationEvents))
      .min(1, 'must name an event')
      .default([...notificationEvents]),
    format: z.enum(receiverFormats).default('standard'),
    /** A file that holds the secret to sign with, or the password of the mail server; without one, nothing is signed. */
    secretFile: z.string().min(1).optional(),
    allowPrivateAddresses: z.array(cidr).default([]),
    /** Of mail: its sender, its addressees, and who signs in at the server. */
    from: z.email().optional(),
    to: z.array(z.email()).min(1).max(mostAddressees).optional(),
    user: z.string().min(1).optional(),
  })
  .superRefine((entry, context) => {
    const refuse = (field: keyof typeof entry, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const { format, url, from, to, user, secretFile } = entry;
    if (format !== 'email') {
      if (!isReceiverUrl(url))
        refuse('url', 'must be an http or https URL without user, password or fragment');
      for (const field of ['from', 'to', 'user'] as const)
        if (entry[field] !== undefined) refuse(field, 'is for the format email only');
      return;
    }
    if (!isMailServer(url))
      refuse('url', 'must be smtp://HOST or smtps://HOST, with or without a port, for the format email');
    if (from === undefined) refuse('from', 'is missing: the address that the mail comes from');
    if (to === undefined) refuse('to', 'is missing: the addresses that the mail goes to');
    if (user !== undefined && secretFile === undefined)
      refuse('secretFile', 'is missing: the file with the password of the user');
  });
export type ReceiverSetting = z.infer<typeof receiver>;

export const notify = z
  .array(receiver)
  .max(mostReceivers, `must have at most ${mostReceivers} entries`)
  .refine(
    (entries) =>
      entries.every(({ format, secretFile }) => !secretFile || !['slack', 'teams'].includes(format)),
    {
      error: 'has a secretFile beside the format slack or teams, which take no signature: remove it',
    },
  )
  .refine(
    (entries) => new Set(entries.map(({ url, to = [] }) => [url, ...to].join(' '))).size === entries.length,
    {
      error: 'names a URL twice: give all its events in one entry',
    },
  )
  .default([]);

const keyText = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes a secret as Standard Webhooks write it: base64, with or without the prefix `whsec_`.
 * @returns undefined for any other text.
 */
export function decodeSecret(text: string): Buffer | undefined {
  const encoded = text.replace(/^whsec_/, '');
  const bytes = Buffer.from(encoded, 'base64');
  return keyText.test(encoded) && bytes.length > 0 ? bytes : undefined;
}
