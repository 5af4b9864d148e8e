/** The choice of a sheet's encoding, for text whose encoding cannot be detected. */
import { html } from 'hono/html';
import type { Problem } from '../../manifest/problems/problem.ts';
import { type Encoding, encodings, parseEncoding } from '../../sheets/text/encoding.ts';
import { wrongEncodingCode } from '../../sheets/text/gate.ts';
import type { Html } from '../html.ts';
import type { PageRequest } from '../request.ts';

export function encodingChoice(chosen: Encoding | undefined): Html {
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen ? html` selected` : ''}>${label}</option>`;
  return html`<label>Encoding <select name="encoding">${option('', 'as found', chosen === undefined)}${encodings.map((name) => option(name, name, name === chosen))}</select></label>`;
}

/** The encoding that a person has chosen, from the form or the address. */
export function chosenEncoding({ form, query }: Pick<PageRequest, 'form' | 'query'>): Encoding | undefined {
  return parseEncoding(form.get('encoding') ?? query.get('encoding') ?? '');
}

/** Whether the text is not in the encoding that it was read in. */
export function isEncodingWrong(problems: readonly Pick<Problem, 'code'>[]): boolean {
  return problems.some(({ code }) => wrongEncodings.has(code));
}

const wrongEncodings: ReadonlySet<string> = new Set(encodings.map(wrongEncodingCode));
