/** Rows for the manifests of the import benchmarks: nine columns, all valid. */

export const manifestHeader = [
  ...['key', 'creator', 'media', 'caption', 'product_id', 'product_title', 'product_source'],
  ...['scheduled_at', 'scheduled_tz'],
];

/** @param row counts from 1. */
export function manifestCells(row: number): readonly string[] {
  const day = String(1 + (row % 28)).padStart(2, '0');
  const time = `${String(row % 24).padStart(2, '0')}:${String(row % 60).padStart(2, '0')}`;
  return [
    ...[`row-${row}`, `creator_${row % 997}`, `videos/clip-${row}.mp4`],
    ...[`Post number ${row}, made for the spring campaign #glow`, `17294323423${row % 5000}`],
    ...[`Serum no. ${row % 5000}`, 'SHOWCASE', `2099-12-${day} ${time}`, 'Asia/Shanghai'],
  ];
}
