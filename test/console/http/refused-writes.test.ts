/** Redis answers, but takes no writes. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeToken } from '../../../src/app/access/credentials.ts';
import { listCampaigns } from '../../../src/app/campaigns/list.ts';
import { notesOf } from '../../../src/app/campaigns/progress/notes.ts';
import { ProgressReader } from '../../../src/app/campaigns/progress/reader.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { hasScrapeWorkers } from '../../../src/app/videos/scrape.ts';
import { examineWrites } from '../../../src/cli/doctor/ledger.ts';
import { describeWorkers } from '../../../src/cli/print/campaign.ts';
import { waitForWrites } from '../../../src/cli/session.ts';
import type { Campaign } from '../../../src/ledger/campaigns/campaign.ts';
import { refusalCode } from '../../../src/platform/redis/refusal.ts';
import { quickUser } from '../../support/console/access.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { hidden, Visitor } from '../../support/console/visitor.ts';
import { waitUntil } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { asIf } from '../../support/ledger.ts';
import { redisNode } from '../../support/redis/redis-topologies.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const hourMs = 3_600_000;
const rateLimit = '/queues/rate-limits/createCreatorPost';

const refusals = [
  {
    told: 'Its memory is full.',
    refuse: ({ redis }: TestRunner) => redis.config('SET', 'maxmemory', '1mb'),
    takeAgain: ({ redis }: TestRunner) => redis.config('SET', 'maxmemory', '0'),
  },
  {
    told: 'It has become a replica.',
    refuse: ({ redis }: TestRunner) => redis.replicaof('127.0.0.1', '1'),
    takeAgain: ({ redis }: TestRunner) => redis.replicaof('NO', 'ONE'),
  },
] as const;

describe('while Redis takes no writes', () => {
  const clock = { now: 0 };
  let runner: TestRunner;
  let runtime: Runtime;
  let visitor: Visitor;

  beforeEach(async () => {
    const test = { onTestFinished };
    const { port } = await redisNode(temporaryFolder(test), test);
    clock.now = Date.now();
    runner = await openRunner({ redisPort: port, now: () => clock.now });
    await quickUser(runner, 'anna', 'operator');
    const pages = await openPages(runner);
    runtime = pages.runtime;
    visitor = new Visitor(pages.url);
    await visitor.signIn('anna');
  });

  it.each(refusals)('$told A form says so, and keeps what was typed', async ({ told, refuse, takeAgain }) => {
    const _csrf = await visitor.csrf();
    const typed = { rate: '7', per: 'minute' };
    await refuse(runner);
    const page = await visitor.post(rateLimit, { _csrf, ...typed });
    expect(page.status).toBe(503);
    expect(page.text).toContain('Redis takes no writes');
    expect(page.text).toContain(told);
    expect(page.text).toContain('Your change was not saved.');
    await takeAgain(runner);
    expect((await visitor.get('/queues')).text).not.toContain('name="rate" value="7"');
    const again = Object.fromEntries(
      ['_csrf', ...Object.keys(typed)].map((name) => [name, hidden(page.text, name)]),
    );
    expect((await visitor.post(rateLimit, again)).status).toBe(303);
    expect((await visitor.get('/queues')).text).toContain('7 a minute');
  });

  it('pages are still shown, also when the use of a session would be noted', async () => {
    const id = await runner.importRows([videoRow('a')]);
    await refusals[0].refuse(runner);
    clock.now += hourMs;
    const pages = [
      '/campaigns',
      `/campaigns/${id}`,
      `/campaigns/${id}/rows/a`,
      '/review',
      '/queues',
      '/videos',
    ];
    for (const path of pages) expect([path, (await visitor.get(path)).status]).toEqual([path, 200]);
  });

  it('nobody can sign in, and the page says why', async () => {
    await refusals[0].refuse(runner);
    visitor.cookies.clear();
    const page = await visitor.signIn('anna');
    expect([page.status, page.text.includes('Its memory is full.')]).toEqual([503, true]);
  });

  it('the API answers a problem, with and without an Idempotency-Key', async () => {
    const id = await runner.importRows([videoRow('a')]);
    const csrf = await visitor.csrf();
    await refusals[0].refuse(runner);
    const headers = { 'x-csrf-token': csrf };
    for (const key of [{}, { 'idempotency-key': 'k1' }]) {
      const answer = await visitor.send('POST', `/api/v1/campaigns/${id}/pause`, { ...headers, ...key });
      expect([answer.status, answer.headers['content-type']]).toEqual([
        503,
        expect.stringContaining('problem+json'),
      ]);
      expect(JSON.parse(answer.text)).toMatchObject({
        code: 'redis_refuses',
        detail: 'Redis takes no writes: its memory is full; the change was not saved.',
        fix: expect.stringContaining('maxmemory'),
      });
    }
  });

  it('nobody claims that no worker lives: not list and notes, not the pages, not the metrics', async () => {
    const id = await runner.importRows([videoRow('a')]);
    const facts = { host: 'hall', pid: 7, version: '1', queues: ['scrape'], since: clock.now };
    await runner.ledger.presence.announce(facts).beat();
    await asIf(runner).silent();
    const read = async () => {
      const seen = await listCampaigns(runtime);
      const [campaign] = seen.campaigns;
      const progress = await new ProgressReader(runtime).read(campaign as Campaign);
      return [describeWorkers(seen, seen.campaigns), ...notesOf(progress).map(({ text }) => text)].join('\n');
    };
    const { token } = await makeToken(runner, 'anna');
    const metrics = async () =>
      (await visitor.send('GET', '/metrics', { authorization: `Bearer ${token}` })).text;
    expect(await read()).toMatch(/no worker is alive.*hall:7 went silent.*no worker is alive/s);
    expect(await metrics()).toMatch(/^campaigns_redis_writable 1$/m);
    expect(await metrics()).toContain('campaigns_workers{state="alive"} 0');
    expect(await hasScrapeWorkers(runner.ledger)).toBe(false);

    await refusals[0].refuse(runner);
    expect(await read()).toMatch(/^Redis takes no writes \(its memory is full\)/);
    expect(await read()).not.toMatch(/no worker|last seen/);
    for (const path of [`/campaigns/${id}`, '/queues']) {
      const { text } = await visitor.get(path);
      expect(text).toContain('Redis takes no writes: its memory is full');
      expect(text).not.toMatch(/No worker is alive|been silent since|0 workers alive/);
    }
    expect(await metrics()).toMatch(/^campaigns_redis_up 1$/m);
    expect(await metrics()).toMatch(/^campaigns_redis_writable 0$/m);
    expect(await metrics()).not.toContain('campaigns_workers');
    expect(await hasScrapeWorkers(runner.ledger)).toBe(true);
    expect(await Array.fromAsync(examineWrites(runtime))).toMatchObject([
      {
        verdict: 'problem',
        text: expect.stringContaining('its memory is full'),
      },
    ]);
  });

  it('a command that needs writes waits for a while, then says that nothing was changed', async () => {
    const said: string[] = [];
    const output = { say: (text: string) => void said.push(text) };
    await refusals[0].refuse(runner);
    await expect(waitForWrites(runner, output, 0)).rejects.toMatchObject({
      code: 'redis_unusable',
      message: 'Redis takes no writes: its memory is full; nothing was changed',
      fix: expect.stringContaining('maxmemory'),
    });
    expect(said).toEqual([]);
    const waiting = waitForWrites(runner, output, 60_000);
    await waitUntil(() => said.length > 0, 'the message');
    await refusals[0].takeAgain(runner);
    await waiting;
    expect(said).toEqual(['Waiting up to 1 min until Redis takes writes']);
  });

  it('a look-up that gets no turn for a while ends with the reason', async () => {
    const { rateLimits } = await runtime.service.need();
    await refusals[0].refuse(runner);
    const refused: unknown = await rateLimits
      .waitFor('listCreatorAccounts', 0)
      .catch((error: unknown) => error);
    expect(refusalCode(refused)).toBe('OOM');
    await refusals[0].takeAgain(runner);
    await rateLimits.waitFor('listCreatorAccounts', 0);
  });
});
