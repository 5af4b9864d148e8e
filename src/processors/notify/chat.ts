/**
 * Messages for people, and the form that the incoming webhooks of chats take: a title, some lines, and a link to the page. Names come from sheets, so
 * none of them may become a mention, a link or a format of the chat.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { ReceiverFormat } from '../../../config/notify.ts';
import { printable } from '../../manifest/printable.ts';
import { codeTitles, productUnavailable } from '../../manifest/problems/code-titles.ts';
import { capitalized, plural } from '../../manifest/wording.ts';
import { authorizationExpiredCode, productUnavailableCode } from '../../service/contract/creators.ts';

export type ChatFormat = Exclude<ReceiverFormat, 'standard' | 'email'>;

const counts = z.record(z.string(), z.number()).optional();
/** What chats use of a message: those of campaigns have `campaign`, those of a scrape do not. */
const notificationBody = z.object({
  event: z.string(),
  campaign: z.string().optional(),
  name: z.string().optional(),
  reason: z.object({ message: z.string() }).optional(),
  counts,
  codes: counts,
  command: z.string(),
});
type NotificationBody = z.infer<typeof notificationBody>;

interface ChatText {
  readonly title: string;
  readonly lines: readonly string[];
  /** Page in the console; undefined where its address is not known. */
  readonly page: string | undefined;
}

/** @param json the message as endpoints of programs get it. @param consoleUrl without a slash at the end; undefined if it is not known. */
export function chatText(json: string, consoleUrl: string | undefined): ChatText {
  const body = notificationBody.parse(JSON.parse(json));
  const id = body.campaign && encodeURIComponent(body.campaign);
  const ofCampaign = body.event === 'approval.waiting' ? `/approvals?campaign=${id}` : `/campaigns/${id}`;
  const page = id === undefined ? '/videos' : ofCampaign;
  return {
    title: titleOf(body),
    lines: [
      ...(body.reason ? [printable(body.reason.message)] : []),
      ...listed(
        Object.entries(body.counts ?? {}),
        ', ',
        (state, rows) => `${rows.toLocaleString('en')} ${stateWord(state)}`,
      ),
      ...listed(codesOf(body), '; ', (code, rows) => `${codeTitle(code)} (${rows.toLocaleString('en')})`),
      ...(consoleUrl === undefined ? [body.command] : []),
    ],
    page: consoleUrl && `${consoleUrl}${page}`,
  };
}

function titleOf({ event, name = '', counts = {}, codes = {} }: NotificationBody): string {
  const campaign = printable(name);
  const found = Object.values(codes).reduce((sum, rows) => sum + rows, 0);
  switch (event) {
    case 'campaign.ended':
      return `Campaign ${campaign} has ended`;
    case 'campaign.paused':
      return `Campaign ${campaign} is paused`;
    case 'review.waiting':
      return `Campaign ${campaign}: ${plural(counts.review ?? 0, 'row')} in review`;
    case 'approval.waiting':
      return codes.not_approved
        ? `Campaign ${campaign}: ${plural(codes.not_approved, 'post')} for your approval`
        : `Campaign ${campaign}: ${plural(found, 'row')} with AI outputs beyond the limit`;
    case 'approval.done':
      return `Campaign ${campaign}: no post waits for an approval any more`;
    case 'approval.rejected':
      return `Campaign ${campaign}: ${plural(found, 'post')} rejected`;
    case 'comment.added':
      return `Campaign ${campaign}: ${plural(found, 'comment')}`;
    case 'post.failed':
      return `Campaign ${campaign}: ${plural(found, 'post')} not published`;
    case 'post.twice':
      return `Campaign ${campaign}: ${plural(found, 'row')} with two posts`;
    case 'scrape.failed':
      return 'Campaign Runner: the update of video figures had failures';
    default:
      return 'Campaign Runner: a test message';
  }
}

function stateWord(state: string): string {
  if (state === 'posted') return 'posted or scheduled';
  return state === 'review' ? 'in review' : state;
}

/** Their titles say what the codes would. */
const saidByTitle: ReadonlySet<string> = new Set(['approval.rejected', 'comment.added', 'post.twice']);

/** The most rows first, which JSON does not keep of numbers. */
function codesOf({ event, codes = {} }: NotificationBody): readonly Count[] {
  if (saidByTitle.has(event)) return [];
  return Object.entries(codes).sort(([, one], [, other]) => other - one);
}

type Count = readonly [name: string, rows: number];

