/**
 * Bad manifests: each case gives a problem with place, description and fix, or it just works.
 */
import { describe, expect, test } from 'vitest';
import { checkSettings } from '../../config/load.ts';
import { fixHere } from '../../src/cli/hints.ts';
import { checkSheet } from '../../src/importers/check/check-sheet.ts';
import { createMediaCheck } from '../../src/importers/check/local-media-check.ts';
import type { ManifestSource } from '../../src/sheets/sheet.ts';
import { temporaryFolder } from '../support/folder.ts';
import { bytes } from './bad-manifests/bytes.ts';
import type { BadManifest } from './bad-manifests/entry.ts';
import { json } from './bad-manifests/json.ts';
import { fillMediaRoot, media } from './bad-manifests/media.ts';
import { shape } from './bad-manifests/shape.ts';
import { values } from './bad-manifests/values.ts';
import { check, confirmUpload, manifestOf } from './manifest-source.ts';

const now = Date.parse('2026-11-21T00:00Z');

async function read({ content, column = 'caption' }: BadManifest) {
  const mediaRoot = temporaryFolder();
  fillMediaRoot(mediaRoot, temporaryFolder());
  const look = createMediaCheck({ mediaRoot, maxBytes: 1e6, allowPrivateAddresses: [] });
  const { problems, handedOn, header } = await check(content, { now, media: look });
  const position = header.indexOf(column);
  return {
    problems: problems.kept.map(({ line, column: at, code, problem, fix }) => [
      `${line} ${at ?? '-'}`,
      code,
      problem,
      fixHere(fix),
    ]),
    rows: handedOn.map(({ line, cells }) => [line, cells[position]]),
  };
}

describe.each([
  ['bytes', bytes],
  ['shape', shape],
  ['values', values],
  ['JSON', json],
  ['media', media],
])('%s', (_name, entries) => {
  test.each(entries)('$name', async (entry) => {
    const found = await read(entry);
    expect(found.problems).toEqual(entry.problems);
    if (entry.rows) expect(found.rows).toEqual(entry.rows);
  });
});

test('two hundred thousand rows just work', async () => {
  const [head = '', row = ''] = manifestOf([{}]).split('\n');
  const thousand = Buffer.from(`${row}\n`.repeat(1000));
  const source: ManifestSource = {
    name: 'many.csv',
    async *bytes() {
      yield Buffer.from(`${head}\n`);
      for (let count = 0; count < 200; count += 1) yield thousand;
    },
  };
  let last = 0;
  const { rows, accepted, found } = await checkSheet(
    source,
    {
      settings: checkSettings({ api: { confirmUpload } }),
      now: 0,
      creators: null,
      media: null,
      posts: null,
    },
    {
      onAccepted: (some) => {
        last = some.at(-1)?.line ?? 0;
      },
    },
  ).then((result) => ({ ...result, found: result.problems.total }));
  expect({ rows, accepted, found, last }).toEqual({
    rows: 200_000,
    accepted: 200_000,
    found: 0,
    last: 200_001,
  });
});
