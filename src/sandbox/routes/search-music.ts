/** Searches music. The contract mentions it without its form (section 4.9); this form is ours. */
import { success } from '../http/answer.ts';
import { music } from '../seed/music.ts';
import { pageBounds, pageInfo } from './pages.ts';
import { route } from './route.ts';

export const searchMusic = route('searchMusic', (request, _call, surroundings) => {
  const keyword = request.keyword.toLowerCase();
  const found = music.filter(({ title, author }) => `${title} ${author}`.toLowerCase().includes(keyword));
  const { offset, limit } = pageBounds(request, surroundings);
  return success({ list: found.slice(offset, offset + limit), ...pageInfo(request, limit, found.length) });
});
