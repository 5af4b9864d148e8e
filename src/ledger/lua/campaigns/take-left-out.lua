-- Rule: the rows that the import of a plan has collected become those left out of its campaign. A second call changes nothing.
-- ARGV: campaign, name of the collection, number of rows in it
local campaign, staged = KEYS[1] .. ':c:' .. ARGV[1], KEYS[1] .. ':staged-names:' .. ARGV[2]
local left_out, count = campaign .. ':left-out', tonumber(ARGV[3])
if redis.call('EXISTS', campaign) == 0 then return end
if count == 0 then
  redis.call('DEL', left_out)
elseif redis.call('EXISTS', staged) == 0 then
  return
else
  redis.call('RENAME', staged, left_out)
  redis.call('PERSIST', left_out)
end
redis.call('HSET', campaign, 'leftOut', count)
