/** The bar of fixes that need no choice: what one press takes, and what becomes sure by that. */
import { mayDo } from '../../../../app/access/roles.ts';
import type { CellEdit } from '../../../../app/campaigns/import/edit.ts';
import { unlessChanged } from '../../../../app/drafts/drafts.ts';
import { columnOfFixes } from '../../../../app/drafts/suggestions/music.ts';
import { plural } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { questionLink } from '../../../parts/form.ts';
import { action, draftPath, draftRowQuery, type ShownDraft } from './draft-view.ts';
import { editsMark, type Kin, type Kind, readKin, readKinds, type SureFixes, sureFixes } from './fixes.ts';
import { Places } from './form.ts';
import { openFixes } from './open-fixes.ts';
import { briefly, leftToFix, linesOf, type Outcome, type Press, saveEdit, whichLines } from './saving.ts';

export async function fixBar(shown: ShownDraft, kinds: readonly Kind[]): Promise<Html | string> {
  const { request, view } = shown;
  if (!mayDo(request, 'edit')) return '';
  const { edits, rows: fixed, many, parts } = sureFixes(kinds);
  const open = openFixes(kinds).length;
  const kin = await readKin(shown);
  if (many === 0 && open === 0 && kin === undefined) return '';
  const lines = await linesOf({ request, id: view.draft.id }, fixed);
  const others = kin && fixKin(shown, kin);
  const what = html`<b>${plural(many, 'sure fix', 'sure fixes')}</b> in ${words(lines)}: ${words(parts.map((part) => describePart(shown, part)).join(', '))}.`;
  return html`<div class="fixbar"><p>${many > 0 && what}</p><div class="actions">
    ${others}
    ${open > 0 && questionLink(request, draftPath(view.draft.id, `/suggestions${draftRowQuery(shown.asked)}`), `Check ${plural(open, 'suggestion')}…`)}
    ${many > 0 && html`<button ${action(shown, '/take')} class="primary" name="use" value="sure.${editsMark(edits)}">Use ${many > 1 && 'all '}${plural(many, 'sure fix', 'sure fixes')}</button>`}
  </div></div>`;
}

function fixKin(shown: ShownDraft, { values, edits }: Kin): Html {
  const rows = new Set(edits.map(({ row }) => row)).size;
  const [first = '', ...others] = values.map(briefly);
  const said = others.length === 0 ? first : 'the same';
  const which = [first, ...others].slice(0, mostValues).join(', ');
  const rest = values.length - mostValues;
  const all = others.length > 0 && html` <small>${words(which)}${rest > 0 && ` and ${rest} more`}</small>`;
  return html`<button ${action(shown, '/take')} name="use" value="kin.${editsMark(edits)}">${plural(rows, 'more row says', 'more rows say')} ${words(said)}: fix ${rows === 1 ? 'it' : 'them'} too${all}</button>`;
}

/** Most texts that a button names. */
const mostValues = 5;

/** `18 creators`. */
function describePart({ checked }: ShownDraft, { position, many }: SureFixes['parts'][number]): string {
  const { column, title, letters } = checked.columns.find((each) => each.position === position) ?? {};
  const noun = nouns.get(letters === undefined ? columnOfFixes : (column ?? ''));
  return noun === undefined ? `${many} in ${title || letters}` : plural(many, noun);
}

const nouns: ReadonlyMap<string, string> = new Map([
  ['creator', 'creator'],
  ['media', 'file name'],
  ['cover', 'cover'],
  ['caption', 'caption'],
  ['product_id', 'product id'],
  ['product_title', 'product title'],
  ['music_id', 'music id'],
  ['scheduled_at', 'time'],
  ['key', 'key'],
]);

/** Times that sure fixes are taken after each other, and how long that may take, in milliseconds. */
const mostRounds = 20;
const longestMs = 10_000;

/** Takes the fixes that became sure by those that a press has taken: of an account, its products are known. One undo takes all back. */
export async function takeSureFurther(
  press: Press,
  first: readonly CellEdit[],
  said: Outcome,
): Promise<Outcome> {
  const { request, id } = press;
  const until = performance.now() + longestMs;
  const placeOf = ({ row, position }: CellEdit) => `${row}.${position}.`;
  const taken = new Set(first.map(placeOf));
  const rows = new Set(first.map(({ row }) => row));
  let open: string | undefined;
  for (let round = 0; round < mostRounds && performance.now() < until; round += 1) {
    const view = await request.drafts.look(id);
    // What another person edits is not overwritten, and not undone together with these.
    if (view.checked === undefined || view.draft.edits !== press.edited?.edits) break;
    const shown = { request, view, checked: view.checked };
    // A cell that a fix has left wrong is for a person.
    const edits = sureFixes(await readKinds(shown)).edits.filter((edit) => !taken.has(placeOf(edit)));
    if (edits.length === 0) break;
    const by = { ...press.by, version: view.draft.version, isFurther: true } as const;
    const what = `edited ${plural(edits.length, 'cell')}`;
    const places = new Places(view.checked.columns);
    const further = { ...press, by, typed: { ...press.typed, places } };
    const saved = await unlessChanged(saveEdit(further, { cells: places.placed(edits) }, what));
    if (saved === undefined) break;
    press.edited = further.edited;
    for (const edit of edits) taken.add(placeOf(edit)) && rows.add(edit.row);
    open = leftToFix(saved);
  }
  if (open === undefined || typeof said === 'string') return said;
  const text = `${plural(rows.size, 'row')} edited. ${open}`;
  return {
    ...said,
    text,
    more: await whichLines(
      press,
      [...rows].sort((one, other) => one - other),
    ),
  };
}
