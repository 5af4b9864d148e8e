-- Rule (retention): old samples are removed only if the history has not changed since it was read.
-- KEYS[1]: prefix of all keys.
-- ARGV: count, then for each: video id, version as read, fields to remove (separated by commas), field to write ('' for none), its
--   chunk, starts of the chunks, summary
-- Returns '1' or '0' for each.
--- include ../attempt.lua
local replies = {}
local function trim(at)
  local video = KEYS[1] .. ':v:' .. ARGV[at]
  local written = '0'
  if redis.call('EXISTS', video) == 1 and (redis.call('HGET', video, 'v') or '0') == ARGV[at + 1] then
    for field in string.gmatch(ARGV[at + 2], '[^,]+') do redis.call('HDEL', video, field) end
    if ARGV[at + 3] ~= '' then redis.call('HSET', video, ARGV[at + 3], ARGV[at + 4]) end
    redis.call('HSET', video, 'c', ARGV[at + 5], 's', ARGV[at + 6])
    redis.call('HINCRBY', video, 'v', 1)
    written = '1'
  end
  return written
end

for item = 0, tonumber(ARGV[1]) - 1 do
  replies[item + 1] = item_of(trim, 2 + item * 7)
end
return replies
