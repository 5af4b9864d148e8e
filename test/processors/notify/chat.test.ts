/** Messages to the incoming webhooks of chats, against a server that checks them as each chat does. */
import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notificationEvents, notify, type ReceiverFormat } from '../../../config/notify.ts';
import { campaignMessage, runMessage, testMessage } from '../../../src/processors/notify/deliver.ts';
import { WebhookReceiver } from '../../../src/processors/notify/webhook.ts';
import { wireServer } from '../../support/wire-server.ts';

const noon = Date.UTC(2026, 5, 1, 12);
const secret = 'SECf3a0c1';
const counts = { waiting: 0, ready: 0, running: 0, posted: 1057, failed: 2, review: 1, cancelled: 0 };
const codes = { media_missing: 2, outcome_unknown: 1 };
const hostileName = 'spring <!channel> [here](http://evil.example) *bold* \u202e';

function endedMessage(name = 'spring'): string {
  const event = { id: 'msg_1', event: 'campaign.ended', at: noon, campaign: 'c1', name } as const;
  return campaignMessage({ ...event, reason: undefined, rows: [], codes: {}, counts }, counts, codes);
}

interface Sending {
  readonly answer?: string;
  readonly body?: string;
  readonly key?: string | undefined;
  readonly consoleUrl?: string | undefined;
}

