/** Checks some rows of a draft again: the edited rows, and rows that share a key with them. */

import type { PostLookUp } from '../../../importers/check/checked-row.ts';
import { allEndInZeros } from '../../../importers/check/lost-digits.ts';
import { RowChecks } from '../../../importers/check/row-checks.ts';
import { aliasesOf } from '../../campaigns/import/aliases.ts';
import { checkRules, postsOf } from '../../campaigns/import/check.ts';
import { unlessLate } from '../../runtime/patience.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { ScheduledPosts, updatePlan } from '../planned.ts';
import type { DraftDatabase } from '../store/database.ts';
import type { StoredFindings } from '../store/findings.ts';
import { FindingsWriter, hashOfKey } from '../store/findings-writer.ts';
import type { NumberedRow, StoredRows } from '../store/rows.ts';
import { knownProducts } from '../suggestions/known-names.ts';
import type { CheckInputs } from './check-pass.ts';
import { type DraftCheck, keyOf, positionFinder } from './draft-check.ts';
import { sheetOf, sheetOptionsOf } from './inputs.ts';

/** For more rows, the whole sheet is checked. */
const mostAtOnce = 500;
/** Total length of their cells, in UTF-16 units. */
const mostCharacters = 8_000_000;

/** Warnings that other rows tell. They stay until the whole sheet is checked, so that they do not go and come. */
const ofOtherRows: ReadonlySet<string> = new Set([
  'file_of_other',
  'file_repeats',
  'caption_repeats',
  'time_repeats',
  'time_apart',
]);

/**
 * All but the costs, new warnings about other rows, and which rows are the same post.
 * @param touched rows that were edited.
 * @returns false: check the whole sheet.
 */
export async function checkSome(
  runtime: Runtime,
  database: DraftDatabase,
  { facts, findings, rows: stored, knowledge }: DraftCheck,
  touched: ReadonlySet<number>,
  { draft, edits, creators, mediaRoot }: CheckInputs,
): Promise<boolean> {
  const { header } = facts;
  // What becomes of a row of a campaign depends on all of it.
  if (draft.into !== undefined) return false;
  if (touched.size > mostAtOnce || findings.rows === 0 || facts.added !== edits.added.length) return false;
  const sheet = sheetOptionsOf(draft.reading);
  const edited = await read(stored, touched);
  if (edited === undefined) return false;
  const keyNow = (row: NumberedRow) => keyOf(facts.indexes.key, edits.apply(row, row.number), row.number);
  const hashes = new Set(edited.map((row) => hashOfKey(keyNow(row))));
  for (const { number } of edited) hashes.add(findings.keyHash(number));
  const numbers = new Set([...touched, ...(await findings.withKeys(hashes))]);
  if (numbers.size > mostAtOnce) return false;
  const options = {
    sheet,
    mediaRoot,
    creators,
    edits,
    isAsked: true,
    withoutPlan: true,
    timezone: draft.reading.timezone,
    allowUnknownColumns: true,
    posts: impatientPosts(() => postsOf(runtime, undefined)),
    products: knownProducts(knowledge.lists, await aliasesOf(runtime, 'product')),
  };
  const rules = await checkRules(runtime, sheetOf(runtime, draft, mediaRoot), options);
  const writer = new FindingsWriter(database, positionFinder(header), findings.groupIds);
  const checks = new RowChecks(
    header,
    { called: facts.format?.kind.startsWith('json') ? 'key' : 'header' },
    {
      ...rules,
      found: {
        lostDigits: lostDigitsIn(findings),
        hasLongIds: knowledge.evidence.hasLongIds,
        usual: facts.usual,
      },
      onMark: (number, mark) => writer.mark(number, mark),
    },
  );
  const again = numbers.size === edited.length ? edited : await read(stored, numbers);
  if (again === undefined) return false;
  const scheduled = new ScheduledPosts();
  const { last } = edits.summary;
  const isEdited = (row: number, position: number) =>
    last !== undefined && edits.of(row)?.get(position)?.at === last.at;
  for (const row of again) {
    const { number } = row;
    checks.selection.rowsSeen = number - 1;
    const told = findings
      .problemsOf(number, 'warning')
      .filter(({ code, position }) => ofOtherRows.has(code) && !isEdited(number, position));
    writer.begin(number, keyNow(row));
    const { accepted, refused } = await checks.check([row]);
    if (edits.skips(number)) writer.mark(number, 'leftOut');
    else scheduled.add(accepted);
    for (const { problems } of refused) writer.refuse(number, problems);
    for (const { warnings } of accepted) writer.warn(number, warnings);
    if (accepted.length > 0 && !isEdited(number, facts.indexes.creator)) writer.keep(number, told);
  }
  await writer.flush();
  await database.write(() => {
    database.setFact('edits checked', edits.revision);
    updatePlan(database, numbers, scheduled);
  });
  return true;
}

/** Positions of the columns whose ids have lost digits: some rows of a sheet do not tell. */
function lostDigitsIn(findings: StoredFindings): ReadonlySet<number> {
  const groups = findings.groups('problem').filter(({ problem }) => problem === allEndInZeros);
  return new Set(groups.map(({ position }) => position));
}

/** @returns undefined if the rows are too long. */
async function read(stored: StoredRows, numbers: ReadonlySet<number>) {
  const inOrder = [...numbers].sort((one, other) => one - other);
  const rows = await stored.read(inOrder, mostCharacters);
  return rows.length < numbers.size ? undefined : rows;
}

const patienceMs = 1000;

/** For the check of an edit: people wait, also while Redis is away. Gives up when an answer takes long, and asks no more. */
function impatientPosts(open: () => PostLookUp): PostLookUp {
  let isAway = false;
  let posts: PostLookUp | undefined;
  return {
    async find(given) {
      if (isAway || given.length === 0) return [];
      try {
        posts ??= open();
        const found = await unlessLate(posts.find(given), patienceMs);
        isAway = found === undefined;
        return found ?? [];
      } catch {
        isAway = true;
        return [];
      }
    },
  };
}
