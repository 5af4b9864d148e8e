import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeToken } from '../../../src/app/access/credentials.ts';
import { listen } from '../../../src/app/runtime/http-server.ts';
import { setSchedule } from '../../../src/app/videos/schedule.ts';
import { createConsoleApp } from '../../../src/console/app.ts';
import { quickUser } from '../../support/console/access.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { asIf } from '../../support/ledger.ts';
import { videoRow } from '../../support/sheets/rows.ts';

/** The labels that metrics have, and the names of their values. */
function labelsOf(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', value = ''] of text.matchAll(/(\w+)="([^"]*)"/g)) {
    labels.set(name, (labels.get(name) ?? new Set()).add(value));
  }
  return labels;
}

/** Under any name of ours: `fetch` does not let a program set it. */
async function statusAs(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const sent = request(`${url}/metrics`, { headers });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe('/metrics', () => {
  it('shows workers whose clock is wrong, and periodic jobs that are missing', async () => {
    const runner = await openRunner();
    const { presence } = runner.ledger;
    const facts = { host: 'hall', pid: 7, version: '1', queues: ['campaign'], periodic: ['rescuer'] };
    const since = Date.now() - 120_000;
    await presence.announce({ ...facts, since }).beat();
    await presence.announce({ ...facts, since }).beat({ clockAheadMs: 3_600_000 });
    await asIf(runner).lastRun('rescuer', 60_000);
    const text = await (await fetch(`${(await openPages(runner)).url}/metrics`)).text();
    const lines = text.split('\n');
    expect(lines).toContain('campaigns_workers{state="alive"} 2');
    expect(lines).toContain('campaigns_workers{state="wrong_clock"} 1');
    expect(lines).toContain('campaigns_periodic_missing 1');
    expect(text).toMatch(/^campaigns_keeper_age_seconds 6\d/m);
  });

  it('shows rows, reviews, queues, rate limits, scrapes and Redis, without names', async () => {
    const runner = await openRunner();
    runner.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'lost-answer',
      match: { title: 'Caption lost' },
    });
    const id = await runner.importOrUpdate([videoRow('good'), videoRow('lost')]);
    await runner.start();
    await runner.ended(id);
    const { url } = await openPages(runner);
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toContain('version=0.0.4');
    const text = await answer.text();
    for (const line of [
      'campaigns_rows{state="posted"} 1',
      'campaigns_rows{state="review"} 1',
      'campaigns_review_waiting 1',
      'campaigns_rows_without_jobs 0',
      'campaigns_campaigns{state="ended"} 1',
      'campaigns_workers{state="alive"} 1',
      'campaigns_workers{state="wrong_clock"} 0',
      'campaigns_periodic_missing 0',
      'campaigns_queue_jobs{queue="post",state="waiting"} 0',
      'campaigns_queue_oldest_seconds{queue="post"} 0',
      'campaigns_rate_limit_calls_per_second{operation="createCreatorPost"} 2000',
      'campaigns_scrape_running 0',
      'campaigns_redis_up 1',
      'campaigns_campaigns_paused{reason="key_refused"} 0',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toMatch(/^campaigns_data_dir_free_bytes [1-9]/m);
    expect([...labelsOf(text).keys()].sort()).toEqual(['operation', 'queue', 'reason', 'state']);
    expect(text).not.toMatch(/demo_anna|"c1"/);
  });

  it('shows campaigns that are paused, by reason; a reason that it does not know is "other"', async () => {
    const runner = await openRunner({ queues: [] });
    const pause = async (code: string) =>
      runner.ledger.campaigns.pause(await runner.importRows([videoRow(code)]), { code, message: 'm' });
    for (const code of ['key_refused', 'stop_after', 'of_tomorrow']) await pause(code);
    const text = await (await fetch(`${(await openPages(runner)).url}/metrics`)).text();
    const told = [...text.matchAll(/^campaigns_campaigns_paused\{reason="(\w+)"\} (\d+)/gm)];
    expect(Object.fromEntries(told.map(([, reason, count]) => [reason, Number(count)]))).toEqual({
      key_refused: 1,
      refused_for_everyone: 0,
      stop_after: 1,
      other: 1,
      throttled: 0,
      journal_behind: 0,
      canary: 0,
      paused: 0,
    });
  });

  it('shows since when a look-up of videos is due, also if none has ever ended', async () => {
    const runner = await openRunner({ queues: [] });
    const { url, runtime } = await openPages(runner);
    const due = async () =>
      /^campaigns_scrape_due_timestamp_seconds (\S+)/m.exec(
        await (await fetch(`${url}/metrics`)).text(),
      )?.[1];
    expect(await due()).toBeUndefined();
    const set = Date.now();
    await setSchedule(runtime, { pattern: '0 2 * * *', tz: 'UTC' });
    const first = Number(await due()) * 1000;
    expect(new Date(first).toISOString()).toContain('T02:00:00');
    expect(first - set).toBeLessThan(86_400_000);
  });

  it('needs a token once there are users, and is then read under any name', async () => {
    const runner = await openRunner({ queues: [] });
    const { url } = await openPages(runner);
    const foreign = { host: '10.1.2.3:3000' };
    expect(await statusAs(url, foreign)).toBe(403);
    expect(await statusAs(url, { ...foreign, authorization: 'Bearer x' })).toBe(403);
    await quickUser(runner, 'prometheus', 'viewer');
    const { token } = await makeToken(runner, 'prometheus');
    expect(await statusAs(url, {})).toBe(401);
    const refused = await fetch(`${url}/metrics`);
    expect(await refused.text()).toMatch(/sign in|token/i);
    expect(await statusAs(url, { ...foreign, authorization: `Bearer ${token}` })).toBe(200);
  });

  it('says so at once while Redis does not answer, without asking for a token', async () => {
    const runner = await openRunner({ queues: [] });
    await quickUser(runner, 'anna', 'operator');
    const { runtime } = await openPages(runner);
    const app = createConsoleApp({
      runtime,
      secrets: [],
      version: '0.0.0',
      readiness: async () => ({ ready: false, redis: 'away', checks: { redis: 'not reachable' } }),
    });
    await using server = await listen(app, { host: '127.0.0.1', port: 0 });
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text.split('\n')).toContain('campaigns_redis_up 0');
    expect(text).not.toContain('campaigns_rows');
  });
});
