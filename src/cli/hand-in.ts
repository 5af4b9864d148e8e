/** A sheet that `run` and `import` hand in: as a campaign of its own, or into one. */
import { mergeInto } from '../campaigns/hand-in/into.ts';
import { type OpenManifest, openManifest } from '../campaigns/hand-in/manifest-file.ts';
import { startCampaign } from '../campaigns/hand-in/start.ts';
import type { HandInFlags } from './flags/hand-in.ts';
import { refuseUnfitting } from './flags/hand-in.ts';
import { readSheetOptions, saveColumnMap } from './flags/read-sheet.ts';
import { cleanBeforeEnding } from './interrupt.ts';
import { type HandedIn, printPlannedMerge } from './print/hand-in.ts';
import type { Session } from './session.ts';

/**
 * Hands a sheet in. Only the plan of an import into a campaign is printed here, because it comes before the import.
 * @throws {CommandError} for flags that mean nothing together. @throws {UseCaseError} as the use cases.
 */
export async function handIn(
  { runtime, output }: Session,
  file: string,
  flags: HandInFlags,
): Promise<HandedIn> {
  refuseUnfitting(flags);
  const options = { ...flags, sheet: await readSheetOptions(flags) };
  await using manifest = await openPipeOrFile(runtime.environment.dataDir, file);
  const handed =
    flags.into === undefined
      ? await startCampaign(runtime, manifest, options)
      : await mergeInto(runtime, manifest, flags.into, {
          ...options,
          onPlan: (planned) => printPlannedMerge(output, planned),
        });
  // A mapping is worth keeping once a sheet was read with it.
  if (handed.kind !== 'known' && handed.kind !== 'problems') await saveColumnMap(flags, options.sheet.map);
  return handed;
}

/** What comes by a pipe is kept in a file; a signal that ends the command removes it. */
export function openPipeOrFile(dataDir: string, file: string): Promise<OpenManifest> {
  return openManifest(file, {
    dataDir,
    input: process.stdin.isTTY ? undefined : process.stdin,
    guard: cleanBeforeEnding,
  });
}
