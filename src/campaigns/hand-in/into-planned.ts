/** Imports a sheet into a campaign as its plan was shown: if the campaign has changed since, nothing is done. */
import type { SheetMatches } from '../../importers/into/match-rows.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { type Merged, mergeInto } from './into.ts';
import type { ManifestFile } from './manifest-file.ts';

/** Numbers of rows that a person has agreed to. */
export type AgreedRows = Readonly<Record<'new' | 'changed' | 'redone', number>>;

export function rowsOf(matches: SheetMatches): AgreedRows {
  return { new: matches.new.count, changed: matches.changed.count, redone: matches.redone.count };
}

/** @throws {UseCaseError} `plan_changed`. */
export function requireAgreed(matches: SheetMatches, agreed: AgreedRows): void {
  const now = rowsOf(matches);
  if (now.new === agreed.new && now.changed === agreed.changed && now.redone === agreed.redone) return;
  throw new UseCaseError('plan_changed', 'the campaign has changed since the plan was made', {
    cure: 'Look at the new plan.',
  });
}

/** Only plans. @throws {UseCaseError} as `mergeInto`. */
export async function planInto(runtime: Runtime, sheet: ManifestFile, id: string): Promise<Merged> {
  return mergeInto(runtime, sheet, id, { dryRun: true, onPlan: () => undefined });
}

/** Imports, and wakes the campaign. @throws {UseCaseError} `plan_changed`, and as `mergeInto`. */
export async function mergeAsPlanned(
  runtime: Runtime,
  sheet: ManifestFile,
  id: string,
  agreed: AgreedRows,
): Promise<Merged> {
  const merged = await mergeInto(runtime, sheet, id, {
    onPlan: ({ matches }) => requireAgreed(matches, agreed),
  });
  if (merged.kind === 'merged' && merged.campaign.state === 'running') await runtime.queues.wakeAdmission(id);
  return merged;
}
