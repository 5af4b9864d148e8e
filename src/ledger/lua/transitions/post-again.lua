-- Rule (failed post): a failed row becomes posted again if one of its earlier posts was published after all, and nothing has changed
-- meanwhile.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), row, revision, its earlier posts as read, the remaining ones ('' for none), packed result
-- Returns '1' or '0'.
--- include ../rows.lua
local campaign, now, row = campaign_key(ARGV[1]), time_of(ARGV[2]), tonumber(ARGV[3])
local state, revision = read_state(campaign, row)
if state ~= 'f' or revision ~= tonumber(ARGV[4]) then return '0' end
if redis.call('HGET', campaign .. ':earlier', row) ~= ARGV[5] then return '0' end
if ARGV[6] == '' then
  redis.call('HDEL', campaign .. ':earlier', row)
else
  redis.call('HSET', campaign .. ':earlier', row, ARGV[6])
end
local assets = redis.call('HGET', campaign .. ':work:' .. row, 'assets')
record_post(campaign, row, 'f', revision, now, ARGV[7], assets, '', 'found in the records')
return '1'
