/** What a report for a client shows beside figures: its posts, and one's own logo. */
import { Readable } from 'node:stream';
import {
  type ClientReport,
  captionOf,
  listReported,
  type ReportedVideo,
} from '../../../app/videos/client-report.ts';
import { readLogo } from '../../../app/videos/logo.ts';
import { thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { n, section, table } from '../../parts/blocks.ts';
import { gain, short } from '../../parts/figures.ts';
import { clock, day } from '../../parts/numbers.ts';
import { pictureColumn, thumbnail } from '../../parts/picture.ts';
import type { PageRequest, ShownFile } from '../../request.ts';
import { coversOf } from './covers.ts';

/** More would make a long print: all are in the workbook. */
const mostPosts = 50;

/** Those that gained the most: the post as it was planned and published, beside its figures. */
export async function postsSection(request: PageRequest, report: ClientReport): Promise<Html> {
  const { zone, now } = request;
  const { size } = report.overview.order;
  const listed = await listReported(request.runtime, report, { from: 0, count: mostPosts });
  const covers = await coversOf(
    request,
    listed.map(({ video }) => video),
  );
  // A client reads it later: today has its date, too.
  const time = (at: number | undefined, none: string) =>
    at === undefined ? html`<span class="none">${none}</span>` : `${day(at, zone, now)}, ${clock(at, zone)}`;
  const line = ({ video, figures: { counts, growths }, plannedAt }: ReportedVideo) =>
    html`<tr><td>${thumbnail(request, covers.get(video.id), 'week')}</td><td class="caption">${words(captionOf(video))}<small>${words(video.creator ?? video.author ?? '')}</small></td><td>${time(plannedAt, '–')}</td><td>${time(video.released_at === null ? undefined : Date.parse(video.released_at), 'unknown')}</td><td class="n">${counts[0] === undefined ? html`<span class="none">unknown</span>` : short(counts[0])}</td><td class="n">${gain(growths[0]?.[0])}</td></tr>`;
  const list = table({
    of: 'posts',
    className: 'posts middle',
    heads: [pictureColumn, 'Post', 'Planned', 'Published', n('Views'), n('Gained ↓')],
    lines: listed.map(line),
  });
  const more =
    size > listed.length
      ? html`<p class="note">${thousands(size - listed.length)} more are in the Excel report.</p>`
      : '';
  return section({ id: 'posts', title: 'Posts' }, html`${list}${more}`);
}

/** The logo of the setting `videos.logo`. @throws {UseCaseError} `settings_invalid`. */
export async function showLogo({ runtime }: Pick<PageRequest, 'runtime'>): Promise<ShownFile> {
  const { bytes, contentType } = await readLogo(runtime.settings.videos.logo ?? '');
  return {
    kind: 'file',
    contentType,
    bytes: bytes.length,
    read: (start, end) => Readable.from([bytes.subarray(start, end + 1)]),
    close: async () => undefined,
  };
}
