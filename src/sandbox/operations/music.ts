/** Searches background music. The contract mentions it without its form (section 4.9); this form is ours. */
import { success } from '../answer.ts';
import { type Handlers, pageOf } from './operation.ts';

const moods = ['Bright', 'Calm', 'Golden', 'Happy', 'Midnight', 'Neon', 'Ocean', 'Paper', 'Slow', 'Summer'];
const things = ['Morning', 'Road', 'Steps', 'Sunday', 'Waves', 'Windows'];
const authors = ['Lantern Trio', 'North Quay', 'Paper Kites Ensemble', 'The Sample Band'];

const music = moods.flatMap((mood, row) =>
  things.map((thing, column) => {
    const number = row * things.length + column;
    return {
      id: `music_${7001 + number}`,
      title: `${mood} ${thing}`,
      author: authors[number % authors.length] ?? '',
      // Seconds, as text like in the contract.
      duration: String(15 + ((number * 7) % 46)),
    };
  }),
);

export const musicHandlers: Pick<Handlers, 'searchMusic'> = {
  searchMusic(request, _call, surroundings) {
    const keyword = request.keyword.toLowerCase();
    const found = music.filter(({ title, author }) => `${title} ${author}`.toLowerCase().includes(keyword));
    return success(pageOf(found, request, surroundings));
  },
};
