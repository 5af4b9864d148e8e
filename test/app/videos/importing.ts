/** Imports sheets of videos from text, files and links. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration } from '../../../src/app/runtime/configuration.ts';
import { importVideos } from '../../../src/app/videos/import/import.ts';
import { listVideos } from '../../../src/app/videos/watch-list.ts';
import type { WatchedVideo } from '../../../src/ledger/videos/video.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type TestLedger, testLedger } from '../../support/ledger.ts';

export function opened({ ledger }: TestLedger = testLedger()) {
  const folder = temporaryFolder();
  const variables = { CREATOR_API_URL: 'http://127.0.0.1:1', CREATOR_API_KEY: 'key', DATA_DIR: folder };
  const runtime = { ledger, ...readConfiguration(undefined, variables) };
  const path = (name: string) => join(folder, name);
  async function listed(filter = {}): Promise<readonly WatchedVideo[]> {
    const videos = [];
    for await (const part of listVideos(runtime, filter)) videos.push(...part);
    return videos;
  }
  return {
    ledger,
    runtime,
    listed,
    urls: async (filter = {}) => (await listed(filter)).map(({ facts }) => facts.url),
    importFile: (file: string) => importVideos(runtime, { file, path: file }),
    importLinks: (links: string) => importVideos(runtime, { links }),
    importText(text: string, name = 'videos.csv') {
      writeFileSync(path(name), text);
      return importVideos(runtime, { file: name, path: path(name) });
    },
  };
}
