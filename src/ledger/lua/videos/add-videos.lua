-- Rule (watch list): a video is on the list once. Its facts are written only if they are still those that were merged.
-- A video that was given up as gone is looked up again.
-- ARGV: for each video: id, its facts as they were read ('' for none), facts to write, campaign before, key before, campaign, key
-- Returns for each: 'added', 'known', 'changed' (its facts have changed since they were read).
--- include video.lua
local replies = {}
for at = 1, #ARGV, 7 do
  local id, read, facts = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local old_campaign, old_key, campaign, key = ARGV[at + 3], ARGV[at + 4], ARGV[at + 5], ARGV[at + 6]
  local video = video_key(id)
  local found = redis.call('HGET', video, 'f') or ''
  if found ~= read then
    replies[#replies + 1] = 'changed'
  else
    local number
    if found == '' then
      number = redis.call('INCR', prefix .. ':videos:last')
      redis.call('ZADD', list_key(''), number, id)
      replies[#replies + 1] = 'added'
    else
      number = redis.call('ZSCORE', list_key(''), id)
      if old_campaign ~= campaign or old_key ~= key then leave_campaign(id, old_campaign, old_key) end
      replies[#replies + 1] = 'known'
    end
    redis.call('HSET', video, 'f', facts)
    if campaign ~= '' then
      redis.call('ZADD', list_key(campaign), number, id)
      if key ~= '' then redis.call('HSET', prefix .. ':videos:k:' .. campaign, key, id) end
    end
    local gone = redis.call('HGET', video, 'g')
    if gone then redis.call('HSET', video, 'g', '0 ' .. string.match(gone, '^%S+ (%S+)') .. ' 0') end
  end
end
redis.call('INCR', prefix .. ':videos:changes')
return replies
