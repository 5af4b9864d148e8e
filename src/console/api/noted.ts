/**
 * The audit's text for a change by the REST API: what the operation did, and to what. It quotes only the fields listed here, so that no
 * password or token gets into the audit.
 */
import { capitalized, plural } from '../../runtime/wording.ts';
import type { ApiRequest, Operation } from './operation.ts';

const nouns: Readonly<Record<string, string>> = {
  rateLimits: 'operation',
  campaigns: 'campaign',
  creators: 'creator',
  drafts: 'draft',
  files: 'file',
  queues: 'queue',
  rows: 'row',
  scrapes: 'scrape',
  tokens: 'token',
  users: 'user',
  videos: 'video',
};

/** Fields of a query or body that the audit quotes, with their words. */
const told = new Map<string, string>([
  ...['role', 'decision', 'row', 'rows', 'error', 'creator', 'step', 'account', 'campaign', 'burst'].map(
    (name) => [name, name] as const,
  ),
  ['postId', 'post'],
  ['scheduleId', 'schedule'],
  ['perSecond', 'calls a second'],
  ['why', 'because'],
  ['cron', 'cron'],
  ['tz', 'zone'],
  ['posts', 'posts'],
  ['cells', 'cells'],
  ['leaveOut', 'skipped: row'],
  ['takeIn', 'included: row'],
]);

const mostNamed = 5;
const longestName = 80;
const longest = 300;

/**
 * One or two sentences: `Add a user. User anna, role viewer.`
 * @param answer its document.
 */
export function notedChange(
  { summary, path, takesSheet }: Pick<Operation, 'summary' | 'path' | 'takesSheet'>,
  { params, query, body, sheet }: Pick<ApiRequest, 'params' | 'query' | 'body' | 'sheet'>,
  answer: unknown,
): string {
  const made = fieldsOf(answer);
  // Answers name rows by their keys.
  const chosen = Array.isArray(made.decisions)
    ? { rows: made.decisions.filter((each) => fieldsOf(each).refused == null) }
    : {};
  const facts = [
    ...named(path, params, made),
    ...asked({ ...fieldsOf(query), ...fieldsOf(body), ...chosen }),
  ];
  if (takesSheet) facts.push(`sheet ${short(sheet.file)}`);
  if (typeof made.rows === 'number') facts.push(plural(made.rows, 'row'));
  const object = facts.join(', ');
  if (object === '') return `${summary}.`;
  return `${summary}. ${capitalized(object.length > longest ? `${object.slice(0, longest)}...` : object)}.`;
}

/** Things that the path names, and the thing that the change created or used. */
function* named(path: string, params: ApiRequest['params'], answer: Fields): Generator<string> {
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const param = /^\{(\w+)\}$/.exec(segment)?.[1];
    const noun = nouns[segments[index - 1] ?? ''];
    if (param !== undefined && noun !== undefined) yield `${noun} ${short(params[param])}`;
  }
  // A draft becomes a campaign.
  if (path === '/drafts/{id}/start' && isShown(answer.id)) yield `campaign ${short(answer.id)}`;
  const noun = nouns[segments.at(-1) ?? ''];
  if (noun === undefined) return;
  const [id, name] = [answer.id ?? answer.prefix ?? answer.run, answer.name];
  if (isShown(id)) yield `${noun} ${short(id)}`;
  // The user of a token is in the path.
  if (isShown(name) && segments.length === 1)
    yield isShown(id) ? `name ${short(name)}` : `${noun} ${short(name)}`;
}

function* asked(fields: Fields): Generator<string> {
  for (const [name, word] of told) {
    const value = fields[name];
    const texts = Array.isArray(value) ? value.map(ofList) : isFields(value) ? Object.keys(value) : [value];
    const some = [...new Set(texts.filter(isShown))];
    if (some.length === 0) continue;
    const more = some.length > mostNamed ? ` and ${(some.length - mostNamed).toLocaleString('en')} more` : '';
    const of = name === 'cells' && Array.isArray(value) ? ' of row' : '';
    yield `${word}${of} ${some.slice(0, mostNamed).map(short).join(' ')}${more}`;
  }
}

/** How a row or cell of a list is named. */
function ofList(value: unknown): unknown {
  if (!isFields(value)) return value;
  const { campaign, row, key, position, decision } = value;
  // Positions count from 0; people count rows from 1.
  const place = key ?? row ?? (typeof position === 'number' ? position + 1 : undefined);
  const where = isShown(campaign) ? `${campaign}/${place}` : place;
  return isShown(decision) ? `${where} (${decision})` : where;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isShown(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function short(value: string | number | undefined): string {
  const text = String(value ?? '');
  return text.length > longestName ? `${text.slice(0, longestName)}...` : text;
}
