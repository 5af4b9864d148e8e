-- Rule (one cancelled row): a person takes a waiting or ready row out of a campaign that goes on. An edit brings it back. It is cancelled in its
-- next revision, which supersedes jobs, pages and approvals of the old one: brought back, it asks again.
-- ARGV: campaign, row, its revision, now, who
-- Returns 'ok', or 'moved': the row is no longer so.
--- include ../rows.lua
local campaign, row, now = campaign_key(ARGV[1]), tonumber(ARGV[2]), time_of(ARGV[4])
local state, revision = read_state(campaign, row)
if (state ~= 'w' and state ~= 'y') or revision ~= tonumber(ARGV[3]) or unknown_effect(campaign .. ':work:' .. row) then return 'moved' end
record_entry(campaign, row, now, '', 'cancelled', ARGV[5])
redis.call('HDEL', campaign .. ':approvals', row)
redis.call('HDEL', campaign .. ':work:' .. row, 'paid')
move(campaign, row, state, 'c', (revision + 1) % 256, now)
-- Makes an admission fail that was planned with it.
redis.call('HINCRBY', campaign, 'admissions', 1)
return 'ok'
