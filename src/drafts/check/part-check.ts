/** Checks some rows of a draft again: the mended rows, and rows that share a key with them. */
import { checkRules, postsOf } from '../../campaigns/import/check.ts';
import type { PostLookUp } from '../../importers/check/checked-row.ts';
import { RowChecks } from '../../importers/check/row-checks.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { RowFile } from './row-file.ts';
import {
  type CheckInputs,
  keyOf,
  keyReaderOf,
  sheetOf,
  sheetOptionsOf,
  type WholeCheck,
} from './whole-check.ts';

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
  { result, findings, rows: file, added }: WholeCheck,
  touched: ReadonlySet<number>,
  { draft, mends, account, creators, mediaRoot }: CheckInputs,
): Promise<boolean> {
  const { header, states } = findings;
  // What becomes of a row of a campaign depends on all of it.
  if (draft.into !== undefined) return false;
  if (touched.size > mostAtOnce || states.count === 0 || added !== mends.added.length) return false;
  const sheet = sheetOptionsOf(draft.reading);
  const mended = await read(file, touched);
  if (mended === undefined) return false;
  const keys = keyReaderOf(header, sheet.map);
  const hashes = new Set<number>();
  for (const row of mended) {
    hashes.add(states.keyHash(row.number));
    states.setKey(row.number, keyOf(keys, mends.apply(row, row.number)));
    hashes.add(states.keyHash(row.number));
  }
  const numbers = new Set([...touched, ...states.withKeys(hashes)]);
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
  const checks = new RowChecks(
    header,
    { called: result.format?.kind.startsWith('json') ? 'key' : 'header' },
    rules,
  );
  const again = numbers.size === mended.length ? mended : await read(file, numbers);
  if (again === undefined) return false;
  for (const row of again) {
    const { number } = row;
    checks.rowsSeen = number - 1;
    const { accepted, refused } = await checks.check([row]);
    findings.forget(number);
    if (mends.leavesOut(number)) states.set(number, 'leftOut', true);
    for (const { problems } of refused) findings.refuse(number, problems);
    for (const { warnings, cells } of accepted)
      findings.warn(
        number,
        warnings.map((warning) => checks.titled(warning, cells)),
      );
  }
  return true;
}

/** @returns undefined if the rows are too long. */
async function read(file: RowFile, numbers: ReadonlySet<number>) {
  const inOrder = [...numbers].sort((one, other) => one - other);
  const rows = await file.read(inOrder, mostCharacters);
  return rows.length < numbers.size ? undefined : rows;
}

const patienceMs = 1000;

/**
 * Posts of other campaigns, for the check of a mend: people wait for it, also while Redis is away.
 * Gives up when an answer takes long, and asks no more: then no row counts as a repeat until the whole sheet is checked.
 * @param open opens the look-up.
 */
function promptPosts(account: string, open: () => PostLookUp): PostLookUp {
  let isAway = false;
  let posts: PostLookUp | undefined;
  return {
    account,
    async find(given) {
      if (isAway || given.length === 0) return [];
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => resolve(undefined), patienceMs);
      try {
        posts ??= open();
        const found = await Promise.race([promise, posts.find(given)]);
        isAway = found === undefined;
        return found ?? [];
      } catch {
        isAway = true;
        return [];
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
