-- Rule (watch list): a video leaves the list with its history.
-- ARGV: id, campaign ('' for none), key ('' for none)
-- Returns 1, or 0 for a video that is not on the list.
--- include video.lua
local id = ARGV[1]
if redis.call('ZREM', list_key(''), id) == 0 then return 0 end
leave_campaign(id, ARGV[2], ARGV[3])
redis.call('DEL', video_key(id), history_key(id))
redis.call('INCR', prefix .. ':videos:changes')
return 1
