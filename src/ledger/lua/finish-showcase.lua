-- Rule: a product that is in the showcase is known from then on, and a product that was refused fails only its own rows. Both are written
-- at once. A row that this job failed may be revived by it (`start-showcase.lua`).
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms), job id, n products, then for each: key and field of the record of products known,
--   then for each failed row: row, revision, JSON of the error
-- Returns 'ok' or 'wake' (the admission should be woken).
--- include rows.lua
local campaign, now, job, products = campaign_key(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4])
local added = 0
for index = 0, products - 1 do
  added = added + redis.call('HSET', ARGV[5 + index * 2], ARGV[6 + index * 2], 1)
end
-- The campaign may have been deleted meanwhile: what the showcase has is true all the same.
if redis.call('EXISTS', campaign) == 0 then return 'ok' end
if added > 0 then redis.call('HINCRBY', campaign, 'done:showcase', added) end
for at = 5 + products * 2, #ARGV, 3 do
  local row, revision = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local state, current = read_state(campaign, row)
  if state == 'r' and current == revision then
    redis.call('HSET', campaign .. ':errors', row, ARGV[at + 2])
    redis.call('HSET', campaign .. ':work:' .. row, 'failed-by', job)
    move(campaign, row, 'r', 'f', revision, now)
  end
end
return should_wake(campaign) and 'wake' or 'ok'
