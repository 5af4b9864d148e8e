/** One attempt to deliver a message, to receivers of all kinds. */
import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notificationEvents, type ReceiverSetting } from '../../../config/notify.ts';
import { signedHeaders, WebhookReceiver } from '../../../src/processors/notify/webhook.ts';
import { type Answer, httpAnswer, wireServer } from '../../support/wire-server.ts';

const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const message = { id: 'msg_1', body: '{"event":"campaign.ended"}' };
const noon = Date.UTC(2026, 5, 1, 12);

function receiverAt(
  url: string,
  setting: Partial<ReceiverSetting> = {},
  longestMs?: number,
): WebhookReceiver {
  const entry = {
    url,
    events: [...notificationEvents],
    format: 'standard' as const,
    allowPrivateAddresses: ['127.0.0.1'],
    ...setting,
  };
  const receiver = new WebhookReceiver(entry, key, longestMs === undefined ? {} : { longestMs });
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

/** Sends a message to a server that answers so. */
async function answerOf(answer: Answer | Buffer, longestMs?: number) {
  const server = await wireServer(Buffer.isBuffer(answer) ? (_, socket) => socket.write(answer) : answer);
  const receiver = receiverAt(`${server.origin}/hook?token=t0k3n`, {}, longestMs);
  return { server, answer: await receiver.send(message, noon) };
}

describe('a signature', () => {
  it('is that of the example of Standard Webhooks', () => {
    const example = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    };
    expect(signedHeaders(key, example)).toEqual({
      'webhook-id': example.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is left out without a secret', () => {
    expect(signedHeaders(undefined, { id: 'a', at: noon, body: '' })).not.toHaveProperty('webhook-signature');
  });
});

describe('an attempt', () => {
  it('posts the very bytes that it signs', async () => {
    const { server, answer } = await answerOf(httpAnswer(204));
    expect(answer).toEqual({ kind: 'delivered', status: 204 });
    const [request] = server.requests;
    const timestamp = String(noon / 1000);
    const signature = createHmac('sha256', key)
      .update(`msg_1.${timestamp}.${request?.body}`)
      .digest('base64');
    expect(request).toMatchObject({
      method: 'POST',
      target: '/hook?token=t0k3n',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'msg_1',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
    });
    expect(String(request?.body)).toBe(message.body);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%i)', async (status) => {
    const elsewhere = await wireServer((_, socket) => socket.write(httpAnswer(200)));
    const { answer } = await answerOf(httpAnswer(status, '', { location: `${elsewhere.origin}/hook` }));
    expect(answer).toMatchObject({ kind: 'failed', isFinal: false, fix: expect.stringContaining('notify') });
    expect(elsewhere.connections()).toBe(0);
  });

  it('fails with the status, and waits as long as the receiver asks', async () => {
    const { answer } = await answerOf(httpAnswer(503, 'later', { 'retry-after': '120' }));
    expect(answer).toMatchObject({
      kind: 'failed',
      problem: 'it answered with HTTP 503',
      isFinal: false,
      retryAfterMs: 120_000,
    });
  });

  it('is the last one when the receiver is gone for good', async () => {
    expect((await answerOf(httpAnswer(410))).answer).toMatchObject({ kind: 'failed', isFinal: true });
  });

  it.each(['http://127.0.0.2:9/', 'http://[::1]:9/', 'http://10.0.0.1/', 'http://169.254.169.254/'])(
    'does not reach a private address: %s',
    async (url) => {
      expect(await receiverAt(url).send(message, noon)).toMatchObject({
        kind: 'failed',
        problem: expect.stringContaining('is not a public address'),
        fix: expect.stringContaining('allowPrivateAddresses of its entry'),
      });
    },
  );

  it('does not reach a name that leads to a private address', async () => {
    const server = await wireServer((_, socket) => socket.write(httpAnswer(200)));
    const receiver = receiverAt(`http://localhost:${server.port}/`, { allowPrivateAddresses: [] });
    expect(await receiver.send(message, noon)).toMatchObject({
      problem: expect.stringContaining('localhost has no public address'),
    });
    expect(server.connections()).toBe(0);
  });

  it('ends when no answer comes, or one that trickles', async () => {
    expect((await answerOf(() => undefined, 100)).answer).toMatchObject({
      kind: 'failed',
      problem: 'it did not answer within 0.1 seconds',
    });
    const head = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx');
    expect((await answerOf((_, socket) => socket.write(head), 1500)).answer).toMatchObject({
      kind: 'delivered',
    });
  });

  it('reads no more of an answer than it needs', async () => {
    let sent = 0;
    const { answer } = await answerOf((_, socket) => {
      const block = Buffer.alloc(64 * 1024, 'x');
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const pour = (): void => {
        while (!socket.destroyed && sent < 1000) {
          sent += 1;
          const goesOn = socket.write(`10000\r\n${block}\r\n`);
          if (!goesOn) {
            socket.once('drain', pour);
            return;
          }
        }
      };
      pour();
    });
    expect(answer).toMatchObject({ kind: 'delivered' });
    expect(sent).toBeLessThan(1000);
  });

  it('tells nothing of the URL but its host', async () => {
    const receiver = receiverAt('http://127.0.0.1:9/hook?token=t0k3n');
    const told = JSON.stringify([await receiver.send(message, noon), receiver.host, receiver.key, receiver]);
    expect(told).toContain('127.0.0.1:9');
    expect(told).not.toContain('t0k3n');
  });
});
