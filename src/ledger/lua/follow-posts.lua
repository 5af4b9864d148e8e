-- Rule: the status from the publishing records is written only if the row's result is still the one that was compared.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, then for each row: row, packed result as it was read, packed result to write, JSON of the error ('' for none)
-- Returns '1' or '0' for each.
--- include rows.lua

-- A packed result without how long the row took, and the rest.
local function split(packed)
  return string.match(packed or '', '^([^\t]*\t[^\t]*\t[^\t]*\t[^\t]*)(.*)$')
end

local campaign = campaign_key(ARGV[1])
local replies = {}
for at = 2, #ARGV, 4 do
  local row, written = tonumber(ARGV[at]), '0'
  local results = campaign .. ':results:' .. math.floor(row / 500)
  local facts, took = split(redis.call('HGET', results, row % 500))
  if read_state(campaign, row) == 'p' and facts and facts == split(ARGV[at + 1]) then
    redis.call('HSET', results, row % 500, split(ARGV[at + 2]) .. took)
    if ARGV[at + 3] ~= '' then
      redis.call('HSET', campaign .. ':errors', row, ARGV[at + 3])
    else
      redis.call('HDEL', campaign .. ':errors', row)
    end
    written = '1'
  end
  replies[#replies + 1] = written
end
return replies
