/** A draft in a console, with its page and the forms on it. */
import { openTestDraft, type TestDraft } from '../../app/drafts/test-draft.ts';
import type { Cells } from '../sheets/sheet.ts';

export const product = '1729384071926530212';
export const good = { product_title: 'Velvet Cherry', product_id: product };
export const lost = { ...good, product_id: '1.72938E+18' };

/** The page once its own check has ended: a slow machine shows the progress of the check first. */
export function checkedPage({ runner, pages }: Pick<TestDraft, 'runner' | 'pages'>, id: string) {
  return runner.until(async () => {
    const page = await pages.get(`/campaigns/new/${id}`);
    return page.html.includes('name="version"') && page;
  }, 'the check to end');
}

/** A draft, its page, and its forms. */
export async function openDraft(rows: readonly Cells[]) {
  const testDraft = await openTestDraft(rows);
  const { pages, id } = testDraft;
  const path = `/campaigns/new/${id}`;
  const checked = () => checkedPage(testDraft, id);
  const fieldsOf = (html: string) => ({
    version: /name="version" value="(\d+)"/.exec(html)?.[1] ?? '',
    group: /[?;]group=([0-9a-f]{12})/.exec(html)?.[1] ?? '',
    band: /[?;]band=([0-9a-f]{16})/.exec(html)?.[1] ?? '',
  });
  /** The rows of the first kind of problem; the whole page if there is none. */
  const kind = async () => {
    const page = await checked();
    const [rows] = /rows=[0-9a-f]{12}/.exec(page.html) ?? [];
    return rows === undefined ? page : pages.get(`${path}?${rows}`);
  };
  /** Sends a form of the page as it is now. */
  const send = async (action: string, fields: Readonly<Record<string, string>> = {}) =>
    pages.post(`${path}/${action}`, { ...fieldsOf((await kind()).html), ...fields });
  return { ...testDraft, path, send, checked, kind, fieldsOf };
}

/** The options of the page, as they are filled in. */
export const options = { options: 'shown', name: 'Lipstick', canary: '20', stop: '10' };

/** The field for one text in all rows of a kind. */
export function textOfAll(html: string): string {
  return /name="(text\.[0-9a-f]{12}\.[0-9a-f]{16})"/.exec(html)?.[1] ?? '';
}

export async function cellsOf({ look, drafts, id }: Pick<TestDraft, 'look' | 'drafts' | 'id'>, row: number) {
  await look();
  return (await drafts.window(id, 'all', row - 1, 1)).rows[0]?.cells;
}
