/** Takes a form with files, for browsers without scripts. Files are streamed to disk. */
import type { Request, Response } from 'express';
import { createDraft } from '../../drafts/drafts.ts';
import { receiveWhole } from '../../drafts/files/upload.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../runtime/wording.ts';
import { cureOnPage } from '../hints.ts';
import { noteChange } from '../http/audit.ts';
import { requireProof, requireRole } from '../http/authorize.ts';
import type { HttpContext } from '../http/context.ts';
import type { Admitted } from '../http/gate.ts';
import { HttpProblem } from '../http/problem.ts';
import { sendSaying } from '../http/turn-away.ts';
import { flash } from '../http/web.ts';
import { leadOn } from '../pages/new/files/actions.ts';
import { csrfField } from '../parts/form.ts';
import { count } from '../parts/numbers.ts';
import type { Notice, Redirect } from '../request.ts';
import { type FormPart, readField, readMultipart } from './multipart.ts';

/** Most parts of a form: a little more than the most files of a draft. */
const mostParts = 10_100;

export async function takeForm(
  options: HttpContext,
  admitted: Admitted,
  request: Request,
  response: Response,
): Promise<void> {
  const { draft } = request.params as { draft?: string };
  const { tools, base } = options;
  const back = draft === undefined ? '/campaigns/new' : `/campaigns/new/${encodeURIComponent(draft)}/files`;
  // The rest of an unread form would block the connection for the next request.
  response.set('connection', 'close');
  try {
    const { to, notice } = await receive(options, admitted, request, draft, back);
    if (notice?.state === 'done' || notice?.state === 'warning') {
      const by = request.originalUrl.slice(base.length);
      await noteChange(tools.runtime, request, { who: admitted.person.name, what: notice.text, by });
    }
    if (notice) flash(response, notice, options);
    response.redirect(303, `${base}${to}`);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const said =
      error.code === 'role_missing'
        ? { title: 'Only an operator can do this', more: 'Ask an operator, or sign in as one.' }
        : {
            title: 'This form is too old',
            more: 'Nothing was stored. Go back, load the page again, and send it once more.',
          };
    await sendSaying(options, response, 403, { ...said, back: { to: back, name: 'Back' } });
  }
}

async function receive(
  options: HttpContext,
  admitted: Admitted,
  request: Request,
  given: string | undefined,
  back: string,
): Promise<Redirect> {
  requireRole(admitted, 'operator');
  const taken = new Taken(options.tools.runtime, admitted.person.name, given);
  try {
    let parts = 0;
    for await (const part of readMultipart(request.get('content-type') ?? '', request)) {
      parts += 1;
      if (parts > mostParts) return refusal(back, 'The form has too many files.', 'Send fewer at once.');
      // The CSRF token comes first: nothing is stored before it is checked.
      if (parts === 1) requireProof(admitted, part.name === csrfField ? await readField(part.body) : '');
      if (part.fileName) await taken.add(part, part.fileName);
    }
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    return refusal(
      taken.draft === undefined ? back : `/campaigns/new/${taken.draft}/files`,
      sentence(capitalized(error.message)),
      cureOnPage(error.cure),
    );
  }
  if (taken.draft === undefined)
    return refusal(back, 'No file came.', 'Choose the sheet, and send it again.');
  return leadOn(options.tools, taken.draft, admitted.person.name, taken.notice());
}

/** The files of a form that have arrived. The first one creates the draft. */
class Taken {
  draft: string | undefined;
  readonly #runtime: Runtime;
  readonly #by: string;
  #files = 0;
  readonly #refused: UseCaseError[] = [];

  constructor(runtime: Runtime, by: string, draft: string | undefined) {
    this.#runtime = runtime;
    this.#by = by;
    this.draft = draft;
  }

  async add({ body }: FormPart, path: string): Promise<void> {
    this.draft ??= (await createDraft(this.#runtime, this.#by)).id;
    try {
      await receiveWhole(this.#runtime, { draft: this.draft, path, by: this.#by }, body);
      this.#files += 1;
    } catch (error) {
      if (!(error instanceof UseCaseError) || error.code !== 'upload_refused') throw error;
      this.#refused.push(error);
    }
  }

  notice(): Notice {
    const [first] = this.#refused;
    const text = `${count(this.#files, 'file')} uploaded.`;
    if (first === undefined) return { state: 'done', text };
    const more =
      this.#refused.length === 1
        ? ''
        : ` ${count(this.#refused.length - 1, 'more was', 'more were')} not accepted.`;
    return { state: 'warning', text, more: `${sentence(capitalized(first.message))}${more}` };
  }
}

function refusal(to: string, text: string, more: string | undefined): Redirect {
  return { kind: 'redirect', to, notice: { state: 'failed', text, more } };
}
