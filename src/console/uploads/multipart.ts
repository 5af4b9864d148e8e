/** Reads a form with files (RFC 7578) as a stream. Only the current chunk is in memory. */

export interface FormPart {
  readonly name: string;
  /** File name from the browser; undefined for a field. */
  readonly fileName: string | undefined;
  /** Read it before you ask for the next part; else it is skipped. */
  readonly body: AsyncIterable<Buffer>;
}

/** The body is no form, or it broke off. Answers 400. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError';
  readonly status = 400;
}

const longestHead = 8 * 1024;
const longestBoundary = 200;
const headEnd = Buffer.from('\r\n\r\n');

/** @param contentType of the request. @throws {MultipartError}. */
export async function* readMultipart(
  contentType: string,
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<FormPart> {
  const boundary = /;\s*boundary="?([^";\s]+)/i.exec(contentType)?.[1];
  if (boundary === undefined || boundary.length > longestBoundary) throw new MultipartError('no boundary');
  const input = new Input(stream, Buffer.from(`\r\n--${boundary}`));
  await skip(input.body());
  while (!(await input.isLast())) {
    const head = await input.head();
    const body = input.body();
    yield { ...describe(head), body };
    await skip(body);
  }
}

const longestField = 4096;

/** Text of a field; empty for a longer one. @param longest bytes. */
export async function readField(body: AsyncIterable<Buffer>, longest = longestField): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > longest) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function skip(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of body);
}

function describe(head: string): Pick<FormPart, 'name' | 'fileName'> {
  const disposition = head.split('\r\n').find((line) => /^content-disposition:/i.test(line)) ?? '';
  return { name: parameter(disposition, 'name') ?? '', fileName: parameter(disposition, 'filename') };
}

/** Reads a parameter. Browsers write `"` as `%22`, and line breaks likewise. */
function parameter(disposition: string, name: string): string | undefined {
  const start = `; ${name}="`;
  const at = disposition.indexOf(start);
  if (at < 0) return undefined;
  const rest = disposition.slice(at + start.length);
  const end = rest.indexOf('"');
  return end < 0
    ? undefined
    : rest.slice(0, end).replaceAll('%22', '"').replaceAll('%0D', '').replaceAll('%0A', '');
}

class Input {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  /** Begins with a line break, because the first delimiter has none before it. */
  #held: Buffer = Buffer.from('\r\n');

  constructor(stream: AsyncIterable<Buffer>, delimiter: Buffer) {
    this.#chunks = stream[Symbol.asyncIterator]();
    this.#delimiter = delimiter;
  }

  /** Bytes up to the next delimiter, which is skipped. A second iteration goes on where the first one stopped. */
  body(): AsyncIterable<Buffer> {
    let hasEnded = false;
    const next = async (): Promise<IteratorResult<Buffer>> => {
      while (!hasEnded) {
        const at = this.#held.indexOf(this.#delimiter);
        hasEnded = at >= 0;
        const piece = this.#take(hasEnded ? at : this.#held.length - this.#delimiter.length + 1);
        if (hasEnded) this.#take(this.#delimiter.length);
        if (piece.length > 0) return { value: piece, done: false };
        if (!hasEnded) await this.#pull();
      }
      return { value: undefined, done: true };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  /** Reads on after a delimiter: whether it was the last one. */
  async isLast(): Promise<boolean> {
    while (this.#held.length < 2) await this.#pull();
    const mark = this.#take(2).toString('latin1');
    if (mark !== '--' && mark !== '\r\n')
      throw new MultipartError('a boundary is followed by something else');
    return mark === '--';
  }

  async head(): Promise<string> {
    let end = this.#held.indexOf(headEnd);
    while (end < 0) {
      if (this.#held.length > longestHead) throw new MultipartError('the head of a part is too long');
      await this.#pull();
      end = this.#held.indexOf(headEnd);
    }
    const head = this.#take(end).toString('utf8');
    this.#take(headEnd.length);
    return head;
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, Math.max(0, length));
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  async #pull(): Promise<void> {
    const { value, done } = await this.#chunks.next().catch((cause: unknown) => {
      throw new MultipartError('the connection broke off', { cause });
    });
    if (done) throw new MultipartError('the form broke off');
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
  }
}
