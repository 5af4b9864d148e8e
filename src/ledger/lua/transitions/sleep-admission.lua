-- Rule (wake-up of the admission): it asks to be woken when an eighth of the window is free, or half of the rows in flight have ended, if
-- they are few. It stays awake if that is so already.
-- ARGV: campaign, rows in flight as far as the caller knows, now
-- Returns 'asleep', 'awake' (look again), 'done' (no row waits, and no ready row is due), 'paused' or 'gone'.
--- include ../rows.lua
local campaign = campaign_key(ARGV[1])
local facts = redis.call('HMGET', campaign, 'state', 'waiting', 'window', 'held', 'ready')
if not facts[1] then return 'gone' end
local is_due = tonumber(facts[5] or 0) > 0 and redis.call('ZCOUNT', campaign .. ':ready', '-inf', time_of(ARGV[3])) > 0
if facts[2] == '0' and not is_due then return 'done' end
if facts[1] ~= 'running' then return 'paused' end
-- All waiting rows were decided moments ago: room in the window does not help them.
if facts[2] == facts[4] and not is_due then return 'asleep' end
local in_flight = tonumber(ARGV[2])
local wake_at = math.max(math.floor(in_flight / 2), in_flight - math.ceil(tonumber(facts[3]) / 8))
redis.call('HSET', campaign, 'sleeping', wake_at)
return should_wake(campaign) and 'awake' or 'asleep'
