/** The document of an import of videos, for `--json` and the REST API. */
import type { VideoCommandDocument } from '../documents.ts';
import type { ImportedVideos } from './import.ts';

export function describeImport({
  check,
  added,
  known,
  videos,
  yearBytes,
}: ImportedVideos): VideoCommandDocument<'videos import'> {
  return {
    format: check.format,
    rows: check.rows,
    problems: check.problems.kept,
    problemCounts: Object.fromEntries(check.problems.byCode),
    warnings: check.warnings.kept,
    warningCounts: Object.fromEntries(check.warnings.byCode),
    added,
    known,
    withoutUrl: check.withoutUrl,
    videos,
    yearBytes,
  };
}
