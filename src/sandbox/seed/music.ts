/** Background music for the search. */

interface Music {
  readonly id: string;
  readonly title: string;
  readonly author: string;
  /** Seconds, as text like in the contract. */
  readonly duration: string;
}

const moods = ['Bright', 'Calm', 'Golden', 'Happy', 'Midnight', 'Neon', 'Ocean', 'Paper', 'Slow', 'Summer'];
const things = ['Morning', 'Road', 'Steps', 'Sunday', 'Waves', 'Windows'];
const authors = ['Lantern Trio', 'North Quay', 'Paper Kites Ensemble', 'The Sample Band'];

export const music: readonly Music[] = moods.flatMap((mood, row) =>
  things.map((thing, column) => {
    const number = row * things.length + column;
    return {
      id: `music_${7001 + number}`,
      title: `${mood} ${thing}`,
      author: authors[number % authors.length] ?? '',
      duration: String(15 + ((number * 7) % 46)),
    };
  }),
);
