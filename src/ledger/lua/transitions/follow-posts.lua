-- Rule: the status from the publishing records is written only if the row's result is still the one that was compared.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, then for each row: row, packed result as it was read, packed result to write
-- Returns '1' or '0' for each.
--- include ../rows.lua
local campaign = campaign_key(ARGV[1])
local replies = {}
for at = 2, #ARGV, 3 do
  local row, written = tonumber(ARGV[at]), '0'
  local results = campaign .. ':results:' .. math.floor(row / 500)
  local known, added = split_result(redis.call('HGET', results, row % 500))
  if read_state(campaign, row) == 'p' and known and known == split_result(ARGV[at + 1]) then
    redis.call('HSET', results, row % 500, ARGV[at + 2] .. added)
    redis.call('HDEL', campaign .. ':errors', row)
    written = '1'
  end
  replies[#replies + 1] = written
end
return replies
