/** The results sheet of a campaign, streamed. */
import { rowState } from '../../../campaigns/documents/campaign.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import { writeResults } from '../../../campaigns/results/write.ts';
import type { RowState } from '../../../ledger/states.ts';
import { sheetContentTypes } from '../../../sheets/write/format.ts';
import type { Download, PageRequest } from '../../request.ts';

/** Most chosen rows in one sheet. */
const mostChosen = 500;

export async function results(request: PageRequest): Promise<Download> {
  const { runtime, params, query } = request;
  const campaign = await findCampaign(runtime, params.id ?? '');
  const format = params.format === 'xlsx' ? 'xlsx' : 'csv';
  const asked = query.get('only')?.split(',') ?? [];
  const keys = query.getAll('row').slice(0, mostChosen);
  const rows = await Promise.all(keys.map((key) => runtime.ledger.rowKeys.find(campaign, key)));
  const only = rowState.options.filter((state) => asked.includes(state));
  return {
    kind: 'download',
    fileName: `${campaign.name}${part(only, keys)}.results.${format}`,
    contentType: sheetContentTypes[format],
    write: async (to) => {
      await writeResults(runtime, campaign, {
        to,
        format,
        withMark: true,
        ...(only.length > 0 && { state: new Set(only) }),
        error: query.get('error') ?? undefined,
        ...(keys.length > 0 && { rows: new Set(rows.filter((row) => row !== undefined)) }),
      });
    },
  };
}

/** Part of the file name that says which rows the sheet has: `.failed`, `.chosen`. */
function part(only: readonly RowState[], keys: readonly string[]): string {
  if (keys.length > 0) return '.chosen';
  return only.map((state) => `.${state}`).join('');
}
