/** AI outputs that a cancellation would waste. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { batches } from '../../ledger/ledger-part.ts';
import { isGenerating, type RowProgress } from '../../ledger/rows/row-progress.ts';
import { stateOfLetter } from '../../ledger/states.ts';
import { type Cost, costOfOutputs } from '../../manifest/money.ts';
import type { Row } from '../../manifest/row.ts';
import type { Runtime } from '../runtime/runtime.ts';

const rowsAtOnce = 500;

/** Counts the outputs, made or being made, of rows that would be cancelled, and what they cost. Rows that never ran are not read. */
export async function countUnusedOutputs(
  { ledger, views, settings }: Pick<Runtime, 'ledger' | 'views' | 'settings'>,
  campaign: Campaign,
): Promise<{ readonly unusedAiOutputs: number; readonly unusedCost: Cost | null }> {
  if (campaign.state === 'ended') return { unusedAiOutputs: 0, unusedCost: null };
  const begun = begunRows(await ledger.rows.stateBytes(campaign.id));
  const view = begun.length === 0 ? undefined : await views.open(campaign.id, campaign.sheetVersion);
  const made: (readonly [model: string, outputs: number])[] = [];
  for (const some of batches(begun, rowsAtOnce)) {
    const records = await ledger.rows.progressOf(campaign.id, some);
    for (const [index, row] of some.entries()) {
      const progress = records[index];
      if (progress === undefined) continue;
      const isUsed = isGenerating(progress) || progress.assets.length > 0;
      const spec = isUsed ? await view?.readableRow(row) : undefined;
      made.push([spec?.generation?.model ?? '', outputsOf(progress, spec)]);
    }
  }
  const unusedAiOutputs = made.reduce((sum, [, outputs]) => sum + outputs, 0);
  return { unusedAiOutputs, unusedCost: costOfOutputs(made, settings.spend) };
}

/** Outputs of a row, made or being made. @param row undefined if it is not known what it asked for. */
export function outputsOf(progress: RowProgress, row: Row | undefined): number {
  const asked = isGenerating(progress) ? row?.generation?.count : undefined;
  return Math.max(asked ?? 0, progress.assets.length);
}

/** Running and ready rows, and rows that wait for a further run. @param bytes two for each row: its state and its revision. */
function begunRows(bytes: Buffer): readonly number[] {
  const rows: number[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const state = stateOfLetter(String.fromCharCode(bytes[at] ?? 0));
    if (state === 'running' || state === 'ready' || (state === 'waiting' && bytes[at + 1] !== 0))
      rows.push(at / 2);
  }
  return rows;
}
