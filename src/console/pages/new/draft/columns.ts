/** What each column of the sheet is: as matched, as proposed, or as a person says; and what may stand in it. */
import { mayDo } from '../../../../app/access/roles.ts';
import type { CheckedDraft, DraftColumn, ProblemGroup } from '../../../../app/drafts/view.ts';
import { type Choices, choicesOf } from '../../../../manifest/cells/choices.ts';
import { type ColumnName, columns as catalogue } from '../../../../manifest/columns.ts';
import { captionMark, noteMark } from '../../../../manifest/headers/column-map.ts';
import { mayBeIdOrName } from '../../../../manifest/headers/foreign-headers.ts';
import { nearestColumn } from '../../../../manifest/headers/header.ts';
import type { Problem } from '../../../../manifest/problems/problem.ts';
import { asSentence, plural } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { section, table } from '../../../parts/blocks.ts';
import { options, zoneChoices } from '../../../parts/form.ts';
import { choiceField } from '../../../parts/row-form.ts';
import { action, isReady, type ShownDraft } from './draft-view.ts';
import { columnNamed, offeredZone, openProposals, takeAllProposals } from './form.ts';
import { toldZone } from './times.ts';

/** The columns to choose from in their groups, each with a word. */
export const columnWords: Readonly<Record<string, Readonly<Partial<Record<ColumnName, string>>>>> = {
  Post: {
    creator: 'who posts',
    media: 'video or images',
    caption: 'text',
    scheduled_at: 'date and time',
    scheduled_time: 'time of day alone',
    scheduled_tz: 'time zone',
    lead: 'when to send it',
    approve: 'approval',
    key: 'row ID',
    media_type: 'video or photo',
  },
  Product: {
    product_id: 'number',
    product_title: 'name',
    product_link: 'link',
    product_source: 'showcase or shop',
    showcase: 'add it first?',
  },
  AI: {
    ai_prompt: 'prompt',
    ai_model: 'model',
    ai_seconds: 'duration',
    ai_size: 'video size',
    ai_aspect_ratio: 'image ratio',
    ai_count: 'images',
    ai_references: 'reference images',
    ai_watermark: 'watermark?',
    is_ai_generated: 'AI label?',
  },
  Music: {
    music_id: 'number',
    music_title: 'title',
    music_author: 'artist',
    music_duration: 'duration',
  },
  Rare: {
    cover: 'cover image',
    cover_timestamp_ms: 'cover frame',
    cover_file_id: 'uploaded cover',
    cover_uri: 'uploaded cover',
    oauth_region: 'region',
    pre_check: 'pre-check?',
    pre_check_overtime: 'pre-check limit',
    ai_exec_at: 'generation time',
    ai_prompt_id: 'saved prompt',
    ai_name: 'generation name',
    ai_business_id: 'business object',
    ai_business_type: 'business kind',
  },
};

const suggestsIds = 'Each row then gets a suggestion.';

/** Longest text of a first row, in UTF-16 units. */
const longestText = 60;
/** Most columns with a list to choose from. Others stay as matched. */
const mostColumns = 100;

/** The zone that a person chose or the sheet names, if none is saved yet. One of the browser is a choice of its own: nothing says that it is meant. */
function zoneToTake({ view, checked, typed }: ShownDraft): string | undefined {
  if (checked.timezone !== null || view.draft.into !== undefined) return undefined;
  const [chosen, offered] = ['zone', offeredZone].map((name) => typed?.get(name) ?? '');
  return chosen !== '' && chosen !== offered ? chosen : toldZone(checked)?.zone;
}

/** Another worksheet has the ids of the product titles: "Use all" adds a column for them. @returns undefined if another column has, or may have, the ids. */
export function idsToAdd({ columns, notices }: CheckedDraft, form: URLSearchParams): Problem | undefined {
  const open = new Set(openProposals(columns, form));
  const meant = columns.map((each) => {
    const proposed = open.has(each) ? each.proposal?.column : undefined;
    return form.get(`col.${each.position}`) || each.column || proposed;
  });
  const mayBeIds = columns.some(({ title }, index) => !meant[index] && mayBeIdOrName(title));
  if (mayBeIds || meant.includes('product_id') || !meant.includes('product_title')) return undefined;
  return notices.find(({ code }) => code === 'ids_in_other_sheet');
}

