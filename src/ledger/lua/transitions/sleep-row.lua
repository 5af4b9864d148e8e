-- Rule (window): a running row that waits until its generation is due does not count towards the window.
-- ARGV: campaign, row, revision, '1' to sleep or '0' to wake
-- Returns 'ok' or 'wake' (the admission should be woken).
--- include ../rows.lua
local campaign, row, revision = campaign_key(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local state, current = read_state(campaign, row)
if state ~= 'r' or current ~= revision then return 'ok' end
local work = campaign .. ':work:' .. row
if ARGV[4] == '1' then
  if redis.call('HSETNX', work, 'z', '1') == 1 then redis.call('HINCRBY', campaign, 'asleep', 1) end
elseif redis.call('HDEL', work, 'z') == 1 then
  redis.call('HINCRBY', campaign, 'asleep', -1)
end
return should_wake(campaign) and 'wake' or 'ok'
