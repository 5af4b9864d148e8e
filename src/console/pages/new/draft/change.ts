/** Makes one change of a draft by a form, then shows the page again. */
import { type Change, findDraft } from '../../../../drafts/drafts.ts';
import { type CellMend, rowsOf } from '../../../../drafts/mends.ts';
import { ColumnMapError } from '../../../../manifest/headers/column-map.ts';
import { UseCaseError } from '../../../../runtime/use-case-error.ts';
import { sentence } from '../../../../runtime/wording.ts';
import { cureOnDraft } from '../../../hints.ts';
import { statusOfError } from '../../../http/problem.ts';
import { count } from '../../../parts/numbers/numbers.ts';
import type { Answer, Notice, PageRequest } from '../../../request.ts';
import { backPath } from './address.ts';
import { showDraft } from './page.ts';
import { againTick, onceTick, placeOf, tickedRows, typedCells } from './sheet/typed.ts';
import { type ChosenOptions, isOther, offeredName, readOptions } from './start/options.ts';
import { showStarted } from './start/started.ts';

type Outcome = string | (Pick<Notice, 'text'> & Partial<Notice> & { readonly to?: string });

/**
 * Makes a change, and saves everything else that was typed on the page. If the change is refused or comes too late, the typed texts are
 * shown again.
 * @param make makes the change. It may take typed cells; the rest of them are saved after it.
 * @param aim says in a refusal what did not happen.
 */
export async function change(
  request: PageRequest,
  make: (id: string, change: Change, typed: Typed) => Promise<Outcome>,
  aim: 'changed' | 'started' = 'changed',
): Promise<Answer> {
  const { params, form, person } = request;
  const id = params.draft ?? '';
  const version = Number(form.get('version') ?? 'none');
  try {
    const by = { by: person.name, version: Number.isInteger(version) ? version : 0 };
    const { campaign } = await findDraft(request.runtime, id);
    if (campaign !== undefined) return showStarted(request, campaign);
    // Refuses invalid texts before anything is changed.
    const cells = await typedCells(request, id);
    const typed = new Typed(cells, marksIn(request.form), await typedOptions(request, id));
    const outcome = await make(id, by, typed);
    await keep(request, id, typed);
    const {
      text,
      to = backPath(request),
      state = 'done',
      more,
    } = typeof outcome === 'string' ? { text: outcome } : outcome;
    return { kind: 'redirect', to, notice: { state, text, more } };
  } catch (error) {
    const told = error instanceof ColumnMapError ? refused(error) : error;
    if (!(told instanceof UseCaseError) || told.code === 'draft_not_found') throw error;
    const notice: Notice = {
      state: 'failed',
      text: `Nothing was ${aim}: ${sentence(told.message)}`,
      more: cureOnDraft(told.cure) || undefined,
    };
    return showDraft(request, { notice, typed: form, status: statusOfError(told.code) });
  }
}

/** Numbers of rows to be posted again, or not. */
export interface Marks {
  readonly postAgain: number[];
  readonly postOnce: number[];
}

function marksIn(form: URLSearchParams): Marks | undefined {
  const postAgain = tickedRows(form, againTick);
  const postOnce = tickedRows(form, onceTick);
  return postAgain.length + postOnce.length === 0 ? undefined : { postAgain, postOnce };
}

/** Typed texts that no change has taken yet. */
export class Typed {
  #cells: readonly CellMend[];
  #marks: Marks | undefined;
  #options: ChosenOptions | undefined;

  constructor(cells: readonly CellMend[], marks: Marks | undefined, options: ChosenOptions | undefined) {
    this.#cells = cells;
    this.#marks = marks;
    this.#options = options;
  }

  get hasOptions(): boolean {
    return this.#options !== undefined;
  }

  /** The chosen options; undefined if they are the stored ones. */
  takeOptions(): ChosenOptions | undefined {
    const options = this.#options;
    this.#options = undefined;
    return options;
  }

  /** Undefined if there are none. */
  takeMarks(): Marks | undefined {
    const marks = this.#marks;
    this.#marks = undefined;
    return marks;
  }

  /** The typed cells and those of the change. @param own cells of the change; they win. */
  take(own: readonly CellMend[] = []): CellMend[] {
    const places = new Set(own.map(placeOf));
    const cells = [...this.#cells.filter((each) => !places.has(placeOf(each))), ...own];
    this.#cells = [];
    return cells;
  }
}

/** Saves the typed texts after the change. They name no version, because the change before them has checked it. */
async function keep({ drafts, person }: PageRequest, id: string, typed: Typed): Promise<void> {
  const cells = typed.take();
  const marks = typed.takeMarks();
  const options = typed.takeOptions();
  const by = { by: person.name, version: undefined };
  if (cells.length > 0 || marks !== undefined) {
    const touched = rowsOf({ cells, ...marks });
    await drafts.mend(id, by, { cells, ...marks }, `mended ${count(touched.size, 'row')}`);
  }
  if (options !== undefined) await drafts.choose(id, by, options);
}

async function typedOptions(request: PageRequest, id: string): Promise<ChosenOptions | undefined> {
  const { draft, checked } = await request.drafts.look(id);
  const chosen = readOptions(request.form, offeredName(draft, checked));
  return chosen !== undefined && isOther(chosen, draft.options) ? chosen : undefined;
}

function refused({ message, cure }: ColumnMapError): UseCaseError {
  return new UseCaseError('draft_refused', message, { cure });
}
