import { describe, expect, it } from 'vitest';
import { openPages } from '../../support/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/rows.ts';

const minuteMs = 60_000;
const start = Date.UTC(2027, 2, 9, 7, 0);

describe('/campaigns/ID', () => {
  it('shows the throughput with the budget, and the times in which it was paused', async () => {
    const clock = { now: start };
    const runner = await openRunner({
      now: () => clock.now,
      settings: { budgets: { default: { rate: 12, per: '1m', burst: 1 } } },
    });
    const id = await runner.importRows([videoRow('a')]);
    const pace = runner.ledger.keys.pace(id);
    for (const [at, posted] of [4, 10, 8].entries()) {
      const minute = start / minuteMs + at;
      await runner.redis.hset(pace, String(minute % 1440), `${minute} ${posted}`);
    }
    await runner.ledger.campaigns.pause(id, { code: 'canary', message: 'Held.' });
    clock.now += minuteMs;
    await runner.ledger.campaigns.resume(id);
    clock.now += 2 * minuteMs;
    const { html, text } = await (await openPages(runner)).get(`/campaigns/${id}`);
    expect(text).toContain('posted a minute, 8 at last');
    expect(text).toContain('budget of posts, 12');
    expect(text).toContain('07:00 to 07:01: held after the canary');
    const [, data = ''] = /data-plot="([^"]*)"/.exec(html) ?? [];
    expect(JSON.parse(data.replaceAll('&quot;', '"'))).toMatchObject({
      series: [{ values: [4, 10, 8] }, { values: [12, 12, 12], dashed: true }],
      bands: [[start / 1000, start / 1000 + 60]],
    });
  });

  it('says what the release of a canary takes, and releases it', async () => {
    const runner = await openRunner({
      settings: { budgets: { default: { rate: 1, per: '1m', burst: 2000 } } },
    });
    const id = await runner.handIn([videoRow('a'), videoRow('b'), videoRow('c')], { canary: 1 });
    await runner.start();
    await runner.until(
      async () => (await runner.ledger.campaigns.find(id))?.state === 'paused',
      'the canary to end',
    );
    const pages = await openPages(runner);
    const { text } = await pages.get(`/campaigns/${id}`);
    expect(text).toContain('Held after the canary: the first row has ended, posted.');
    expect(text).toMatch(
      /release the other 2: \d calls, no AI outputs, at least 2 min\. It does not hold again\./,
    );
    await pages.post(`/campaigns/${id}/resume`, {});
    expect((await runner.ended(id)).counts.posted).toBe(3);
    expect((await pages.get(`/campaigns/${id}`)).text).not.toContain('Held after the canary:');
  });

  it('leads chosen rows to their decision', async () => {
    const runner = await openRunner();
    runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'status', status: 500 });
    const id = await runner.handIn([videoRow('a'), videoRow('b')]);
    await runner.start();
    await runner.ended(id);
    const pages = await openPages(runner);
    expect((await pages.get(`/campaigns/${id}`)).html).toContain('formaction="/review"');
    const { html } = await pages.get(`/review?campaign=${id}&row=b`);
    const shown = [...html.matchAll(/\/rows\/(\w+)"/g)].map(([, key]) => key);
    expect(new Set(shown)).toEqual(new Set(['b']));
  });
});