export function columnsSection(shown: ShownDraft): Html | string {
  const { request, checked } = shown;
  const all = checked.columns;
  if (all.length === 0) return '';
  const matched = matchedColumns(all);
  const shownOnes = [...all].sort((one, other) => rank(one) - rank(other)).slice(0, mostColumns);
  const rest = all.length - shownOnes.length;
  const proposed = openProposals(all, shown.typed ?? new URLSearchParams()).length;
  const zone = zoneToTake(shown);
  const ids = idsToAdd(checked, shown.typed ?? new URLSearchParams());
  const takeAll =
    proposed > 0 &&
    mayDo(request, 'edit') &&
    html`<p class="actions"><button class="${checked.blocking.length > 0 ? 'primary' : ''}" name="take" value="${zone === undefined ? takeAllProposals : `${takeAllProposals} ${zone}`}" ${action(shown, '/columns')}><span>${proposed === 1 ? 'Use the column suggestion' : `Use all ${proposed} column suggestions`}${ids && ' and add product_id'}<span data-takes-zone>${zone !== undefined && `, with times in ${zone}`}</span></span></button> ${ids && html`<small>${words(`${asSentence(ids.problem)} ${suggestsIds}`)}</small>`}</p>`;
  const list = table({
    of: 'columns',
    className: 'mapping',
    heads: ['Column', 'Your header', 'Means', 'Examples'],
    lines: inOrder(shownOnes).map((column) => columnLine(shown, column, mayDo(request, 'edit'))),
  });
  const more =
    rest > 0 &&
    html`<p class="note">${plural(rest, 'more column')} of the sheet ${rest === 1 ? 'is' : 'are'} not listed.</p>`;
  const use =
    mayDo(request, 'edit') &&
    html`<p class="after"><label><input type="checkbox" name="remember" value="yes" checked> Remember this for sheets with these headers</label></p>
      <p class="actions after"><button ${action(shown, '/columns')}>Use these columns</button></p>`;
  const note = [matched.told, ...matched.others].join(', ');
  const body = html`${takeAll}${list}${more}${use}`;
  if (!isReady(shown) || proposed > 0) return section({ id: 'columns', title: 'Columns', note }, body);
  // The link to the heading unfolds it.
  return html`<section aria-labelledby="columns"><details><summary>Columns: ${note}</summary><h2 id="columns" class="hidden">Columns</h2>${body}</details></section>`;
}

/** `7 of 8 matched`, and what the others are. */
export function matchedColumns(all: readonly DraftColumn[]): {
  readonly told: string;
  readonly others: readonly string[];
} {
  const notes = all.filter(({ column }) => column === noteMark).length;
  const open = all.filter(({ column }) => column === null).length;
  return {
    told: `${all.length - notes - open} of ${all.length} matched`,
    others: [...(notes > 0 ? [`${plural(notes, 'note')}`] : []), ...(open > 0 ? [`${open} not known`] : [])],
  };
}

/** Sorts known columns first, then unknown ones, then notes. */
function rank({ column }: DraftColumn): number {
  if (column === null) return 1;
  return column === noteMark ? 2 : 0;
}

function inOrder(columns: readonly DraftColumn[]): readonly DraftColumn[] {
  return [...columns].sort((one, other) => one.position - other.position);
}

function columnLine(shown: ShownDraft, line: DraftColumn, isForm: boolean): Html {
  const { position, letters, title, column, firstTexts, proposal } = line;
  const texts = firstTexts.filter((text) => text !== '').map((text) => text.slice(0, longestText));
  const said =
    texts.length === 0
      ? html`<span class="none">empty in the first rows</span>`
      : texts.map((text, index) => html`${index === 0 ? '' : ', '}${words(text)}`);
  const name = `col.${position}`;
  const chosen = shown.typed?.get(name) ?? column ?? '';
  const choice = isForm && title !== '' ? columnChoice(name, line, chosen) : (column ?? '');
  const take =
    !isForm || column !== null || proposal === null
      ? ''
      : html`<p class="actions"><button name="take" value="${position}" ${action(shown, '/columns')} aria-label="Use ${meaningOf(proposal.column)} for ${title}: ${proposal.evidence}">Use ${meaningOf(proposal.column)}</button> <small>${words(proposal.evidence)}</small></p>`;
  return html`<tr><td>${letters}</td><th scope="row">${words(title)}</th><td>${choice}${take}</td><td class="said">${said}</td></tr>`;
}

