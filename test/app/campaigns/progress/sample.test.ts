import { expect, it, onTestFinished } from 'vitest';
import type { ProgressReader } from '../../../../src/app/campaigns/progress/reader.ts';
import { sampleProgress } from '../../../../src/app/campaigns/progress/sample.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('notes the ended rows of campaigns under way, and of no others', async () => {
  const runner = await openRunner();
  const ended = await runner.importOrUpdate([videoRow('a')]);
  await runner.start();
  await runner.ended(ended);
  const running = await runner.importRows([videoRow('b')]);
  const paused = await runner.importRows([videoRow('c')]);
  await runner.ledger.campaigns.pause(paused, { code: 'paused', message: '' });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const noted = await new Promise((resolve) => {
    const note = (id: string, rows: number) => resolve({ [id]: rows });
    sampleProgress(runner, { note } as unknown as ProgressReader, stop.signal);
  });
  expect(noted).toEqual({ [running]: 0 });
  expect(await runner.ledger.campaigns.underWay()).toHaveLength(1);
});
