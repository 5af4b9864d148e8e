/** The page of a client link: tells the server the time zone of this browser, and loads the page again in it, once. Its videos. */
import './pictures.js';

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const isTold = () => /(?:^|; )zone=/.test(document.cookie);
if (timeZone && !isTold()) {
  document.cookie = `zone=${encodeURIComponent(timeZone)}; path=${location.pathname}; max-age=31536000; samesite=lax`;
  const { zone } = document.querySelector('[data-zone]')?.dataset ?? {};
  // Not the answer to a form, whose notice is shown once; and only if the cookie was taken.
  const isAnswer = new URLSearchParams(location.search).has('at');
  if (zone && zone !== timeZone && isTold() && !isAnswer) location.reload();
}
