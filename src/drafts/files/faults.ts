/** Finds faults of uploaded media by their bytes, before any row names them. */
import type { MediaFault } from '../../media/complete.ts';
import { MediaError } from '../../media/errors.ts';
import { describeLocalMedia } from '../../media/source.ts';
import { type DraftRuntime, draftMediaFolder } from '../folder.ts';

/** Files that are read at the same time. */
const atOnce = 8;

/** @param paths of stored media. @returns the faults by path; files without one are left out. */
export async function findMediaFaults(
  runtime: DraftRuntime,
  draft: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, MediaFault>> {
  const faults = new Map<string, MediaFault>();
  const left = [...paths];
  const work = async () => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const fault = await findFault(runtime, draft, path);
      if (fault !== undefined) faults.set(path, fault);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return faults;
}

async function findFault(
  runtime: DraftRuntime,
  draft: string,
  path: string,
): Promise<MediaFault | undefined> {
  const options = { mediaRoot: draftMediaFolder(runtime, draft), maxBytes: runtime.settings.media.maxBytes };
  try {
    return (await describeLocalMedia(path, options)).cut;
  } catch (error) {
    if (error instanceof MediaError) return { problem: error.message, cure: error.cure };
    throw error;
  }
}
