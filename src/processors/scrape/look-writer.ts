/** Writes the samples of a part, several in one command. */
import type { Ledger } from '../../ledger/ledger.ts';
import { chunksNeeded } from '../../ledger/videos/growth.ts';
import { type Look, nextSample } from '../../ledger/videos/next-sample.ts';
import type { Chunks } from '../../ledger/videos/sample.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import type { ProcessorContext } from '../runner/context.ts';

/** A video as read at the start of its part, with the chunks that its next sample needs. */
export interface ReadVideo {
  readonly video: WatchedVideo;
  readonly chunks: Chunks;
}

interface Looked extends ReadVideo {
  readonly look: Look;
}

/** Adds the chunks that a sample at a time (Unix epoch, seconds) needs, if they are not there. */
export async function withChunks<T extends ReadVideo>(
  { videos }: Ledger,
  batch: readonly T[],
  atOf: (read: T) => number,
): Promise<readonly T[]> {
  const lacking = batch.map((read) => ({
    id: read.video.id,
    starts: chunksNeeded(read.video, atOf(read)).filter((start) => !read.chunks.has(start)),
  }));
  if (lacking.every(({ starts }) => starts.length === 0)) return batch;
  const found = await videos.history.chunks(lacking);
  return batch.map((read, index) => ({
    ...read,
    chunks: new Map([...read.chunks, ...(found[index] ?? [])]),
  }));
}

/**
 * Longest time to collect samples for one command. If the process is killed meanwhile, they are looked up again. Milliseconds.
 */
const longestGatherMs = 100;

/** Most attempts to write a sample while the history changes. */
const mostTries = 20;

export class LookWriter {
  readonly #context: Pick<ProcessorContext, 'ledger'>;
  readonly #run: number;
  #gathered: Looked[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writes: Promise<void>[] = [];

  /** @param run number of the scrape. */
  constructor(context: Pick<ProcessorContext, 'ledger'>, run: number) {
    this.#context = context;
    this.#run = run;
  }

  add(read: ReadVideo, look: Look): void {
    this.#gathered.push({ ...read, look });
    this.#timer ??= setTimeout(() => this.#flush(), longestGatherMs);
  }

  /** Writes the remaining samples. @throws errors of Redis, also of earlier writes. */
  async finish(): Promise<void> {
    if (this.#timer) this.#flush();
    await Promise.all(this.#writes);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const looked = this.#gathered;
    this.#gathered = [];
    const write = this.#write(looked);
    this.#writes.push(write);
    // Awaited at the end.
    write.catch(() => undefined);
  }

  async #write(looked: readonly Looked[]): Promise<void> {
    const { ledger } = this.#context;
    let open = looked;
    for (let tries = 0; open.length > 0 && tries < mostTries; tries += 1) {
      // An answer after midnight may need other chunks than those read for it.
      const samples = (await withChunks(ledger, open, ({ look }) => look.at)).map(
        ({ video, chunks, look }) => ({ video, next: nextSample(video, chunks, look) }),
      );
      const written = await ledger.videos.history.append(this.#run, samples);
      open = await this.#readAgain(open.filter((_looked, index) => written[index] === 'changed'));
    }
  }

  /** Computes samples again whose history was changed meanwhile by a trim or an import. */
  async #readAgain(changed: readonly Looked[]): Promise<readonly Looked[]> {
    const videos = await this.#context.ledger.videos.list.read(changed.map(({ video }) => video.id));
    return changed.flatMap(({ look }, index) => {
      const video = videos[index];
      return video ? [{ video, chunks: new Map(), look }] : [];
    });
  }
}
