-- Rule (damaged data): keys of a wrong type are moved aside, so that the same work can be tried again.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), row ('' for none), effect in the journal of the caller ('' for none), its attempt token
--- include ../rows.lua
--- include ../damage.lua
local campaign, now = campaign_key(ARGV[1]), time_of(ARGV[2])
mend_campaign(campaign, now)
if ARGV[3] ~= '' then
  mend_row(campaign, tonumber(ARGV[3]), ARGV[4], ARGV[5], now)
  -- The index of posts (`posts.lua`) is of all campaigns.
  for shard = 0, 4095 do set_aside(campaign, string.format('%s:posts:%03x', prefix, shard), 'hash', now) end
end
return 'ok'
