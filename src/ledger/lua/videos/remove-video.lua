-- Rule (watch list): a video leaves the list with its history.
-- ARGV: id, campaign ('' for none), key ('' for none)
-- Returns 1, or 0 for a video that is not on the list.
--- include video.lua
local prefix, id, campaign, key = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if redis.call('ZREM', prefix .. ':videos', id) == 0 then return 0 end
if campaign ~= '' then
  redis.call('ZREM', prefix .. ':videos:c:' .. campaign, id)
  local rows = prefix .. ':videos:k:' .. campaign
  if key ~= '' and redis.call('HGET', rows, key) == id then redis.call('HDEL', rows, key) end
end
redis.call('DEL', video_key(prefix, id), history_key(prefix, id))
redis.call('INCR', prefix .. ':videos:changes')
return 1
