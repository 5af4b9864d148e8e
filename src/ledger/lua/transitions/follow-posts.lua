-- Rule: the status from the publishing records is written only if the row's result is still the one that was compared.
-- ARGV: campaign, then for each row: row, packed result as it was read, packed result to write
-- Returns '1' or '0' for each.
--- include ../rows.lua
local campaign = campaign_key(ARGV[1])
return each_result(2, 3, function(at)
  local row, read, packed = tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2]
  local known, added = split_result(result_of(campaign, row))
  if read_state(campaign, row) ~= 'p' or not known or known ~= split_result(read) then return false end
  set_result(campaign, row, packed .. added)
  redis.call('HDEL', campaign .. ':errors', row)
  return true
end)
