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
  /** Of very many rows only some were looked at: `rows` is about right. */
  readonly isEstimate: boolean;
  /** What it is about (files, products, creators), the first few. */
  readonly subjects: readonly string[];
  /** What the first of the rows says. */
  readonly message: string;
  readonly cure: string | undefined;
  /** Keys of the first few rows. */
  readonly examples: readonly string[];
  /** The commands that do these rows again; none where a person has to decide first. */
  readonly commands: readonly string[];
}

const shown = 5;
const rowsAtOnce = 1000;
/** More rows than these are not read: a person wants to see what is wrong, and now. */
const mostRead = 10_000;

interface Group {
  readonly state: Cause['state'];
  readonly first: RowError;
  rows: number;
  isEstimate: boolean;
  readonly subjects: Set<string>;
  readonly examples: number[];
}

/** Groups of a campaign, the largest first. */
export async function causesOf(ledger: Ledger, campaign: Campaign): Promise<readonly Cause[]> {
  const groups = new Map<string, Group>();
  for (const state of ['failed', 'review'] as const) {
    if (campaign.counts[state] === 0) continue;
    const total = campaign.counts[state];
    const rows = await ledger.rows.someInState(campaign.id, state, total, mostRead);
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      const part = rows.slice(start, start + rowsAtOnce);
      const errors = await ledger.rows.errors(campaign.id, part);
      errors.forEach((error, index) => {
        if (error) count(groups, state, part[index] ?? 0, error);
      });
    }
    if (total > rows.length) estimate(groups, state, total / rows.length);
  }
  const keyOf = keysOf(ledger, campaign);
  const causes = [...groups.values()]
    .sort((one, other) => other.rows - one.rows)
    .map(async (group) => ({
      state: group.state,
      code: group.first.code,
      step: group.first.step,
      rows: group.rows,
      isEstimate: group.isEstimate,
      subjects: [...group.subjects],
      message: group.first.message,
      cure: group.first.cure,
      examples: await Promise.all(group.examples.map(keyOf)),
      commands: commandsFor(campaign, group),
    }));
  return Promise.all(causes);
}

/** From the rows that were read to all of them. */
function estimate(groups: Map<string, Group>, state: Cause['state'], factor: number): void {
  for (const group of groups.values()) {
    if (group.state !== state) continue;
    group.rows = Math.round(group.rows * factor);
    group.isEstimate = true;
  }
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
    group = { state, first: error, rows: 0, isEstimate: false, subjects: new Set(), examples: [] };
    groups.set(key, group);
  }
  group.rows += 1;
  if (error.subject !== undefined && group.subjects.size < shown) group.subjects.add(error.subject);
  if (group.examples.length < shown) group.examples.push(row);
}
