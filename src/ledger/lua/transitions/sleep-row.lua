-- Rule (window): a running row that waits until its generation is due does not count towards the window.
-- ARGV: campaign, row, revision, '1' to sleep or '0' to wake
-- Returns `ok_or_wake`.
--- include ../rows.lua
local campaign, row, revision = campaign_key(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local state, current = read_state(campaign, row)
if state ~= 'r' or current ~= revision then return 'ok' end
if ARGV[4] ~= '1' then
  wake_row(campaign, row)
elseif redis.call('HSETNX', campaign .. ':work:' .. row, 'z', '1') == 1 then
  redis.call('HINCRBY', campaign, 'asleep', 1)
end
return ok_or_wake(campaign)
