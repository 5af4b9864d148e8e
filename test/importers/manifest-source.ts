/** Manifests and settings for tests of the check. */
import { checkSettings } from '../../config/load.ts';
import { checkSheet } from '../../src/importers/check/check-sheet.ts';
import type { CheckedRow, CheckOptions, RefusedRow } from '../../src/importers/check/checked-row.ts';
import type { ManifestSource } from '../../src/sheets/sheet.ts';
import type { Encoding } from '../../src/sheets/text/encoding.ts';

export const confirmUpload = { method: 'POST', path: '/v1/file/confirm', body: { fileId: '{fileId}' } };

export function sourceOf(content: string | Buffer): ManifestSource {
  return {
    name: 'manifest.csv',
    async *bytes() {
      yield Buffer.from(content);
    },
  };
}

/** The bytes of a text in an encoding with characters of one or two bytes. */
export function encoded(text: string, encoding: Encoding): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, readonly number[]>();
  for (let lead = 0xff; lead >= 0x80; lead -= 1) {
    for (let trail = 0xfe; trail >= 0x40; trail -= 1) {
      const both = decoder.decode(Uint8Array.of(lead, trail));
      if ([...both].length === 1) bytes.set(both, [lead, trail]);
    }
    bytes.set(decoder.decode(Uint8Array.of(lead)), [lead]);
  }
  return Buffer.from([...text].flatMap((one) => bytes.get(one) ?? [...Buffer.from(one)]));
}

/** The cells of a valid row. */
export const right = {
  creator: 'demo_anna',
  media: 'a.mp4',
  caption: 'Hi',
  product_id: '1',
  product_title: 'Serum',
};

/** A manifest of video posts: valid rows with the given cells changed. */
export function manifestOf(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = [...new Set([...Object.keys(right), ...rows.flatMap(Object.keys)])];
  const lines = rows.map((row) => {
    const cells: Readonly<Record<string, string>> = { ...right, ...row };
    return names.map((name) => cells[name] ?? '').join(',');
  });
  return [names.join(','), ...lines, ''].join('\n');
}

/** Checks a manifest, and collects the accepted rows. */
export async function check(
  content: string | Buffer | ManifestSource,
  options: Partial<Omit<CheckOptions, 'settings'>> & { readonly settings?: Record<string, unknown> } = {},
) {
  const chunks: (readonly CheckedRow[])[] = [];
  const refused: RefusedRow[] = [];
  const { settings = { api: { confirmUpload } }, ...rest } = options;
  const result = await checkSheet(
    typeof content === 'string' || Buffer.isBuffer(content) ? sourceOf(content) : content,
    {
      now: 0,
      creators: null,
      media: null,
      posts: null,
      ...rest,
      settings: checkSettings(settings),
    },
    { onRefused: (row) => void refused.push(row), ...rest, onAccepted: (rows) => void chunks.push(rows) },
  );
  const found = result.problems.kept.map(({ line, column, code }) => `${line} ${column ?? '-'} ${code}`);
  return { ...result, chunks, rows: result.rows, handedOn: chunks.flat(), refused, found };
}
