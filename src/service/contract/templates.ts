/**
 * Templates of the operations that the contract mentions without their form (section 4.9): how each may be called. A template is
 * checked before it is used: one that could not be filled is a fault of the settings, not of a row.
 */
import { z } from 'zod';
import { type ReferencedOperationId, referencedOperations } from './operations.ts';

/** `{name}` stands for a value, `{name:string}` for the same value as a text. */
export const placeholder = /\{([A-Za-z]\w*)(:string)?\}/g;
/** What looks like a placeholder, also one with a wrong name. */
const meant = /\{([\w .:-]+)\}/g;

const placeholders: Readonly<Record<ReferencedOperationId, readonly string[]>> = {
  confirmUpload: ['fileId', 'fileName', 'contentType', 'size', 'hash', 'url', 'uploadUrl', 'etag'],
  uploadCover: ['fileId', 'accountId', 'creatorId', 'fileName', 'contentType', 'size', 'hash', 'url', 'file'],
  searchMusic: ['keyword', 'pageSize', 'pageNumber', 'pageToken'],
  listPosts: [
    'pageSize',
    'pageNumber',
    'pageToken',
    'postId',
    'creatorId',
    'title',
    'businessId',
    'status',
    'createdFrom',
  ],
};

const ofList = ['list', 'totalPages', 'total', 'nextPageToken'];
/** What each answer may be asked for. */
const results: Readonly<Record<ReferencedOperationId, readonly string[]>> = {
  confirmUpload: ['url'],
  uploadCover: ['coverUri'],
  searchMusic: [...ofList, 'id', 'title', 'author', 'duration'],
  listPosts: [
    ...ofList,
    'postId',
    'status',
    'creatorId',
    'title',
    'businessId',
    'businessIds',
    'productId',
    'scheduledAt',
    'createdAt',
    'publicUrl',
    'failureReason',
  ],
};

/** The pointer that each operation needs to be of use. */
const neededResults: Partial<Record<ReferencedOperationId, string>> = {
  uploadCover: 'coverUri',
  searchMusic: 'list',
  listPosts: 'list',
};

const methods = ['GET', 'POST', 'PUT', 'PATCH'] as const;
const encodings = ['json', 'multipart', 'urlencoded'] as const;

const jsonPointer = z.string().regex(/^(\/[^/]*)+$/, 'must be a JSON pointer such as /data/uri');

/** A value with placeholders anywhere in its strings. */
type TemplateValue = string | number | boolean | null | TemplateValue[] | { [key: string]: TemplateValue };
const templateValue: z.ZodType<TemplateValue> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(templateValue),
    z.record(z.string(), templateValue),
  ]),
);

