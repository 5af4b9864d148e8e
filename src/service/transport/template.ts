/** Fills the templates of operations that the contract mentions without their form (section 4.9). */
import { writeJson } from '../contract/json.ts';
import { type OperationTemplate, placeholder } from '../contract/templates.ts';

/** A `bigint` is an integer beyond 2^53. */
type TemplateScalar = string | number | bigint | boolean;
/** Values by the name of their placeholder. An undefined value leaves out its field. */
export type TemplateValues = Readonly<Record<string, TemplateScalar | undefined>>;

type Body = OperationTemplate['body'];

const wholePlaceholder = /^\{([A-Za-z]\w*)(:string)?\}$/;

/** A placeholder in the middle of a text, or in the path, has no value. */
export class MissingValueError extends Error {
  override readonly name = 'MissingValueError';
  readonly placeholder: string;

  constructor(placeholder: string) {
    super(`there is no ${placeholder}`);
    this.placeholder = placeholder;
  }
}

/** @throws {MissingValueError} */
export function fillPath(path: string, values: TemplateValues): string {
  return path.replaceAll(placeholder, (_, name: string) =>
    encodeURIComponent(need(name, values).toWellFormed()),
  );
}

/** @throws {MissingValueError} for a placeholder within a longer text. */
export function fillQuery(query: OperationTemplate['query'], values: TemplateValues): URLSearchParams {
  const filled = new URLSearchParams();
  for (const [name, text] of Object.entries(query ?? {})) {
    const value = fillText(text, values);
    if (value !== undefined) filled.append(name, String(value));
  }
  return filled;
}

/** For `writeJson`. A placeholder that is a whole string keeps its type: `"{fileId}"` an integer, `"{fileId:string}"` a text. @throws as `fillQuery`. */
export function fillBody(body: Body, values: TemplateValues): unknown {
  if (typeof body === 'string') return fillText(body, values);
  if (Array.isArray(body)) {
    return body.map((item) => fillBody(item, values)).filter((item) => item !== undefined);
  }
  if (typeof body !== 'object' || body === null) return body;
  const filled = Object.entries(body).map(([name, value]) => [name, fillBody(value, values)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

/** The values of a field of a form: a list repeats its field, an object is sent as JSON, and `null` is left out. */
export function fillField(value: Body, values: TemplateValues): readonly string[] {
  return [fillBody(value, values)]
    .flat()
    .filter((item) => item !== undefined && item !== null)
    .map((item) => (typeof item === 'object' ? writeJson(item) : String(item)));
}

function fillText(text: string, values: TemplateValues): TemplateScalar | undefined {
  const [, whole, asText] = wholePlaceholder.exec(text) ?? [];
  if (whole !== undefined) {
    const value = values[whole];
    return asText !== undefined && value !== undefined ? String(value) : value;
  }
  return text.replaceAll(placeholder, (_, name: string) => need(name, values));
}

function need(name: string, values: TemplateValues): string {
  const value = values[name];
  if (value === undefined) throw new MissingValueError(name);
  return String(value);
}
