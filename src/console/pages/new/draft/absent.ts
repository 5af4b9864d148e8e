/** Rows of a campaign that the sheet of an update lacks: they are cancelled on the page of the update, after a question. */
import { findCampaign, findNamedRows } from '../../../../app/campaigns/find.ts';
import type { PlannedUpdate } from '../../../../app/campaigns/import/update.ts';
import { type CancellableRow, examineRow } from '../../../../app/campaigns/steer.ts';
import { rowOperations } from '../../../../app/operations/rows.ts';
import { UseCaseError } from '../../../../manifest/problems/use-case-error.ts';
import { capitalized, plural } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { asksFirst, hiddenFields, questionLink } from '../../../parts/form.ts';
import type { PageRequest } from '../../../request.ts';
import { draftPath, draftRowQuery, readQuery, type ShownDraft } from './draft-view.ts';
import { briefly } from './saving.ts';

/** Of one press: an update names fewer. */
const most = 100;

/** What the first of the rows are now: since the check, some may have been posted. */
export async function examineAbsent(
  { runtime }: PageRequest,
  { campaign: { id }, absent: { keys } }: Pick<PlannedUpdate, 'campaign' | 'absent'>,
): Promise<readonly CancellableRow[]> {
  try {
    // One search for all of them.
    await findNamedRows(runtime, await findCampaign(runtime, id), keys);
    return await Promise.all(keys.map((key) => examineRow(runtime, { campaign: id, key })));
  } catch (error) {
    // The campaign may have been deleted.
    if (!(error instanceof UseCaseError)) throw error;
    return [];
  }
}

/** Rows that were cancelled since the check are no longer told. @param rows of `examineAbsent`. */
export function withoutCancelled(update: PlannedUpdate, rows: readonly CancellableRow[]): PlannedUpdate {
  const { count, keys, places, held, areHeld } = update.absent;
  const gone = rows.filter(({ isCancelled }) => isCancelled).length;
  const stays = (_: unknown, at: number) => rows[at]?.isCancelled !== true;
  const goneHeld = areHeld.filter((isHeld, at) => isHeld && !stays(isHeld, at)).length;
  const absent = {
    count: count - gone,
    keys: keys.filter(stays),
    places: places?.filter(stays),
    held: held - goneHeld,
    areHeld: areHeld.filter(stays),
  };
  return { ...update, absent };
}

/** The first of the rows are named, and can be cancelled here. Nothing is offered without one that can. */
export function cancelLink(
  { request, view, asked }: Pick<ShownDraft, 'request' | 'view' | 'asked'>,
  rows: readonly CancellableRow[],
): Html | false {
  const able = rows.filter(({ fault }) => fault === undefined);
  if (able.length === 0) return false;
  const path = draftPath(view.draft.id, `/absent${draftRowQuery(asked)}`);
  return html`${namesOf(able)} ${questionLink(request, path, `Cancel ${plural(able.length, 'row')}…`, 'button danger')}`;
}

const mostNamed = 8;

/** The keys of a plan with new numbers are those of other posts there. */
function namesOf(rows: readonly CancellableRow[]): Html {
  const named = rows.slice(0, mostNamed);
  const more = rows.length > named.length && html`; ${plural(rows.length - named.length, 'more row')}`;
  return html`${named.map(({ key, post }, at) => html`${at > 0 && '; '}<b>${key}</b> ${words(briefly(post))}`)}${more}`;
}

/** Asks for the rows of the page that the question was on. */
function queryOf({ query, form }: PageRequest): string {
  return draftRowQuery(readQuery(query.has('rows') ? query : form));
}

export const absentRoutes = asksFirst({
  right: 'run',
  path: '/campaigns/new/:draft/absent',
  home: (request) => draftPath(request.params.draft ?? '', queryOf(request)),
  ask: async (request) => {
    const { checked } = await request.drafts.look(request.params.draft ?? '');
    const rows = checked?.update === undefined ? [] : await examineAbsent(request, checked.update);
    const able = rows.filter(({ fault }) => fault === undefined);
    const others = rows.flatMap(({ fault }) =>
      fault === undefined ? [] : [html`<li>${words(capitalized(fault))}.</li>`],
    );
    const many = plural(able.length, 'row');
    return {
      title: able.length === 0 ? 'Nothing to cancel' : `Cancel ${many}?`,
      text: html`${able.length > 0 && html`<p>${namesOf(able)}</p><p>${able.length === 1 ? 'It is not posted, and is' : 'They are not posted, and are'} cancelled now: this does not wait for <b>Update</b>. The others continue. To bring a row back, save it on its page.</p>`}${others.length > 0 && html`<ul>${others}</ul>`}`,
      fields: hiddenFields([
        ...new URLSearchParams(queryOf(request)),
        ...able.map(({ key, revision }) => ['row', `${revision} ${key}`] as const),
      ]),
      button: able.length === 0 ? undefined : `Cancel ${many} now`,
      isDangerous: true,
    };
  },
  carryOut: async ({ drafts, carryOut, params: { draft = '' }, form }) => {
    const { into = '' } = (await drafts.look(draft)).draft;
    const refused: string[] = [];
    const rows = form.getAll('row').slice(0, most);
    for (const field of rows) {
      const [, revision = '', key = ''] = /^(\d{1,15}) (.*)$/s.exec(field) ?? [];
      await carryOut(rowOperations.cancelRow, { id: into, key, revision: Number(revision) }).catch(
        (error: unknown) => {
          if (!(error instanceof UseCaseError) || error.code !== 'edit_refused') throw error;
          refused.push(error.message);
        },
      );
    }
    // It may name others, and what the sheet says of these is no longer told.
    await drafts.checkAgain(draft);
    const text = `${plural(rows.length - refused.length, 'row')} cancelled.`;
    const more = refused.map((each) => `${capitalized(each)}.`).join(' ') || undefined;
    return { state: refused.length > 0 ? 'warning' : 'done', text, more };
  },
});
