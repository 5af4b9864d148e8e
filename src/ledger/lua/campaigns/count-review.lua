-- Counts the rows in review over all campaigns.
-- KEYS[1]: prefix of all keys.
local rows = 0
for _, id in ipairs(redis.call('ZRANGE', KEYS[1] .. ':campaigns', 0, -1)) do
  -- The key may belong to another program.
  local review = redis.pcall('HGET', KEYS[1] .. ':c:' .. id, 'review')
  if type(review) == 'string' then rows = rows + (tonumber(review) or 0) end
end
return rows
