/** The media that rows name: looked at once each, as far as the text of a row can be relied on. */
import { findSourceFault } from '../../manifest/media-source.ts';
import type { CellProblem } from '../../manifest/problem.ts';
import type { RowDraft } from '../../manifest/reader.ts';
import type { Row } from '../../manifest/row.ts';
import { type MediaCheck, MediaInspector, mediaOf, mediaProblem, type RowMedium } from './media-check.ts';

/** A row as it was read. */
interface ReadRow {
  readonly row: Row | null;
  /** The row, or what could be made out of it. */
  readonly draft: RowDraft | null;
}

/** Bytes of a path or URL; 0 where its size is not known. */
export type SizeOf = (source: string) => number;

const unknownSize: SizeOf = () => 0;

export class RowMedia {
  readonly #inspector: MediaInspector | null;

  /** @param check `null`: media is not looked at. */
  constructor(check: MediaCheck | null) {
    this.#inspector = check === null ? null : new MediaInspector(check);
  }

  /** Looks at the media of some rows. Rejects only where looking itself failed. @param report takes what is wrong with a row. */
  async check<Each extends ReadRow>(
    rows: readonly Each[],
    report: (row: Each, problem: CellProblem) => void,
  ): Promise<SizeOf> {
    if (this.#inspector === null) return unknownSize;
    const asked = rows.flatMap((row) => mediaToLookAt(row).map((medium) => ({ row, medium })));
    const findings = await this.#inspector.inspect(asked.map(({ medium }) => medium));
    const sizes = new Map<string, number>();
    asked.forEach(({ row, medium }, index) => {
      const finding = findings[index];
      if (finding === undefined) return;
      if ('bytes' in finding) sizes.set(medium.source, finding.bytes ?? 0);
      const problem = mediaProblem(medium, finding);
      if (problem !== null) report(row, problem);
    });
    return (source) => sizes.get(source) ?? 0;
  }
}

/** What is wrong with the text of a source was told already. */
function mediaToLookAt({ row, draft }: ReadRow): readonly RowMedium[] {
  if (row !== null) return mediaOf(row);
  if (draft?.mediaType === undefined) return [];
  const { mediaType } = draft;
  return mediaOf({ ...draft, mediaType }).filter(
    ({ source }) => source !== '' && findSourceFault(source) === null,
  );
}
