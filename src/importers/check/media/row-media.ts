/** The media of rows: checks each medium once, if the text of its row is reliable. */
import { findSourceFault } from '../../../manifest/cells/media-source.ts';
import type { CellProblem } from '../../../manifest/problems/problem.ts';
import type { RowDraft } from '../../../manifest/reader.ts';
import type { Row } from '../../../manifest/row.ts';
import {
  type MediaCheck,
  MediaInspector,
  mediaOf,
  mediaProblem,
  mediaWarning,
  type RowMedium,
} from './media-check.ts';

interface ReadRow {
  readonly row: Row | null;
  /** The row, or its readable parts. */
  readonly draft: RowDraft | null;
}

/** What is known of media by path or URL. */
export interface MediaFacts {
  /** Bytes; 0 if the size is unknown. */
  readonly bytesOf: (source: string) => number;
  /** Identifies its bytes; undefined if they are not known. */
  readonly contentOf: (source: string) => string | undefined;
}

const unknown: MediaFacts = { bytesOf: () => 0, contentOf: () => undefined };

export class RowMedia {
  readonly #inspector: MediaInspector | null;

  /** @param check `null`: media is not checked. */
  constructor(check: MediaCheck | null) {
    this.#inspector = check === null ? null : new MediaInspector(check);
  }

  /** Checks the media of some rows. Rejects only if a check itself failed. */
  async check<Each extends ReadRow>(
    rows: readonly Each[],
    report: (row: Each, kind: 'problem' | 'warning', found: CellProblem) => void,
  ): Promise<MediaFacts> {
    if (this.#inspector === null) return unknown;
    const asked = rows.flatMap((row) => mediaToLookAt(row).map((medium) => ({ row, medium })));
    const findings = await this.#inspector.inspect(asked.map(({ medium }) => medium));
    const facts = new Map<string, { readonly bytes: number | null; readonly content?: string | undefined }>();
    asked.forEach(({ row, medium }, index) => {
      const finding = findings[index];
      if (finding === undefined) return;
      if ('bytes' in finding) facts.set(medium.source, finding);
      const problem = mediaProblem(medium, finding);
      if (problem !== null) report(row, 'problem', problem);
      const warning = mediaWarning(medium, finding);
      if (warning !== null) report(row, 'warning', warning);
    });
    return {
      bytesOf: (source) => facts.get(source)?.bytes ?? 0,
      contentOf: (source) => facts.get(source)?.content,
    };
  }
}

/** Leaves out sources with a faulty text, whose problem is already reported. */
function mediaToLookAt({ row, draft }: ReadRow): readonly RowMedium[] {
  if (row !== null) return mediaOf(row);
  if (draft?.mediaType === undefined) return [];
  const { mediaType } = draft;
  return mediaOf({ ...draft, mediaType }).filter(
    ({ source }) => source !== '' && findSourceFault(source) === null,
  );
}
