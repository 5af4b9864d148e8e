-- Rule (one cancelled row): a person takes a waiting or ready row out of a campaign that goes on. An edit brings it back.
-- ARGV: campaign, row, its revision, now, who
-- Returns 'ok', or 'moved': the row is no longer so.
--- include ../rows.lua
local campaign, row, now = campaign_key(ARGV[1]), tonumber(ARGV[2]), time_of(ARGV[4])
local state, revision = read_state(campaign, row)
if (state ~= 'w' and state ~= 'y') or revision ~= tonumber(ARGV[3]) or unknown_effect(campaign .. ':work:' .. row) then return 'moved' end
tell(campaign, row, now, '', 'cancelled', ARGV[5])
move(campaign, row, state, 'c', revision, now)
-- Makes an admission fail that was planned with it.
redis.call('HINCRBY', campaign, 'admissions', 1)
return 'ok'