function meaningOf(column: string): string {
  if (column === captionMark) return '+ caption';
  return column === noteMark ? 'it as a note' : column;
}

function columnChoice(name: string, { title, proposal }: DraftColumn, chosen: string): Html {
  const guess = chosen === '' && proposal === null ? nearestColumn(title) : undefined;
  const isOpen = chosen === '';
  const open = [['', guess === undefined ? 'choose' : `choose: ${guess}?`]] as const;
  const note = [
    [noteMark, 'a note, kept as it is'],
    [captionMark, '+ caption: appended to it'],
  ] as const;
  const groups = Object.entries(columnWords).map(([group, of]) => {
    const named = Object.entries(of).map(([column, word]) => [column, `${column}: ${word}`] as const);
    return html`<optgroup label="${group}">${options(named, chosen)}</optgroup>`;
  });
  return html`<select name="${name}" aria-label="${title} is"${isOpen ? html` aria-invalid="true"` : ''}>${options(isOpen ? [...open, ...note] : note, chosen)}${groups}</select>`;
}

/** Most rows of a band whose models are looked at. */
const mostRows = 500;

/** The column that a band is about, whether the sheet has it or not. */
export function columnOf(
  { checked }: Pick<ShownDraft, 'checked'>,
  { position, column }: ProblemGroup,
): ColumnName | undefined {
  const own = checked.columns.find((each) => each.position === position)?.column;
  if (own !== undefined && own !== null) return own === noteMark || own === captionMark ? undefined : own;
  return position < 0 ? columnNamed(column) : undefined;
}

/** What may stand in the column of a band, for all its rows. */
export async function choicesOfBand(
  shown: Pick<ShownDraft, 'request' | 'view' | 'checked'>,
  group: ProblemGroup,
): Promise<Choices | undefined> {
  const { request, view, checked } = shown;
  const column = columnOf(shown, group);
  if (column === undefined) return undefined;
  if (column === 'scheduled_tz') return { texts: zoneChoices('UTC'), isOpen: false };
  const model = checked.columns.find((each) => each.column === 'ai_model')?.position;
  if (column !== 'ai_seconds' || model === undefined) return choicesOf(column);
  const { rows } = await request.drafts.window(view.draft.id, group.id, 0, mostRows);
  return choicesOf(column, rows.map(({ cells }) => cells[model] ?? '').filter(Boolean));
}

/** The columns that every sheet needs and this one lacks: one text for all rows, to be edited there. */
export function lackedColumns({ request, checked, view, typed }: ShownDraft): Html | string {
  const names = checked.blocking
    .filter(({ code }) => code === 'missing_column')
    .flatMap(({ column }) => columnNamed(column) ?? []);
  if (names.length === 0 || !mayDo(request, 'edit')) return '';
  const elsewhere = checked.notices.find(({ code }) => code === 'ids_in_other_sheet');
  const lines = names.map((name) => {
    const { explanation } = catalogue.find((each) => each.name === name) ?? {};
    const field = `add.${name}`;
    return html`<p><label for="${field}">${name}</label>${choiceField(choicesOf(name), { name: field, id: field, value: typed?.get(field) ?? '' })}<small>${explanation ?? ''} ${name === 'product_id' && elsewhere ? `${asSentence(elsewhere.problem)} Leave it empty here. ${suggestsIds}` : ''}</small></p>`;
  });
  return section(
    {
      id: 'lacked',
      title: 'Columns that the sheet lacks',
      note: 'Add one only if none of your columns has this content.',
    },
    html`<div class="card fields">${lines}<p class="actions"><button ${action({ request, view }, '/add-columns')}>Add ${names.length === 1 ? 'this column' : 'these columns'}</button> <span class="note">One text for all rows, or leave it empty and fill in each row.</span></p></div>`,
  );
}
