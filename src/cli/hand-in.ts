/** `run` and `import` hand in a sheet: as a new campaign, or into an existing one. */
import { mergeInto } from '../campaigns/import/into.ts';
import { type OpenManifest, openManifest } from '../campaigns/import/manifest-file.ts';
import { startCampaign } from '../campaigns/import/start.ts';
import { plural } from '../runtime/wording.ts';
import { type HandInFlags, refuseUnfitting } from './flags/hand-in.ts';
import { readSheetOptions, saveColumnMap } from './flags/sheet.ts';
import { type HandedIn, printPlannedMerge } from './print/hand-in.ts';
import { cleanBeforeEnding } from './process.ts';
import type { Session } from './session.ts';

/**
 * Hands in a sheet. Prints only the plan of a merge, because people must see it before the merge.
 * @throws {CommandError} for flags that do not go together. @throws {UseCaseError} as the use cases do.
 */
export async function handIn(
  { runtime, output, record }: Session,
  file: string,
  flags: HandInFlags,
): Promise<HandedIn> {
  refuseUnfitting(flags);
  const options = { ...flags, sheet: await readSheetOptions(flags) };
  await using manifest = await openPipeOrFile(runtime, file);
  const handed =
    flags.into === undefined
      ? await startCampaign(runtime, manifest, options)
      : await mergeInto(runtime, flags.into, manifest, {
          ...options,
          onPlan: (planned) => printPlannedMerge(output, planned),
        });
  // Keep a mapping only after it has worked for a sheet.
  if (handed.kind !== 'known' && handed.kind !== 'problems') await saveColumnMap(flags, options.sheet.map);
  if (handed.kind === 'imported') {
    const { id, name } = handed.campaign;
    await record(`Handed in ${name} as ${id}: ${plural(handed.check.accepted, 'row')}.`);
  } else if (handed.kind === 'merged') await record(`Handed in a sheet again into ${handed.campaign.id}.`);
  return handed;
}

/** Opens a manifest. Piped input goes to a temporary file, which is removed even if a signal ends the command. */
export function openPipeOrFile(
  runtime: Pick<Session['runtime'], 'settings'>,
  file: string,
): Promise<OpenManifest> {
  return openManifest(runtime, file, {
    input: process.stdin.isTTY ? undefined : process.stdin,
    guard: cleanBeforeEnding,
  });
}
