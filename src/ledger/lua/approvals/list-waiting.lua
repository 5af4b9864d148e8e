-- Rule (approval): a list goes on after rows that are decided meanwhile, so a place in it is a time and a row, not a number of rows before.
-- ARGV: campaign, time and row of the place ('' for the first), most rows
-- Returns { row, time, ... } from the place on, by time. The row of the place need not wait any more.
--- include ../rows.lua
local waiting, at, row, most = campaign_key(ARGV[1]) .. ':unapproved', ARGV[2], ARGV[3], tonumber(ARGV[4])
local first = 0
if at ~= '' then
  -- Rows of the same time stand in the order of their texts.
  local last = redis.call('ZCOUNT', waiting, '-inf', at)
  first = redis.call('ZCOUNT', waiting, '-inf', '(' .. at)
  while first < last do
    local middle = math.floor((first + last) / 2)
    if redis.call('ZRANGE', waiting, middle, middle)[1] < row then first = middle + 1 else last = middle end
  end
end
return redis.call('ZRANGE', waiting, first, first + most - 1, 'WITHSCORES')
