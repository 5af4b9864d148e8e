import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import { firstFormat, type Migration, migrations } from '../../src/ledger/format.ts';
import { openRunner } from '../support/in-process.ts';
import { quickSettings } from '../support/processes/scene.ts';
import { mixedRows } from '../support/sheets/rows.ts';
import { wireRunner } from '../support/wiring.ts';

/** Slow enough that the older workers are not done before they notice. */
const slow = {
  default: { rate: 500, per: '1s', burst: 500 },
  createCreatorPost: { rate: 4, per: '1s', burst: 1 },
};

/** A later version, which stores something that this one does not understand. */
const later: Migration = {
  to: (migrations.at(-1)?.to ?? firstFormat) + 1,
  besideOlder: false,
  async run() {},
};

describe('a rolling restart under load', { timeout: 60_000 }, () => {
  it('with a newer format: the older workers stop and say why, the newer ones end the campaign, no row is posted twice', async (test) => {
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const older = await openRunner({ settings: { rateLimits: slow }, log }, test);
    await older.ledger.format.open();
    const id = await older.importOrUpdate(mixedRows(60), { window: 20 });
    await older.start();
    await older.sandbox.whenCalled('createCreatorPost', 5);

    const newer = await wireRunner({
      service: { url: older.sandbox.url, apiKey: older.sandbox.apiKey },
      connect: () => older.redis.duplicate(),
      prefix: older.prefix,
      folder: older.folder,
      settings: checkSettings(quickSettings({})),
      format: { migrations: [...migrations, later] },
    });
    test.onTestFinished(async () => {
      await newer.workers.stop(500);
      await newer.close();
      newer.redis.disconnect();
    });
    await newer.ledger.format.open();
    expect(older.workers.areRunning).toBe(false);
    expect(older.workers.outdated.reason).toMatchObject({ cure: expect.stringContaining('newer version') });
    expect(lines.join('')).toContain('worker stops');
    const before = older.sandbox.effects().posts.length;
    expect(before).toBeLessThan(60);

    await newer.workers.start();
    const ended = await older.until(async () => {
      const campaign = await newer.ledger.campaigns.find(id);
      return campaign?.state === 'ended' && campaign;
    }, 'the end of the campaign');
    expect(ended.counts).toMatchObject({ posted: 60 });
    const titles = older.sandbox.effects().posts.map(({ title }) => title);
    expect(new Set(titles).size).toBe(60);
    expect(titles).toHaveLength(60);
  });
});
