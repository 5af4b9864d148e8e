-- Rule (retry): failed rows go back to waiting, in the next revision. A row that is in review, posted or running stays as it is.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), row, row, ...
-- Returns row, old revision, ... of the rows sent back.
--- include ../rows.lua
local campaign, now = campaign_key(ARGV[1]), time_of(ARGV[2])
local reply = {}
if redis.call('EXISTS', campaign) == 0 then return reply end
for index = 3, #ARGV do
  local row = tonumber(ARGV[index])
  local state, revision = read_state(campaign, row)
  if state == 'f' then
    redis.call('HDEL', campaign .. ':work:' .. row, 'failed-by')
    admit_again(campaign, row, 'f', revision, now, 'retried')
    reply[#reply + 1] = row
    reply[#reply + 1] = revision
  end
end
return reply