/** Sends a message to a server that gives this answer with HTTP 200. */
async function sendTo(
  format: ReceiverFormat,
  { answer = '{}', body = endedMessage(), key, ...rest }: Sending = {},
) {
  const server = await wireServer((_request, socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`,
    );
  });
  const consoleUrl = 'consoleUrl' in rest ? rest.consoleUrl : 'https://posts.example/campaigns-console';
  const url = `${server.origin}/hook?access_token=t0k3n`;
  const entry = { url, events: [...notificationEvents], format, allowPrivateAddresses: ['127.0.0.1'] };
  const receiver = new WebhookReceiver(entry, key === undefined ? undefined : Buffer.from(key), {
    consoleUrl,
  });
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const result = await receiver.send({ id: 'msg_1', body }, noon);
  const [request] = server.requests;
  return { result, sent: JSON.parse(String(request?.body)), target: request?.target ?? '' };
}

const page = 'https://posts.example/campaigns-console/campaigns/c1';

describe('a message that a campaign has ended', () => {
  it('to Slack has its counts, causes and a link', async () => {
    const { result, sent } = await sendTo('slack', { answer: 'ok' });
    expect(result).toEqual({ kind: 'delivered', status: 200 });
    expect(sent).toEqual({
      text: `*Campaign spring has ended*\n1,057 posted or scheduled, 2 failed, 1 in review\nA media file is gone (2); The service did not answer (1)\n<${page}|Open in the console>`,
    });
  });

  it('names codes in words, also those without a title', async () => {
    const event = { id: 'msg_1', event: 'campaign.ended', at: noon, campaign: 'c1', name: 'spring' } as const;
    const many = { '40101': 3, '7': 2, http_503: 1, media_type_mismatch: 1, rejected: 1 };
    const facts = { ...event, reason: undefined, rows: [], codes: {}, counts };
    const { sent } = await sendTo('slack', { answer: 'ok', body: campaignMessage(facts, counts, many) });
    const [, , line] = sent.text.split('\n');
    expect(line.split('; ')).toEqual([
      'The authorization of a creator has expired (3)',
      'The service refused the call with code 7 (2)',
      'The service answered with HTTP 503 (1)',
      'Media type mismatch (1)',
      'A person rejected the post (1)',
    ]);
  });

  it('to Teams is an adaptive card', async () => {
    const { sent } = await sendTo('teams', { answer: '' });
    expect(sent).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            body: [
              { text: 'Campaign spring has ended' },
              { text: '1,057 posted or scheduled, 2 failed, 1 in review' },
              {},
            ],
            actions: [{ type: 'Action.OpenUrl', url: page }],
          },
        },
      ],
    });
  });

  it('to Feishu is signed in its body', async () => {
    const { result, sent } = await sendTo('feishu', { answer: '{"code":0,"msg":"success"}', key: secret });
    expect(result).toEqual({ kind: 'delivered', status: 200 });
    expect(sent).toMatchObject({
      timestamp: String(noon / 1000),
      sign: createHmac('sha256', `${noon / 1000}\n${secret}`).digest('base64'),
      msg_type: 'post',
      content: { post: { en_us: { title: 'Campaign spring has ended' } } },
    });
    expect(sent.content.post.en_us.content.at(-1)).toEqual([
      { tag: 'a', text: 'Open in the console', href: page },
    ]);
  });

  it('to DingTalk is signed in its address', async () => {
    const { result, sent, target } = await sendTo('dingtalk', {
      answer: '{"errcode":0,"errmsg":"ok"}',
      key: secret,
    });
    expect(result).toEqual({ kind: 'delivered', status: 200 });
    const query = new URL(target, 'http://chat.example').searchParams;
    expect(query.get('access_token')).toBe('t0k3n');
    expect(query.get('sign')).toBe(
      createHmac('sha256', secret).update(`${noon}\n${secret}`).digest('base64'),
    );
    expect(sent).toMatchObject({
      msgtype: 'text',
      text: {
        content: expect.stringContaining(`has ended\n1,057 posted or scheduled, 2 failed, 1 in review\n`),
      },
    });
  });

  it('names the command where the address of the console is not known', async () => {
    const { sent } = await sendTo('slack', { consoleUrl: undefined });
    expect(sent.text).toMatch(/\ncampaigns show c1$/);
  });
});

describe('a message of', () => {
  it('a scrape leads to the videos', async () => {
    const event = { id: 'msg_1', event: 'scrape.failed', at: 0, reason: undefined } as const;
    const body = runMessage({ ...event, run: '7', counts: { done: 3, failed: 1 }, codes: { http_500: 1 } });
    const { sent } = await sendTo('slack', { body });
    expect(sent.text).toContain(
      '3 done, 1 failed\nThe service answered with HTTP 500 (1)\n<https://posts.example/campaigns-console/videos|',
    );
  });

  it('doctor is a test', async () => {
    const { sent } = await sendTo('dingtalk', { body: testMessage(0), answer: '{"errcode":0}' });
    expect(sent.text.content).toContain('Campaign Runner: a test message');
  });
});

it.each([
  ['slack', /<!|<http:|\u202e/],
  ['teams', /(?<!\\)[[*]|\u202e/],
  ['feishu', /\u202e/],
  ['dingtalk', /\u202e/],
] as const)('a name from a sheet mentions and links nothing in %s', async (format, obeyed) => {
  const { sent } = await sendTo(format, { body: endedMessage(hostileName), consoleUrl: undefined });
  const texts: string[] = [];
  JSON.stringify(sent, (_key, value: unknown) => {
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  const named = texts.filter((text) => text.includes('spring'));
  expect(named).not.toEqual([]);
  for (const text of named) expect(text.replace(/^\*|\*$/gm, '')).not.toMatch(obeyed);
});

describe('a chat that answers HTTP 200 and refuses', () => {
  it.each([
    ['feishu', '{"code":19024,"msg":"Key Words Not Found"}', 'Key Words Not Found (19024)'],
    ['dingtalk', '{"errcode":310000,"errmsg":"sign not match"}', 'sign not match (310000)'],
    ['dingtalk', '<html>', 'no reason given (no code)'],
  ] as const)('%s: %s is a failure', async (format, answer, why) => {
    const { result } = await sendTo(format, { answer });
    expect(result).toEqual({ kind: 'failed', problem: `it refused the message: ${why}`, isFinal: false });
  });
});

it('Slack and Teams take no secret', () => {
  const entry = { url: 'https://hooks.example/a', secretFile: '/run/secrets/chat' };
  expect(notify.safeParse([{ ...entry, format: 'feishu' }]).success).toBe(true);
  expect(notify.safeParse([{ ...entry, format: 'slack' }]).error?.issues[0]?.message).toContain('secretFile');
});
