-- Rule: a note from the records is written to a row in review only while its post is of unknown outcome.
-- ARGV: campaign, row, journal entry as it was read, JSON of the error
-- Returns '1', or '0' for another row.
--- include ../rows.lua
local campaign, row = campaign_key(ARGV[1]), tonumber(ARGV[2])
if read_state(campaign, row) ~= 'v' or redis.call('HGET', campaign .. ':work:' .. row, 'journal:post') ~= ARGV[3] then return '0' end
redis.call('HSET', campaign .. ':errors', row, ARGV[4])
return '1'
