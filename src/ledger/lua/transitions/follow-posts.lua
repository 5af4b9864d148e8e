-- Rule: the status from the publishing records is written only if the row's result is still the one that was compared.
-- ARGV: campaign, then for each row: row, packed result as it was read, packed result to write
-- Returns '1' or '0' for each.
--- include ../rows.lua
local campaign = campaign_key(ARGV[1])
local function write(row, read, packed)
  local known, added = split_result(result_of(campaign, row))
  if read_state(campaign, row) ~= 'p' or not known or known ~= split_result(read) then return '0' end
  set_result(campaign, row, packed .. added)
  redis.call('HDEL', campaign .. ':errors', row)
  return '1'
end

local replies = {}
for at = 2, #ARGV, 3 do
  -- A row whose data is damaged stays as it is.
  local _, written = attempt(write, tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2])
  replies[#replies + 1] = written == '1' and '1' or '0'
end
return replies
