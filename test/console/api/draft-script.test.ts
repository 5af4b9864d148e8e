/** A program that knows only the document of the REST API: from a sheet and its media to all rows posted. */
import { expect, it } from 'vitest';
import { makeToken } from '../../../src/app/access/credentials.ts';
import { quickUser } from '../../support/console/access.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { waitUntil } from '../../support/events.ts';
import { openRunner } from '../../support/in-process.ts';
import { mp4 } from '../../support/sheets/media.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';

interface Documented {
  readonly operationId: string;
  readonly description?: string;
}
interface ApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
}
interface Cell {
  readonly row: number;
  readonly cells: readonly string[];
  readonly problems: readonly { readonly column: string; readonly position: number; readonly code: string }[];
}
interface DraftAnswer {
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly check: {
    readonly accepted: number;
    readonly refused: number;
    readonly blocking: unknown[];
  } | null;
}

class Program {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  #document: ApiDocument | undefined;

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  async call<T>(id: string, given: Readonly<Record<string, string>> = {}, body?: unknown): Promise<T> {
    this.#document ??= (await (await fetch(`${this.#origin}/api/v1/openapi.json`)).json()) as ApiDocument;
    const { paths, servers } = this.#document;
    const [path, method] =
      Object.entries(paths)
        .flatMap(([at, methods]) =>
          Object.entries(methods).map(([name, { operationId }]) => [at, name, operationId]),
        )
        .find(([, , operationId]) => operationId === id) ?? [];
    if (path === undefined || method === undefined) throw new Error(`the document has no ${id}`);
    const query = new URLSearchParams(Object.entries(given).filter(([name]) => !path.includes(`{${name}}`)));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => given[name] ?? '');
    const isText = typeof body === 'string';
    const answer = await fetch(`${this.#origin}${servers[0]?.url ?? ''}${filled}?${query}`, {
      method: method.toUpperCase(),
      headers: {
        ...this.#headers,
        ...(body !== undefined && { 'content-type': isText ? 'text/csv' : 'application/json' }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${id}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }

  /** tus 1.0: an upload is made, then its bytes are sent. @param path of the uploads, as the document says. */
  async upload(path: string, name: string, bytes: Buffer): Promise<void> {
    const tus = { ...this.#headers, 'tus-resumable': '1.0.0' };
    const made = await fetch(`${this.#origin}${path}`, {
      method: 'POST',
      headers: { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': `path ${btoa(name)}` },
    });
    const location = new URL(made.headers.get('location') ?? '', this.#origin);
    const sent = await fetch(location, {
      method: 'PATCH',
      headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: new Uint8Array(bytes),
    });
    if (sent.status !== 204) throw new Error(`${name}: ${sent.status} ${await sent.text()}`);
  }

  describe(id: string): string {
    const all = Object.values(this.#document?.paths ?? {}).flatMap((methods) => Object.values(methods));
    return all.find(({ operationId }) => operationId === id)?.description ?? '';
  }
}

it('a program makes a draft, sends its media, edits it, and starts it', async () => {
  const runner = await openRunner();
  const { url, runtime } = await openPages(runner);
  await quickUser(runner, 'ann', 'operator');
  const { token } = await makeToken(runtime, 'ann');
  const program = new Program(url, token);
  const sheet = sheetText([videoRow('a'), videoRow('b', { creator: 'demo_ana' }), videoRow('c')]);
  const { id } = await program.call<DraftAnswer>('createDraft', { file: 'posts.csv' }, sheet);

  const [, uploads = ''] =
    /`(\/campaigns\/new\/\{id\}\/uploads)`/.exec(program.describe('createDraft')) ?? [];
  for (const name of ['a.mp4', 'b.mp4', 'c.mp4'])
    await program.upload(uploads.replace('{id}', id), name, mp4(name, 1000));
  const checked = (accepted: number) =>
    waitUntil(async () => {
      const draft = await program.call<DraftAnswer>('showDraft', { id });
      return draft.state === 'checked' && draft.check?.accepted === accepted && draft;
    }, 'the check');
  expect((await checked(2)).check).toMatchObject({ accepted: 2, refused: 1, blocking: [] });

  const wrong = await program.call<{ rows: Cell[] }>('listDraftRows', { id, of: 'problems' });
  const cells = wrong.rows.flatMap(({ row, problems }) =>
    problems
      .filter(({ code }) => code === 'creator_unknown')
      .map(({ position }) => ({ row, position, text: 'demo_anna' })),
  );
  const { version } = await checked(2);
  await program.call('editDraft', { id }, { version, cells });
  const edited = await checked(3);
  expect(edited.check).toMatchObject({ accepted: 3, refused: 0 });
  await program.call(
    'changeDraftOptions',
    { id },
    { version: edited.version, options: { name: 'By a script' } },
  );
  const ready = await checked(3);
  await runner.start();
  const campaign = await program.call<{ id: string; name: string }>(
    'startDraft',
    { id },
    { version: ready.version, posts: ready.check?.accepted },
  );
  expect(campaign.name).toBe('By a script');
  await runner.ended(campaign.id);
  const { counts } = await program.call<{ counts: Record<string, number> }>('showCampaign', {
    id: campaign.id,
  });
  expect(counts.posted).toBe(3);
});
