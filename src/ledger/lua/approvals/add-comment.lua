-- Rule (comments): a row, and a campaign, has at most so many. Further ones are refused: nobody pushes out comments of others.
-- Rule (comments of a draft): they come along in order when it starts, and a start that is repeated adds none twice.
-- ARGV: campaign, row, now, JSON of the comment without its time, most of a row, most of a campaign,
--   number of the comment among those of the draft ('' for a new one)
-- Returns 'ok' (also for one that was added before), 'full' or 'gone' (no such row).
--- include ../rows.lua
local campaign, row, now, most, most_in_all = campaign_key(ARGV[1]), tonumber(ARGV[2]), time_of(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[6])
if not read_state(campaign, row) then return 'gone' end
local carried = tonumber(ARGV[7])
if carried and carried <= tonumber(redis.call('HGET', campaign, 'carried-comments') or '0') then return 'ok' end
local comments = redis.call('HGET', campaign .. ':comments', row) or ''
local _, known = string.gsub(comments, '\n', '')
if known >= most or tonumber(redis.call('HGET', campaign, 'comments') or '0') >= most_in_all then return 'full' end
local comment = cjson.decode(ARGV[4])
if not carried then comment.at = tonumber(now) end
redis.call('HSET', campaign .. ':comments', row, comments .. cjson.encode(comment) .. '\n')
redis.call('HINCRBY', campaign, 'comments', 1)
if carried then redis.call('HSET', campaign, 'carried-comments', carried) else gather(campaign, row, 'comment.added', now, 'commented') end
return 'ok'