const ownTitles: ReadonlyMap<string, string> = new Map([
  [String(productUnavailableCode), productUnavailable],
  [String(authorizationExpiredCode), 'The authorization of a creator has expired'],
  ['rejected', 'A person rejected the post'],
  ['not_approved', 'Posts for approval'],
  ['not_paid', 'AI outputs beyond the limit'],
  ['other', 'Other causes'],
]);

/** `media_type_mismatch` becomes `Media type mismatch`. */
function codeTitle(code: string): string {
  const known = ownTitles.get(code) ?? codeTitles.get(code);
  if (known !== undefined) return known;
  if (/^\d+$/.test(code)) return `The service refused the call with code ${code}`;
  const status = /^http_(\d+)$/.exec(code)?.[1];
  if (status !== undefined) return `The service answered with HTTP ${status}`;
  return capitalized(printable(code.replaceAll('_', ' ')));
}

function listed(
  counts: readonly Count[],
  separator: string,
  text: (name: string, count: number) => string,
): readonly string[] {
  const parts = counts.flatMap(([name, count]) => (count > 0 ? [text(name, count)] : []));
  return parts.length > 0 ? [parts.join(separator)] : [];
}

/** Their addresses are the secret; the settings refuse another one. */
export const takesNoSignature: ReadonlySet<ChatFormat | undefined> = new Set(['slack', 'teams']);

const openPage = 'Open in the console';

/** The body of a request. @param at Unix epoch, milliseconds. @param secret that the chat has given for this webhook. */
export function chatBody(format: ChatFormat, text: ChatText, at: number, secret: string | undefined): string {
  return JSON.stringify(bodies[format](text, at, secret));
}

const bodies: Readonly<
  Record<ChatFormat, (text: ChatText, at: number, secret: string | undefined) => unknown>
> = {
  slack: ({ title, lines, page }) => ({
    text: [`*${slackText(title)}*`, ...lines.map(slackText), ...(page ? [`<${page}|${openPage}>`] : [])].join(
      '\n',
    ),
  }),
  teams: ({ title, lines, page }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { ...teamsBlock(title), weight: 'Bolder' },
            ...lines.map((line) => ({ ...teamsBlock(line), spacing: 'Small' })),
          ],
          ...(page && { actions: [{ type: 'Action.OpenUrl', title: openPage, url: page }] }),
        },
      },
    ],
  }),
  feishu: ({ title, lines, page }, at, secret) => ({
    ...(secret !== undefined && feishuSignature(secret, at)),
    msg_type: 'post',
    content: {
      post: {
        en_us: {
          title,
          content: [
            ...lines.map((text) => [{ tag: 'text', text }]),
            ...(page ? [[{ tag: 'a', text: openPage, href: page }]] : []),
          ],
        },
      },
    },
  }),
  dingtalk: ({ title, lines, page }) => ({
    msgtype: 'text',
    text: { content: [title, ...lines, ...(page ? [page] : [])].join('\n') },
  }),
};

/** `<!channel>` would call everybody. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text blocks of cards take links and emphasis as Markdown. */
function teamsBlock(text: string) {
  return { type: 'TextBlock', text: text.replaceAll(/[\\*_[\]]/g, '\\$&'), wrap: true };
}

function feishuSignature(secret: string, at: number) {
  const timestamp = String(Math.floor(at / 1000));
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).digest('base64') };
}

/** DingTalk takes the signature in the address. */
export function chatUrl(format: ChatFormat, url: URL, at: number, secret: string | undefined): URL {
  if (format !== 'dingtalk' || secret === undefined) return url;
  const signed = new URL(url);
  signed.searchParams.set('timestamp', String(at));
  signed.searchParams.set('sign', createHmac('sha256', secret).update(`${at}\n${secret}`).digest('base64'));
  return signed;
}

/** Feishu and DingTalk answer HTTP 200 to what they refuse. @returns why, such as `keyword not found (19024)`. */
export function chatRefusal(format: ChatFormat | undefined, answer: string): string | undefined {
  if (format !== 'feishu' && format !== 'dingtalk') return undefined;
  const read = parsed(answer);
  const { code = read.StatusCode, msg } =
    format === 'feishu' ? read : { code: read.errcode, msg: read.errmsg };
  if (code === 0) return undefined;
  return `it refused the message: ${printable(String(msg ?? 'no reason given').slice(0, 200))} (${printable(String(code ?? 'no code').slice(0, 20))})`;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
