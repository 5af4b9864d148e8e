/** Why rows did not come through: failed and review rows grouped by what can be done about them. */
import { authorizationExpiredCode } from '../api/contract/showcase.ts';
import type { Campaign } from '../ledger/campaigns.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RowError, Step } from '../ledger/states.ts';
import { createImportedRowReader } from '../manifest/imported-sheet.ts';
import { createKeyReader } from '../manifest/key.ts';

/** Rows that ended for the same reason. */
export interface Cause {
  readonly state: 'failed' | 'review';
  readonly code: string;
  readonly step: Step;
  readonly rows: number;
  /** What it is about (files, products, creators), the first few. */
  readonly subjects: readonly string[];
  /** What the first of the rows says. */
  readonly message: string;
  /** What the publishing records told of the first of them since. */
  readonly note: string | undefined;
  readonly cure: string | undefined;
  /** Keys of the first few rows. */
  readonly examples: readonly string[];
  /** The commands that do these rows again; none where a person has to decide first. */
  readonly commands: readonly string[];
}

const shown = 5;
const rowsAtOnce = 1000;

interface Group {
  readonly state: Cause['state'];
  readonly first: RowError;
  rows: number;
  readonly subjects: Set<string>;
  readonly examples: number[];
}

/** Groups of a campaign, the largest first. */
export async function causesOf(ledger: Ledger, campaign: Campaign): Promise<readonly Cause[]> {
  const groups = new Map<string, Group>();
  for (const state of ['failed', 'review'] as const) {
    if (campaign.counts[state] === 0) continue;
    const rows = await ledger.rows.inState(campaign.id, state);
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      const part = rows.slice(start, start + rowsAtOnce);
      const errors = await ledger.rows.errors(campaign.id, part);
      errors.forEach((error, index) => {
        if (error) count(groups, state, part[index] ?? 0, error);
      });
    }
  }
  const keyOf = keysOf(ledger, campaign);
  const causes = [...groups.values()]
    .sort((one, other) => other.rows - one.rows)
    .map(async (group) => ({
      state: group.state,
      code: group.first.code,
      step: group.first.step,
      rows: group.rows,
      subjects: [...group.subjects],
      message: group.first.message,
      note: group.first.note,
      cure: group.first.cure,
      examples: await Promise.all(group.examples.map(keyOf)),
      commands: commandsFor(campaign, group),
    }));
  return Promise.all(causes);
}

function keysOf(ledger: Ledger, campaign: Campaign): (row: number) => Promise<string> {
  const keys = createKeyReader(createImportedRowReader(campaign));
  return async (row) => {
    const { cells, number } = await ledger.store.read(campaign.store, row);
    return keys.read(cells, number);
  };
}

/** Rows in review wait for a person; those of a creator whose authorization expired, for the creator. */
function commandsFor({ id }: Campaign, { state, first, subjects }: Group): readonly string[] {
  if (state === 'review') return [];
  if (first.code !== String(authorizationExpiredCode)) return [`campaigns retry ${id} --error ${first.code}`];
  return [...subjects].map((creator) => `campaigns resume ${id} --creator ${creator}`);
}

function count(groups: Map<string, Group>, state: Cause['state'], row: number, error: RowError): void {
  const key = `${state}\0${error.step}\0${error.code}`;
  let group = groups.get(key);
  if (!group) {
    group = { state, first: error, rows: 0, subjects: new Set(), examples: [] };
    groups.set(key, group);
  }
  group.rows += 1;
  if (error.subject !== undefined && group.subjects.size < shown) group.subjects.add(error.subject);
  if (group.examples.length < shown) group.examples.push(row);
}
