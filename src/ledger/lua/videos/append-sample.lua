-- Rule (history): a video gets at most one sample in a scrape, and only one that was made of its current history. Numbers of scrapes grow.
-- KEYS[1]: prefix of all keys.
-- ARGV: count, then for each: 'scrape video-id version-as-read chunk-field', followed by ' ' and the starts of all chunks if the chunk is
--   new; packed record; summary; meta ('' if it stays)
-- Returns for each: 'stored', 'known' (this scrape has looked it up already), 'changed', 'removed', 'ended' (the scrape).
--- include scrapes.lua
local prefix = KEYS[1]
local replies, stored = {}, {}
for item = 0, tonumber(ARGV[1]) - 1 do
  local at = 2 + item * 4
  local run, id, version, field, starts = string.match(ARGV[at], '^(%S+) (%S+) (%S+) (%S+) ?(%S*)$')
  local record, meta = ARGV[at + 1], ARGV[at + 3]
  local video = prefix .. ':v:' .. id
  local held = redis.call('HMGET', video, 'f', 'r', 'v', field, 'e', 'g')
  local verdict = may_write(state_of(prefix, run), run, version, held)
  if verdict == 'ok' then
    local before = starts == '' and held[4] or string.char(0)
    local chunk = string.char(string.byte(before, 1) + 1) .. string.sub(before, 2) .. record
    local writes = { field, chunk, 's', ARGV[at + 2], 'r', run, 'v', version + 1 }
    if starts ~= '' then writes[9], writes[10] = 'c', starts end
    if meta ~= '' then writes[#writes + 1], writes[#writes + 2] = 'm', meta end
    redis.call('HSET', video, unpack(writes))
    if held[5] or held[6] then redis.call('HDEL', video, 'e', 'g') end
    stored[run] = (stored[run] or 0) + 1
    verdict = 'stored'
  end
  replies[#replies + 1] = verdict
end
for run, count in pairs(stored) do redis.call('HINCRBY', scrape_key(prefix, run), 'done', count) end
return replies
