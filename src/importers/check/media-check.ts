/** Looks at the media of rows before anything is sent: whether it is there, and is what the row says. */
import { LRUCache } from 'lru-cache';
import type { MediaKind, SourceFault } from '../../manifest/media-source.ts';
import { type CellProblem, showValue } from '../../manifest/problem.ts';
import type { Row } from '../../manifest/row.ts';

/** What is wrong with one source, in the words of `Problem`. */
export type MediaFault = SourceFault;

/** `bytes` is `null` where the size cannot be told without fetching it. */
export type MediaFinding = { readonly bytes: number | null } | { readonly fault: MediaFault };

/** Looks at one path or URL, as the row writes it. Rejects only where looking itself failed. */
export type MediaCheck = (source: string, expected: MediaKind) => Promise<MediaFinding>;

/** One medium of a row: a post's own, a cover, or a reference of a generation. */
export interface RowMedium {
  readonly column: 'media' | 'cover' | 'ai_references';
  readonly source: string;
  readonly kind: MediaKind;
}

const findingsKept = 20_000;
const atOnce = 16;

/** Every file and URL that the row names, in the order of its columns. */
export function mediaOf(row: Row): readonly RowMedium[] {
  const kind = row.mediaType === 'VIDEO' ? 'VIDEO' : 'IMAGE';
  const media: RowMedium[] = row.media.map((source) => ({ column: 'media', source, kind }));
  if (row.cover?.kind === 'file') media.push({ column: 'cover', source: row.cover.source, kind: 'IMAGE' });
  for (const source of row.generation?.references ?? []) {
    media.push({ column: 'ai_references', source, kind: 'IMAGE' });
  }
  return media;
}

/** Checks many media, a few at once; what was found of a source is remembered. */
export class MediaInspector {
  readonly #check: MediaCheck;
  readonly #findings = new LRUCache<string, MediaFinding>({ max: findingsKept });

  constructor(check: MediaCheck) {
    this.#check = check;
  }

  /** Looks at each medium once and answers in their order. */
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
    // All take from the one iterator, so that each medium is looked at by one of them.
    const look = async () => {
      for (const [identity, medium] of queue) {
        const finding = await this.#check(medium.source, medium.kind);
        this.#findings.set(identity, finding);
        findings.set(identity, finding);
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, open.size) }, look));
    return media.map((medium) => findings.get(identityOf(medium)) ?? { bytes: null });
  }
}

/** The problem of a row that a finding stands for; `null` where it is none. */
export function mediaProblem(medium: RowMedium, finding: MediaFinding): CellProblem | null {
  if (!('fault' in finding)) return null;
  const { code, ...fault } = finding.fault;
  return { column: medium.column, code, value: showValue(medium.source), ...fault };
}

function identityOf(medium: RowMedium): string {
  return `${medium.kind} ${medium.source}`;
}
