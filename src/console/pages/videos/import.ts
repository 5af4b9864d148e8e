/** Adds the videos of a sheet to the watch list. Nothing is added while the sheet has problems. */
import { html } from 'hono/html';
import type { ProblemLog } from '../../../manifest/problems/problem-log.ts';
import { sentence } from '../../../runtime/wording.ts';
import { importVideos } from '../../../videos/import/import.ts';
import type { Html } from '../../html.ts';
import { form } from '../../parts/form.ts';
import { words } from '../../parts/language.ts';
import { count, number } from '../../parts/numbers/numbers.ts';
import { wayBack } from '../../parts/question.ts';
import type { Answer, PageRequest, Question } from '../../request.ts';

const title = 'Add videos to the watch list';

export function askImport(request: PageRequest): Question {
  return { kind: 'question', title, section: '/videos', body: uploadForm(request) };
}

function uploadForm(request: PageRequest): Html {
  return html`
    <p>A results sheet with <code>video_url</code> filled in, or a list with that column. Rows without an address are left out. Videos on the list are not added again. This makes no calls and reads no figures yet.</p>
    ${form(request, {
      path: '/videos/import',
      isUpload: true,
      body: html`<p><label>Sheet: CSV, Excel or JSON<input type="file" name="sheet" accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl" required></label></p>
      <p class="actions">${wayBack(request, '/videos', 'Back')} <button class="primary">Add its videos</button></p>`,
    })}`;
}

export async function takeList(request: PageRequest): Promise<Answer> {
  const { runtime, sheet } = request;
  if (sheet === undefined) return askImport(request);
  const { file, path } = await sheet.open();
  const { check, added, known, videos: all } = await importVideos(runtime, { file, path });
  if (check.problems.total === 0) {
    const left =
      check.withoutUrl === 0 ? '' : ` ${count(check.withoutUrl, 'row')} without an address left out.`;
    const warned =
      check.warnings.total === 0
        ? ''
        : ` ${count(check.warnings.total, 'warning')}: videos named twice, or of another installation.`;
    const text = `${count(added, 'video')} added, ${number(known)} known already.`;
    const more = `${number(all)} are on the list.${left}${warned}`;
    return { kind: 'redirect', to: '/videos', notice: { state: 'done', text, more } };
  }
  return {
    kind: 'page',
    title,
    section: '/videos',
    status: 422,
    main: html`
      <nav class="crumbs" aria-label="Where you are"><a href="${request.link('/videos')}">Videos</a> / add</nav>
      <div class="head"><div><h1>${words(file)}</h1><p class="about">${count(check.rows, 'row')}. Nothing was added.</p></div></div>
      ${problems(check.problems)}
      <section class="card" aria-labelledby="again"><h2 id="again">The mended sheet</h2>${uploadForm(request)}</section>`,
  };
}

const problemsShown = 50;

function problems({ total, kept }: ProblemLog): Html {
  const shown = kept.slice(0, problemsShown);
  return html`<section aria-labelledby="problems">
    <div class="section"><h2 id="problems">${count(total, 'problem')}</h2><p>Mend them in the sheet, and add it again.</p></div>
    <div class="scroller" role="group" aria-labelledby="problems" tabindex="0"><table>
      <thead><tr><th scope="col" class="n">Line</th><th scope="col">Row</th><th scope="col">Column</th><th scope="col">Value</th><th scope="col">Problem and cure</th></tr></thead>
      <tbody>${shown.map(({ line, key, column, value, problem, cure }) => html`<tr><td class="n">${number(line)}</td><th scope="row"><code>${key ?? ''}</code></th><td>${words(column ?? '')}</td><td>${words(value)}</td><td>${words(sentence(problem))} ${words(sentence(cure))}</td></tr>`)}</tbody>
    </table></div>
    ${total > shown.length ? html`<p class="note">${number(total - shown.length)} more.</p>` : ''}
  </section>`;
}
