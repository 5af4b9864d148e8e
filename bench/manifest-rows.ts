/** Rows for the manifests of the import benchmarks: nine columns, all valid, without warnings. */

export const manifestHeader = [
  ...['key', 'creator', 'media', 'caption', 'product_id', 'product_title', 'product_source'],
  ...['scheduled_at', 'scheduled_tz'],
];

const dayMs = 86_400_000;
/** Within a month: no row is warned of its time. */
const days = Array.from({ length: 28 }, (_, day) =>
  new Date(Date.now() + (day + 2) * dayMs).toISOString().slice(0, 10),
);

/** @param row counts from 1. */
export function manifestCells(row: number): readonly string[] {
  const time = `${String(row % 24).padStart(2, '0')}:${String(row % 60).padStart(2, '0')}`;
  return [
    ...[`row-${row}`, `creator_${row % 997}`, `videos/clip-${row}.mp4`],
    ...[`Post number ${row}, made for the spring campaign #glow`, `17294323423${row % 5000}`],
    ...[`Serum no. ${row % 5000}`, 'SHOWCASE', `${days[row % days.length]} ${time}`, 'Asia/Shanghai'],
  ];
}
