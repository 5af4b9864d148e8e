/** Days that a planner's remark keeps free of posts: `24–25 Dec: no posts`. */
import { readWritten } from '../../manifest/cells/written-time.ts';

/** In the languages of headers. */
const noPosts = new RegExp(
  "no (?:posts?|posting|content|uploads?|publicar|se publica|hay publicaciones)\\b|(?:do not|don['’]?t) (?:post|publish)\\b|" +
    '不发|不發|停更|停发|投稿(?:なし|無し|しない|休み|停止)|(?:งด|ไม่|หยุด)(?:โพสต์|ลง)|(?:게시|업로드) ?(?:안|없)|' +
    'keine? (?:posts?|beiträge?|videos?|veröffentlichung)|nicht (?:posten|veröffentlichen)|posting-?pause|' +
    'pas de (?:posts?|publications?|vidéos?)|aucune publication|aucun post|ne (?:pas|rien) (?:publier|poster)|' +
    'sin (?:posts?|publica)|sem (?:posts?|publica|postage)|não (?:publicar|postar)|nessun post|nessuna pubblicazione|non pubblicare|' +
    '(?:không|ngừng|nghỉ) (?:đăng|post)|(?:tidak|tanpa|jangan|libur|tiada) (?:ada )?(?:post|unggah|upload|siaran|hantaran)',
  'iu',
);
/** A remark says at its beginning which days it means. */
const longestLooked = 300;
const to = new Set(
  '– & + to until till and bis und et au al hasta y até e đến và sampai dan hingga ถึง'.split(' '),
);
/** The other end of a span of days: only its number. */
const bareDay = /^(\d{1,2})(?:\.|st|nd|rd|th|[日号일])?$/;

type Day = Readonly<Record<'month' | 'day', number>>;

/** @returns months and days, such as `12-24`; empty for a text that keeps no day free. */
export function freeDaysIn(text: string): ReadonlySet<string> {
  const plain = text.slice(0, longestLooked).normalize('NFC');
  if (!noPosts.test(plain)) return new Set();
  const words = plain
    .replace(/(\d)-(\d{1,2})-(\d)/g, '$1/$2/$3')
    .replace(/ ?[-–—~〜～至到] ?(?=\d)/g, ' – ')
    .replace(/(^|\s)(?:le|the|el|am|ngày)\s/gi, '$1')
    .split(/[\s,:;()]+/);
  const dates = words.map((_, at) => readWritten(words.slice(at, at + 4).join(' ')));
  const endAt = (at: number, { month }: Day): Day | undefined => {
    const [, day] = bareDay.exec(words[at] ?? '') ?? [];
    return dates[at]?.[0] ?? (day === undefined ? undefined : { month, day: Number(day) });
  };
  const days = dates.flatMap((found, at) =>
    found.flatMap((date) => {
      const from = to.has(words[at - 1] ?? '') ? endAt(at - 2, date) : undefined;
      // The name of a month may be a word of its own: `Dec 24 – 26`.
      const end = words.findIndex((word, next) => next > at && next <= at + 2 && to.has(word)) + 1;
      return daysBetween(from ?? date, (end > 0 ? endAt(end, date) : undefined) ?? date);
    }),
  );
  return new Set(days);
}

/** A span that ends before it begins, or takes months, is none. */
function daysBetween(first: Day, last: Day): readonly string[] {
  const from = Date.UTC(2000, first.month - 1, first.day);
  const days =
    (Date.UTC(last.month < first.month ? 2001 : 2000, last.month - 1, last.day) - from) / 86_400_000;
  const length = days >= 0 && days < 60 ? days + 1 : 1;
  return Array.from({ length }, (_, at) => new Date(from + at * 86_400_000).toISOString().slice(5, 10));
}
