/** Checks the media of rows before anything is sent: that it exists and has the right kind. */
import { LRUCache } from 'lru-cache';
import { findSourceFault, kindOf } from '../../manifest/cells/media-source.ts';
import { type CellProblem, type Fault, type Report, showValue } from '../../manifest/problems/problem.ts';
import type { RowDraft } from '../../manifest/reader.ts';
import type { Row } from '../../manifest/row.ts';
import type { MediaType } from '../../service/contract/posts.ts';

/**
 * `bytes` is `null` if the size is unknown without a download. `warning`: the file is sent, but looks faulty. `doubts`: what of it the
 * platform may not take in a post. `content` identifies its bytes, if they are known.
 */
export type MediaFinding =
  | {
      readonly bytes: number | null;
      readonly warning?: Fault | undefined;
      readonly doubts?: readonly Fault[] | undefined;
      readonly content?: string | undefined;
    }
  | { readonly fault: Fault };

/** Checks one path or URL, as written in the row. Rejects only if the check itself failed. */
export type MediaCheck = (source: string, expected: MediaType) => Promise<MediaFinding>;

/** Columns whose cells name media. */
export const mediaColumns = ['media', 'cover', 'ai_references'] as const;
export type MediaColumn = (typeof mediaColumns)[number];

export function isMediaColumn(column: string | null | undefined): column is MediaColumn {
  return mediaColumns.some((each) => each === column);
}

/** One medium of a row: of the post itself, a cover, or a reference of a generation. */
export interface RowMedium {
  readonly column: MediaColumn;
  readonly source: string;
  readonly kind: MediaType;
}

const findingsKept = 20_000;
const atOnce = 16;

/** All files and URLs of the row, in column order. While its type is unclear, each by its own name. */
export function mediaOf(row: RowDraft): readonly RowMedium[] {
  const media = row.media.flatMap((source): RowMedium[] => {
    const kind = row.mediaType ?? kindOf(source);
    return kind === null ? [] : [{ column: 'media', source, kind }];
  });
  if (row.cover?.kind === 'file') media.push({ column: 'cover', source: row.cover.source, kind: 'PHOTO' });
  for (const source of row.generation?.references ?? []) {
    media.push({ column: 'ai_references', source, kind: 'PHOTO' });
  }
  return media;
}

/** Checks many media, a few at once, and remembers the findings. */
export class MediaInspector {
  readonly #check: MediaCheck;
  /** A `max` would take the room of all at once. */
  readonly #findings = new LRUCache<string, MediaFinding>({
    maxSize: findingsKept,
    sizeCalculation: () => 1,
  });

  constructor(check: MediaCheck) {
    this.#check = check;
  }

  /** Checks each distinct medium once. @returns the findings in the order of `media`. */
  async inspect(media: readonly RowMedium[]): Promise<readonly MediaFinding[]> {
    const findings = new Map<string, MediaFinding>();
    const open = new Map<string, RowMedium>();
    for (const medium of media) {
      const identity = identityOf(medium);
      const known = this.#findings.get(identity);
      if (known === undefined) open.set(identity, medium);
      else findings.set(identity, known);
    }
    const queue = open.entries();
    // All workers share one iterator, so that each medium is checked once.
    const inspectNext = async () => {
      for (const [identity, medium] of queue) {
        const finding = await this.#check(medium.source, medium.kind);
        this.#findings.set(identity, finding);
        findings.set(identity, finding);
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, open.size) }, inspectNext));
    return media.map((medium) => findings.get(identityOf(medium)) ?? { bytes: null });
  }
}

function inCell({ column, source }: RowMedium, { code, ...fault }: Fault): CellProblem {
  return { column, code, value: showValue(source), ...fault };
}

function identityOf(medium: RowMedium): string {
  return `${medium.kind} ${medium.source}`;
}

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
  async check<Each extends ReadRow>(rows: readonly Each[], report: Report<Each>): Promise<MediaFacts> {
    if (this.#inspector === null) return unknown;
    const toCheck = rows.flatMap((row) => mediaToCheck(row).map((medium) => ({ row, medium })));
    const findings = await this.#inspector.inspect(toCheck.map(({ medium }) => medium));
    const facts = new Map<string, { readonly bytes: number | null; readonly content?: string | undefined }>();
    toCheck.forEach(({ row, medium }, index) => {
      const finding = findings[index];
      if (finding === undefined) return;
      if ('fault' in finding) report(row, 'problem', inCell(medium, finding.fault), medium.source);
      else {
        facts.set(medium.source, finding);
        const { warning, doubts = [] } = finding;
        // References are for the AI, not for the platform.
        const warnings = [
          ...(warning ? [warning] : []),
          ...(medium.column === 'ai_references' ? [] : doubts),
        ];
        for (const each of warnings) report(row, 'warning', inCell(medium, each), medium.source);
      }
    });
    return {
      bytesOf: (source) => facts.get(source)?.bytes ?? 0,
      contentOf: (source) => facts.get(source)?.content,
    };
  }
}

/** Leaves out sources with a faulty text, whose problem is already reported. */
function mediaToCheck({ row, draft }: ReadRow): readonly RowMedium[] {
  if (row !== null) return mediaOf(row);
  if (draft === null) return [];
  return mediaOf(draft).filter(({ source }) => source !== '' && findSourceFault(source) === null);
}
