-- Rule (history): a video gets at most one sample per scrape, and only one computed from its current history. Scrape numbers increase.
-- KEYS[1]: prefix of all keys.
-- ARGV: scrape, then for each: 'video-id version-as-read chunk-field ' and the starts of all chunks if this one is new; packed record;
--   summary; meta ('' if it stays)
-- Returns for each: 'stored', 'known' (this scrape has looked it up already), 'changed', 'removed', 'ended' (the scrape); an error for a damaged video.
--- include scrapes.lua
local prefix, run = KEYS[1], ARGV[1]
local state = redis.call('HGET', scrape_key(prefix, run), 'state')
local replies, stored = {}, 0
local function append(at)
  local id, version, field, starts = string.match(ARGV[at], '^(%S+) (%S+) (%S+) (%S*)$')
  local video = prefix .. ':v:' .. id
  local held = redis.call('HMGET', video, 'f', 'r', 'v', field, 'e', 'g')
  local verdict = may_write(state, run, version, held)
  if verdict == 'ok' then
    local before = starts == '' and held[4] or string.char(0)
    local chunk = string.char(string.byte(before, 1) + 1) .. string.sub(before, 2) .. ARGV[at + 1]
    local writes = { field, chunk, 's', ARGV[at + 2], 'r', run, 'v', version + 1 }
    if starts ~= '' then writes[9], writes[10] = 'c', starts end
    if ARGV[at + 3] ~= '' then writes[#writes + 1], writes[#writes + 2] = 'm', ARGV[at + 3] end
    redis.call('HSET', video, unpack(writes))
    if held[5] or held[6] then redis.call('HDEL', video, 'e', 'g') end
    stored = stored + 1
    verdict = 'stored'
  end
  return verdict
end

for at = 2, #ARGV, 4 do
  replies[#replies + 1] = item_of(append, at)
end
if stored > 0 then redis.call('HINCRBY', scrape_key(prefix, run), 'done', stored) end
return replies
