/** Checks some rows of a draft again: the mended rows, and rows that share a key with them. */

import { checkRules, postsOf } from '../../campaigns/import/check.ts';
import { RowChecks } from '../../importers/check/row-checks.ts';
import { createKeyReader } from '../../manifest/cells/key.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { promptPosts } from './prompt-posts.ts';
import { keyOf, sheetOf, sheetOptionsOf, type WholeCheck, type WholeCheckOptions } from './whole-check.ts';

/** For more rows, the whole sheet is checked. */
const mostAtOnce = 500;
/** Total length of their cells, in UTF-16 units. */
const mostCharacters = 8_000_000;

/**
 * Brings the findings of a check up to date, except for the plan and for warnings that depend on other rows.
 * @param touched numbers of the rows that were mended.
 * @returns false if there are too many rows, or the sheet as a whole has problems. Then the whole sheet must be checked.
 */
export async function checkSome(
  runtime: Runtime,
  { result, findings, rows: file }: WholeCheck,
  touched: ReadonlySet<number>,
  options: Pick<WholeCheckOptions, 'draft' | 'mends' | 'account' | 'creators' | 'mediaRoot'>,
): Promise<boolean> {
  const { draft, mends, account, creators, mediaRoot } = options;
  if (touched.size > mostAtOnce || findings.states.count === 0) return false;
  const sheet = sheetOptionsOf(draft.reading);
  const { header } = findings;
  const keys = createKeyReader(
    createImportedRowReader({ header, map: sheet.map ?? new Map(), timezone: null }),
  );
  const hashes = new Set<number>();
  const mended = await file.read(
    [...touched].sort((one, other) => one - other),
    mostCharacters,
  );
  if (mended.length < touched.size) return false;
  for (const row of mended) {
    hashes.add(findings.states.keyHash(row.number));
    findings.states.setKey(row.number, keyOf(keys, mends.apply(row, row.number)));
    hashes.add(findings.states.keyHash(row.number));
  }
  const numbers = new Set([...touched, ...findings.states.withKeys(hashes)]);
  if (numbers.size > mostAtOnce) return false;
  const rules = await checkRules(runtime, sheetOf(runtime, draft, mediaRoot), account, {
    sheet,
    mediaRoot,
    creators,
    mends,
    timezone: draft.reading.timezone,
    allowUnknownColumns: true,
    posts: promptPosts(account.name, () => postsOf(runtime, account, undefined)),
  });
  const checks = new RowChecks(header, result.format?.kind.startsWith('json') ? 'key' : 'header', rules);
  const again =
    numbers.size === mended.length
      ? mended
      : await file.read(
          [...numbers].sort((one, other) => one - other),
          mostCharacters,
        );
  if (again.length < numbers.size) return false;
  for (const row of again) {
    const { number } = row;
    checks.rowsSeen = number - 1;
    const { accepted, refused } = await checks.check([row]);
    findings.forget(number);
    if (mends.leavesOut(number)) findings.states.set(number, 'leftOut', true);
    for (const { problems } of refused) findings.refuse(number, problems);
    for (const { warnings } of accepted) {
      findings.warn(
        number,
        warnings.map((warning) => checks.titled(warning)),
      );
    }
  }
  return true;
}
