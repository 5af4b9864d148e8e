/** What a planner may have meant by a path that leads nowhere: several files, or folders as Windows writes them. */
import { listSeparator } from '../../manifest/columns.ts';
import { showValue } from '../../manifest/problem.ts';
import type { MediaFault } from './media-check.ts';

/**
 * Looks whether the path, written otherwise, leads to files.
 * @param exists whether there is such a file under the media root.
 * @returns `null` where it does not.
 */
export async function findMeantMedia(
  path: string,
  exists: (path: string) => Promise<boolean>,
): Promise<MediaFault | null> {
  const slashed = path.replaceAll('\\', '/');
  if (slashed !== path && (await exists(slashed))) {
    return {
      code: 'media_backslash',
      problem: 'there is no such file: its folders are separated by \\',
      cure: `Write / between the folders: ${showValue(slashed)}`,
    };
  }
  const parts = slashed
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length < 2) return null;
  for (const part of parts) if (!(await exists(part))) return null;
  return {
    code: 'media_separator',
    problem: `there is no such file, but there are ${parts.length} of these names: the separator is ${listSeparator}`,
    cure: `Write ${listSeparator} between the files: ${showValue(parts.join(listSeparator))}`,
  };
}
