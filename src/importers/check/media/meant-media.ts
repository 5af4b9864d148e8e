/** Guesses the meaning of a path without a file: several files, or a Windows path. */
import { maxPhotos } from '../../../api/contract/posts.ts';
import type { SourceFault } from '../../../manifest/cells/media-source.ts';
import { listSeparator } from '../../../manifest/columns.ts';
import { showValue } from '../../../manifest/problems/problem.ts';

/**
 * Checks whether another spelling of the path leads to files.
 * @param exists whether a file is under the media root.
 * @returns the fault with the right spelling; `null` if there is none.
 */
export async function findMeantMedia(
  path: string,
  exists: (path: string) => Promise<boolean>,
): Promise<SourceFault | null> {
  const slashed = path.replaceAll('\\', '/');
  if (slashed !== path && (await exists(slashed))) {
    return {
      code: 'media_backslash',
      problem: 'the file was not found, because the path uses \\ between folders',
      cure: `Write / between the folders: ${showValue(slashed)}`,
      meant: slashed,
    };
  }
  const parts = slashed
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length < 2 || parts.length > maxPhotos) return null;
  for (const part of parts) if (!(await exists(part))) return null;
  return {
    code: 'media_separator',
    problem: `the cell names ${parts.length} files, but does not separate them with ${listSeparator}`,
    cure: `Write ${listSeparator} between the files: ${showValue(parts.join(listSeparator))}`,
    meant: parts.join(listSeparator),
  };
}
