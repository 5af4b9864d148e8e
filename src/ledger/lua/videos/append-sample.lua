-- Rule (history): a video gets at most one sample in a scrape, and only one that was made of its current history. Numbers of scrapes grow.
-- KEYS[1]: prefix of all keys.
-- ARGV: count, then for each: scrape, video id, version as read, chunk field, packed record, '1' for a new chunk, summary,
--   starts of the chunks ('' if they stay), meta ('' if it stays)
-- Returns for each: 'stored', 'known' (this scrape has looked it up already), 'changed', 'removed', 'ended' (the scrape).
--- include scrapes.lua
local prefix = KEYS[1]
local replies = {}
for item = 0, tonumber(ARGV[1]) - 1 do
  local at = 2 + item * 9
  local run, id, field, record = ARGV[at], ARGV[at + 1], ARGV[at + 3], ARGV[at + 4]
  local verdict = may_write(prefix, run, id, ARGV[at + 2])
  if verdict == 'ok' then
    local video = prefix .. ':v:' .. id
    local chunk = string.char(1) .. record
    if ARGV[at + 5] ~= '1' then
      local before = redis.call('HGET', video, field)
      chunk = string.char(string.byte(before, 1) + 1) .. string.sub(before, 2) .. record
    end
    redis.call('HSET', video, field, chunk, 's', ARGV[at + 6], 'r', run)
    if ARGV[at + 7] ~= '' then redis.call('HSET', video, 'c', ARGV[at + 7]) end
    if ARGV[at + 8] ~= '' then redis.call('HSET', video, 'm', ARGV[at + 8]) end
    redis.call('HDEL', video, 'e', 'g')
    redis.call('HINCRBY', video, 'v', 1)
    redis.call('HINCRBY', scrape_key(prefix, run), 'done', 1)
    verdict = 'stored'
  end
  replies[#replies + 1] = verdict
end
return replies
