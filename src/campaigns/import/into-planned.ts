/** Imports a sheet into a campaign exactly as planned. Does nothing if the campaign has changed since. */
import type { SheetMatches } from '../../importers/into/match-rows.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { type IntoOptions, type Merged, mergeInto, type PlannedMerge } from './into.ts';
import type { ManifestFile } from './manifest-file.ts';

/** Numbers of rows that a person has agreed to. */
export type AgreedRows = Readonly<Record<'new' | 'changed' | 'redone', number>>;

export function rowsOf(matches: SheetMatches): AgreedRows {
  return { new: matches.new.count, changed: matches.changed.count, redone: matches.redone.count };
}

function isAgreed(matches: SheetMatches, agreed: AgreedRows): boolean {
  const now = rowsOf(matches);
  return now.new === agreed.new && now.changed === agreed.changed && now.redone === agreed.redone;
}

/** @throws {UseCaseError} `plan_changed`. */
export function requireAgreed(matches: SheetMatches, agreed: AgreedRows): void {
  if (!isAgreed(matches, agreed)) throw planChanged();
}

function planChanged(): UseCaseError {
  return new UseCaseError('plan_changed', 'the campaign has changed since the plan was made', {
    cure: 'Look at the new plan.',
  });
}

/**
 * Plans the import, and changes nothing. @param options.onRead receives the rows as they are read.
 * @throws {UseCaseError} as `mergeInto`.
 */
export async function planInto(
  runtime: Runtime,
  sheet: ManifestFile,
  id: string,
  options: Pick<IntoOptions, 'onRead' | 'again' | 'sheet'> = {},
): Promise<Merged> {
  return mergeInto(runtime, id, sheet, { ...options, dryRun: true });
}

/** `changed`: the plan has changed since, and nothing was done. */
export type MergedAsPlanned = Merged | (PlannedMerge & { readonly kind: 'changed' });

/** Imports, and wakes the campaign. @throws {UseCaseError} as `mergeInto`. */
export async function mergeAsPlanned(
  runtime: Runtime,
  sheet: ManifestFile,
  id: string,
  { again, sheet: reading, ...agreed }: AgreedRows & Pick<IntoOptions, 'again' | 'sheet'>,
): Promise<MergedAsPlanned> {
  const others: PlannedMerge[] = [];
  const onPlan = (planned: PlannedMerge) => {
    if (isAgreed(planned.matches, agreed)) return;
    others.push(planned);
    throw planChanged();
  };
  const merged = await mergeInto(runtime, id, sheet, { again, sheet: reading, onPlan }).catch(
    (error: unknown) => {
      const [changed] = others;
      if (changed === undefined) throw error;
      return { kind: 'changed' as const, ...changed };
    },
  );
  if (merged.kind === 'merged' && merged.campaign.state === 'running') await runtime.queues.wakeAdmission(id);
  return merged;
}
