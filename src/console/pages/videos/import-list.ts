/** Videos that people add to the watch list: pasted links, or a sheet. */
import { videoOperations } from '../../../app/operations/videos.ts';
import { importVideos } from '../../../app/videos/import/import.ts';
import type { Problem } from '../../../manifest/problems/problem.ts';
import type { ProblemLog } from '../../../manifest/problems/problem-log.ts';
import { asSentence, plural, sentence, thousands } from '../../../manifest/wording.ts';
import { fixOnPage } from '../../hints.ts';
import { type Html, html, words } from '../../html.ts';
import { crumbs, n, notice, section, table } from '../../parts/blocks.ts';
import { ask, type Change, confirmForm, done, type QuestionText, sheetField } from '../../parts/form.ts';
import { chosenEncoding, encodingChoice, isEncodingWrong, lineName } from '../../parts/sheets.ts';
import type { Answer, PageRequest } from '../../request.ts';

/** Bytes of pasted links: some ten thousand. */
const longestLinks = 1024 * 1024;

export const importVideoList: Change = {
  right: 'run',
  home: () => '/videos',
  path: '/videos/import',
  takesSheet: true,
  readsSheet: true,
  longestField: longestLinks,
  ask: () => askImport(),
  carryOut: takeList,
};

/** What pasted links have in common. */
const commonFacts = { campaign: 'Campaign', creator: 'Creator', product: 'Product ID' } as const;
const longestFact = 200;

interface ImportForm {
  /** As pasted. */
  readonly links?: string;
  readonly facts?: URLSearchParams;
  /** Choice of the encoding, if that of the last sheet was wrong. */
  readonly encoding?: Html | string;
  /** Why nothing was added. */
  readonly said?: string | undefined;
}

function askImport({ links = '', facts, encoding = '', said }: ImportForm = {}): QuestionText {
  const common = Object.entries(commonFacts).map(
    ([name, label]) =>
      html`<label>${label}<input name="${name}" value="${facts?.get(name) ?? ''}" maxlength="${longestFact}" placeholder="none"></label>`,
  );
  const isTyped = Object.keys(commonFacts).some((name) => facts?.get(name));
  return {
    title: 'Add videos to the watch list',
    text: html`${said === undefined ? '' : notice({ state: 'warning', text: said })}
    <p>Videos already on the watch list are skipped. Figures come with the next update.</p>`,
    isUpload: true,
    fields: html`<p><label>Links, one per line<textarea name="links" rows="6" spellcheck="false" placeholder="https://…">${links}</textarea></label></p>
    <details${isTyped && html` open`}><summary>Same campaign, creator or product</summary><p class="filters">${common}</p></details>
    <p>Or a sheet: a list of links, or a results sheet with <code>video_url</code> filled in. Its rows without a link are skipped.</p>
    ${encoding}${sheetField({ isRequired: false })}`,
    button: 'Add videos',
  };
}

async function takeList(request: PageRequest): Promise<Answer> {
  const { runtime, sheet } = request;
  const links = (request.form.get('links') ?? '').trim();
  if ((sheet === undefined) === (links === '')) {
    const said =
      sheet === undefined
        ? 'Paste links, or choose a sheet. If the links have more than 1 MB, put them into a sheet.'
        : 'Nothing was added: links and a sheet cannot be added together. Add the links first, then the sheet.';
    return ask(request, { ...importVideoList, ask: () => askImport({ links, facts: request.form, said }) });
  }
  const source = sheet ?? { links };
  const fact = (name: keyof typeof commonFacts) =>
    (request.form.get(name) ?? '').trim().slice(0, longestFact);
  const facts = { campaign: fact('campaign'), creator: fact('creator'), product: fact('product') };
  const options = { sheet: { encoding: chosenEncoding(request) }, facts };
  const { check, added, known, videos: all } = await importVideos(runtime, source, options);
  const { problems, warnings, withoutUrl, linksIn, rows } = check;
  await request.record(videoOperations.importVideos, {}, { added });
  if (problems.total === 0) {
    const more = [
      `${thousands(all)} are on the list.`,
      linksIn !== undefined && `The links were in the column “${linksIn}”.`,
      withoutUrl > 0 &&
        `${plural(withoutUrl, 'row')} without a link ${withoutUrl === 1 ? 'was' : 'were'} skipped.`,
      warnings.total > 0 &&
        `${plural(warnings.total, 'warning')}: videos named twice, or from another installation.`,
    ];
    const text = `${plural(added, 'video')} added, ${thousands(known)} already on the list.`;
    return done('/videos', text, more.filter(Boolean).join(' '));
  }
  const choice = isEncodingWrong(problems.kept) && html`<p>${encodingChoice(options.sheet.encoding)}</p>`;
  const left = 'links' in source ? linksLeft(links, problems) : '';
  const { title, text, ...asked } = askImport({
    links: left,
    facts: request.form,
    encoding: choice || '',
  });
  const bad = plural(problems.total, 'link');
  const [name, what, fix] =
    'links' in source
      ? [
          'Pasted links',
          `${thousands(added)} added, ${thousands(known)} already on the list, ${bad} not added.`,
          'Fix them below, and add them.',
        ]
      : [words(source.file), `${plural(rows, 'row')}. Nothing was added.`, undefined];
  return {
    kind: 'page',
    title,
    status: 422,
    main: html`
      ${crumbs(request, [['/videos', 'Videos']], 'add')}
      <div class="head"><div><h1>${name}</h1><p class="about">${what}</p></div></div>
      ${problemsTable(problems.kept, problems.total, fix)}
      <section class="card" aria-labelledby="again"><h2 id="again">${links === '' ? 'The corrected sheet' : 'The corrected links'}</h2>${text}${confirmForm(request, '/videos/import', '/videos', asked)}</section>`,
  };
}

/** The links that were not added; all of them if there are more than are named. */
function linksLeft(links: string, { kept, total }: ProblemLog): string {
  if (kept.length < total) return links;
  const lines = links.split(/\r\n|\r|\n/);
  return [...new Set(kept.map(({ line }) => lines[line - 1]?.trim() ?? ''))].join('\n');
}

const problemsShown = 50;

/** @param kept the first ones. @param total how many there are. */
function problemsTable(
  kept: readonly Problem[],
  total: number,
  note = 'Fix them in the sheet, and upload it again.',
): Html {
  const shown = kept.slice(0, problemsShown);
  const left = total - shown.length;
  const lines = shown.map(
    ({ key, column, value, problem, fix, ...place }) =>
      html`<tr><td class="n">${words(lineName(place))}</td><th scope="row"><code>${key ?? ''}</code></th><td>${words(column ?? '')}</td><td>${words(value)}</td><td>${words(asSentence(problem))} ${words(sentence(fixOnPage(fix)))}</td></tr>`,
  );
  return section(
    {
      id: 'problems',
      title: plural(total, 'problem'),
      note,
    },
    html`${table({ of: 'problems', className: 'stacked', heads: [n('Line'), 'Row', 'Column', 'Value', 'Problem and what to do'], lines })}
    ${left > 0 && html`<p class="note">${thousands(left)} more.</p>`}`,
  );
}
