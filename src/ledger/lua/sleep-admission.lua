-- The admission goes to sleep, unless room came free since it looked.
-- ARGV: campaign. Returns 'asleep', 'awake' (look again), 'done' (no row waits), 'paused' or 'gone'.
--- include rows.lua
local campaign = campaign_key(ARGV[1])
local facts = redis.call('HMGET', campaign, 'state', 'waiting')
if not facts[1] then return 'gone' end
if facts[2] == '0' then return 'done' end
if facts[1] ~= 'running' then return 'paused' end
redis.call('HSET', campaign, 'sleeping', 1)
if should_wake(campaign) then return 'awake' end
return 'asleep'
