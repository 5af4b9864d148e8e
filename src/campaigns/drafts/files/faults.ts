/** What is wrong with media that were dropped: seen by their bytes, before any row names them. */
import { MediaError } from '../../../media/errors.ts';
import { describeLocalMedia } from '../../../media/source.ts';
import { type DraftRuntime, draftMediaFolder } from '../folder.ts';

export interface FileFault {
  /** As a sentence. */
  readonly problem: string;
  readonly cure: string;
}

/** Files that are read at the same time. */
const atOnce = 8;

/** @param paths of stored media. @returns the faults by path; files without one are left out. */
export async function findFileFaults(
  runtime: DraftRuntime,
  draft: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileFault>> {
  const faults = new Map<string, FileFault>();
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

async function findFault(runtime: DraftRuntime, draft: string, path: string): Promise<FileFault | undefined> {
  const options = { mediaRoot: draftMediaFolder(runtime, draft), maxBytes: runtime.settings.media.maxBytes };
  try {
    await describeLocalMedia(path, options);
    return undefined;
  } catch (error) {
    if (error instanceof MediaError) return { problem: error.message, cure: error.cure };
    throw error;
  }
}
