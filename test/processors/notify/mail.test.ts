/** Notifications by e-mail, to a mail server on loopback. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notificationEvents, notify, type ReceiverSetting } from '../../../config/notify.ts';
import { testMessage } from '../../../src/processors/notify/deliver.ts';
import { MailReceiver } from '../../../src/processors/notify/mail.ts';
import { makeCertificates } from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { wireServer } from '../../support/wire-server.ts';

const noon = Date.UTC(2026, 5, 1, 12);
const ended = JSON.stringify({
  event: 'campaign.ended',
  campaign: 'c1',
  name: 'spring\r\nBcc: eve@evil.example',
  counts: { posted: 57, failed: 2 },
  codes: { media_missing: 2 },
  command: 'campaigns show c1',
});

/** Starts a mail server that keeps what it takes. */
async function mailServer(options: SMTPServerOptions = {}) {
  const mails: { readonly to: readonly string[]; readonly text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, session, done) => {
      const text = Buffer.concat(await stream.toArray()).toString();
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
      done();
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { mails, url: `smtp://127.0.0.1:${port}` };
}

/** A certificate for loopback, of an authority of its own. */
function withTls(): SMTPServerOptions & { readonly ca: string } {
  const files = makeCertificates(temporaryFolder());
  const [ca, key, cert] = [files.ca, files.key, files.cert].map((path) => readFileSync(path, 'utf8'));
  return { disabledCommands: [], key: key ?? '', cert: cert ?? '', ca: ca ?? '' };
}

function receiverAt(url: string, setting: Partial<ReceiverSetting> = {}, longestMs?: number): MailReceiver {
  const entry: ReceiverSetting = {
    url,
    events: [...notificationEvents],
    format: 'email',
    from: 'runner@agency.example',
    to: ['anna@agency.example', 'ben@agency.example'],
    allowPrivateAddresses: ['127.0.0.1'],
    ...setting,
  };
  const consoleUrl = 'https://posts.example';
  return new MailReceiver(
    entry,
    'pa55word',
    longestMs === undefined ? { consoleUrl } : { consoleUrl, longestMs },
  );
}

const send = (receiver: MailReceiver) => receiver.send({ id: 'msg_1', body: ended }, noon);

describe('a mail', () => {
  it('has a subject, the counts, the causes and a link, and goes to all addressees', async () => {
    const { mails, url } = await mailServer();
    expect(await send(receiverAt(url))).toEqual({ kind: 'delivered', status: 250 });
    const [mail] = mails;
    expect(mail?.to).toEqual(['anna@agency.example', 'ben@agency.example']);
    expect(mail?.text).toContain('Message-ID: <msg_1@campaign-runner>');
    expect(mail?.text).toContain('57 posted or scheduled, 2 failed');
    expect(mail?.text).toContain('https://posts.example/campaigns/c1');
  });

  it('is sent with the password of a user once the connection is TLS', async () => {
    const seen: unknown[] = [];
    const tls = withTls();
    const before = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(before));
    setDefaultCACertificates([...before, tls.ca]);
    const { mails, url } = await mailServer({
      ...tls,
      onAuth: ({ username, password }, { secure }, done) => {
        seen.push({ username, password, secure });
        done(null, { user: username });
      },
    });
    expect(await send(receiverAt(url, { user: 'runner' }))).toMatchObject({ kind: 'delivered' });
    expect(seen).toEqual([{ username: 'runner', password: 'pa55word', secure: true }]);
    expect(mails).toHaveLength(1);
  });

  it('takes no header from the name of a campaign', async () => {
    const { mails, url } = await mailServer();
    await send(receiverAt(url));
    expect(mails[0]?.text).not.toMatch(/^bcc:/im);
    expect(mails[0]?.to).not.toContain('eve@evil.example');
  });

  it('is a test of doctor', async () => {
    const { mails, url } = await mailServer();
    await receiverAt(url).send({ id: 'msg_2', body: testMessage(noon) }, noon);
    expect(mails[0]?.text).toContain('Subject: Campaign Runner: a test message');
  });
});

describe('an attempt fails, and says why', () => {
  it('if the server refuses an addressee, without its words', async () => {
    const { url } = await mailServer({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('no such user: s3cret'), { responseCode: 550 })),
    });
    expect(await send(receiverAt(url))).toEqual({
      kind: 'failed',
      problem: 'it answered with SMTP 550',
      isFinal: false,
    });
  });

  it('if a password would go without TLS', async () => {
    const seen: string[] = [];
    const { url } = await mailServer({
      onAuth: ({ password }, _session, done) => {
        seen.push(String(password));
        done(null, { user: 'x' });
      },
    });
    expect(await send(receiverAt(url, { user: 'runner' }))).toMatchObject({ kind: 'failed' });
    expect(seen).toEqual([]);
  });

  it('if the server shows a certificate that nobody vouches for', async () => {
    const { mails, url } = await mailServer(withTls());
    const answer = await send(receiverAt(url));
    expect(answer).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(/could not be reached \(E?\w+/),
    });
    expect(mails).toEqual([]);
  });

  it('if its address is private and not permitted', async () => {
    const { url, mails } = await mailServer();
    expect(await send(receiverAt(url, { allowPrivateAddresses: [] }))).toMatchObject({
      problem: '127.0.0.1 is not a public address',
      fix: expect.stringContaining('allowPrivateAddresses'),
    });
    expect(mails).toEqual([]);
  });

  it('if nobody is there', async () => {
    expect(await send(receiverAt('smtp://127.0.0.1:1'))).toMatchObject({
      problem: 'it could not be reached (ECONNREFUSED)',
    });
  });

  it('if the server says nothing', async () => {
    const silent = await wireServer(() => undefined);
    expect(await send(receiverAt(silent.origin.replace('http', 'smtp'), {}, 300))).toMatchObject({
      problem: 'it did not answer within 0.3 seconds',
    });
  });
});

it('is named by its server and addressees', () => {
  const digest = createHash('sha256').update('smtp://a.example b@c.example').digest('hex').slice(0, 16);
  expect(receiverAt('smtp://a.example', { to: ['b@c.example'] }).key).toBe(digest);
});

describe('the setting', () => {
  const mail = { url: 'smtps://mail.example', format: 'email', from: 'a@b.example', to: ['c@d.example'] };
  const problemOf = (entry: object) => notify.safeParse([entry]).error?.issues[0]?.message;
  it.each([
    ['takes a mail server', mail, undefined],
    ['wants an address of a mail server', { ...mail, url: 'https://mail.example' }, 'smtps://HOST'],
    ['takes no password in the address', { ...mail, url: 'smtps://u:p@mail.example' }, 'smtps://HOST'],
    ['wants a sender', { ...mail, from: undefined }, 'is missing: the address'],
    ['wants addressees', { ...mail, to: undefined }, 'is missing: the addresses'],
    ['wants the password of a user', { ...mail, user: 'u' }, 'is missing: the file'],
    ['takes addressees for mail only', { url: 'https://a.example', to: ['c@d.example'] }, 'email only'],
  ])('%s', (_what, entry, problem) => {
    if (problem === undefined) expect(problemOf(entry)).toBeUndefined();
    else expect(problemOf(entry)).toContain(problem);
  });
});