const anyTemplate = z.strictObject({
  method: z.enum(methods, { error: `must be one of ${methods.join(', ')}` }),
  path: z
    .string()
    .regex(/^\/[!-~]*$/, 'must begin with /, and hold ASCII characters without spaces')
    .regex(/^[^#]*$/, 'must have no #'),
  query: z.record(z.string(), z.string()).optional(),
  body: templateValue.optional(),
  /** How `body` is sent. In forms (`multipart`, `urlencoded`), each of its fields is one of the form. */
  encoding: z.enum(encodings, { error: `must be one of ${encodings.join(', ')}` }).default('json'),
  /** JSON pointers into the whole answer (the envelope), by name. */
  result: z.record(z.string(), jsonPointer).default({}),
});

/** How an operation that the contract does not show is called (docs/settings.md). */
export type OperationTemplate = z.infer<typeof anyTemplate>;

/** The schemas of the templates. An issue names the place in the template, and what to write instead. */
export const operationTemplates = Object.fromEntries(
  referencedOperations.map((operation) => [
    operation,
    anyTemplate.superRefine((template, context) => {
      for (const { path, message } of faultsOf(operation, template)) {
        context.addIssue({ code: 'custom', path: [...path], message });
      }
    }),
  ]),
) as Record<ReferencedOperationId, typeof anyTemplate>;

export function placeholdersOf(template: OperationTemplate): ReadonlySet<string> {
  const texts = textsOf(template).filter(({ isName }) => !isName);
  return new Set(texts.flatMap(({ text }) => [...text.matchAll(placeholder)].map(([, name = '']) => name)));
}

interface TemplatePlace {
  readonly path: readonly PropertyKey[];
  readonly text: string;
  /** The name of a field, which is sent as it is. */
  readonly isName: boolean;
}

function textsOf({ path, query, body }: OperationTemplate): readonly TemplatePlace[] {
  const within = (value: unknown, at: readonly PropertyKey[]): TemplatePlace[] => {
    if (typeof value === 'string') return [{ path: at, text: value, isName: false }];
    if (Array.isArray(value)) return value.flatMap((item, index) => within(item, [...at, index]));
    return Object.entries(Object(value)).flatMap(([name, inner]) => [
      { path: [...at, name], text: name, isName: true },
      ...within(inner, [...at, name]),
    ]);
  };
  return [...within(path, ['path']), ...within(query, ['query']), ...within(body, ['body'])];
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function faultsOf(operation: ReferencedOperationId, template: OperationTemplate): readonly Fault[] {
  return [
    ...formFaults(template),
    ...textsOf(template).flatMap((place) => placeholderFaults(operation, template, place)),
    ...resultFaults(operation, template),
  ];
}

function formFaults({ method, path, query, body, encoding }: OperationTemplate): readonly Fault[] {
  if (query !== undefined && path.includes('?')) {
    return [{ path: ['path'], message: 'has a ? although there is "query": put all parameters there' }];
  }
  const isForm = encoding !== 'json';
  if (method === 'GET' && (body !== undefined || isForm)) {
    return [{ path: ['method'], message: 'takes no body and no encoding: use "query", or another method' }];
  }
  if (!isForm || (typeof body === 'object' && body !== null && !Array.isArray(body))) return [];
  const message = `must be an object of fields, because the encoding is ${encoding}`;
  return [{ path: ['body'], message }];
}

function placeholderFaults(
  operation: ReferencedOperationId,
  { encoding }: OperationTemplate,
  { path, text, isName }: TemplatePlace,
): readonly Fault[] {
  const known = placeholders[operation];
  const faultOf = (whole: string, inner: string): string | undefined => {
    const [name = '', ...conversion] = inner.split(':');
    const isKnown = known.includes(name);
    if (text.includes(`{${whole}}`)) return `write ${whole}, with one pair of braces`;
    // In other languages of queries, braces with spaces mean something else.
    if (inner.includes(' '))
      return known.includes(inner.trim()) ? `write {${inner.trim()}} without spaces` : undefined;
    if (isName)
      return isKnown ? `${whole} cannot be the name of a field: names are sent as they are` : undefined;
    if (!isKnown) {
      const isOthers = Object.values(placeholders).some((names) => names.includes(name));
      const what = isOthers ? `has no value for ${operation}` : 'is unknown';
      return `${whole} ${what}; use ${known.map((each) => `{${each}}`).join(', ')}`;
    }
    if (conversion.length > 0 && conversion.join(':') !== 'string')
      return `${whole} is unknown: only :string may follow the name, and sends the value as a text`;
    if (name === 'file' && !(encoding === 'multipart' && path.length === 2 && text === '{file}'))
      return '{file} must be the whole value of a field of "body", with "encoding": "multipart"';
    if (name === 'pageToken' && (path[0] === 'path' || text !== whole))
      return `${whole} must be a whole value of "query" or "body": without a token, for the first page, its field is omitted`;
    return undefined;
  };
  return [...text.matchAll(meant)].flatMap(([whole, inner = '']) => {
    const message = faultOf(whole, inner);
    return message === undefined ? [] : [{ path, message }];
  });
}

function resultFaults(operation: ReferencedOperationId, template: OperationTemplate): readonly Fault[] {
  const faults: Fault[] = [];
  const { result } = template;
  const pointers = results[operation];
  for (const name of Object.keys(result).filter((each) => !pointers.includes(each))) {
    faults.push({ path: ['result', name], message: `is unknown; use ${pointers.join(', ')}` });
  }
  const asked = placeholdersOf(template);
  const needed = neededResults[operation];
  if (needed !== undefined && result[needed] === undefined) {
    faults.push({ path: ['result', needed], message: 'must be a JSON pointer into the answer' });
  }
  if (!placeholders[operation].includes('pageToken')) return faults;
  const token = result.nextPageToken;
  const path = ['result', 'nextPageToken'];
  if (asked.has('pageToken') && token === undefined) {
    faults.push({ path, message: 'must be a JSON pointer to the token of the next page, for {pageToken}' });
  }
  if (!asked.has('pageToken') && token !== undefined) {
    faults.push({ path, message: 'is of no use without {pageToken} in "query" or "body"' });
  }
  if (asked.has('pageToken') && asked.has('pageNumber')) {
    faults.push({ path: [], message: 'asks for {pageToken} and {pageNumber}: use one of them' });
  }
  return faults;
}
