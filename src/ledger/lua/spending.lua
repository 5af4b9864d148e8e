-- Included after rows.lua. Rule (spending): AI outputs are counted, for their campaign and month, with the journal entry of their call, and
-- given back when that call had no effect, or when a person decides so. A row that would go beyond a limit waits for a person, whose word
-- (`paid`) counts for its next generation alone: the call uses it up, and gives it back with the outputs.
-- Fields of the row's record: `spent:<effect>`: outputs, month, and `paid` if the call used that word up. `given:<effect>:<token>`: the same of
-- a call whose generation does not exist, as a person decided: a late answer that it exists counts it again.
-- `wish`: outputs, month (2026-11), most of a campaign and of a month ('-': no limit).
local kept_for = 400 * 86400

local function month_key(month) return prefix .. ':outputs:' .. month end

local function may_spend(campaign, row, effect, wish)
  local outputs, month, most, most_of_month = string.match(wish, '^(%d+) (%S+) (%S+) (%S+)$')
  local function fits(spent, limit) return limit == '-' or (tonumber(spent or '') or 0) + tonumber(outputs) <= tonumber(limit) end
  local paid, counted = unpack(redis.call('HMGET', campaign .. ':work:' .. row, 'paid', 'spent:' .. effect))
  -- It is counted already if the connection sends the script twice.
  if paid == '1' or counted then return true end
  return fits(redis.call('HGET', campaign, 'outputs'), most) and fits(redis.call('GET', month_key(month)), most_of_month)
end

-- `spent`: as the field `spent:` has it. `sign`: '' or '-'.
local function count_spent(campaign, spent, sign)
  local outputs, month = string.match(spent, '^(%d+) (%S+)')
  redis.call('HINCRBY', campaign, 'outputs', sign .. outputs)
  redis.call('INCRBY', month_key(month), sign .. outputs)
  redis.call('EXPIRE', month_key(month), kept_for)
end

-- Once, if the connection sends the script twice.
local function spend(campaign, row, effect, wish)
  local work, field = campaign .. ':work:' .. row, 'spent:' .. effect
  if redis.call('HEXISTS', work, field) == 1 then return end
  local spent = string.match(wish, '^%d+ %S+') .. (redis.call('HDEL', work, 'paid') == 1 and ' paid' or '')
  redis.call('HSET', work, field, spent)
  count_spent(campaign, spent, '')
end

local function is_paid(spent) return string.match(spent, ' paid$') ~= nil end

-- Returns what was spent; nil for nothing.
local function give_back(campaign, row, effect)
  local work, field = campaign .. ':work:' .. row, 'spent:' .. effect
  local spent = redis.call('HGET', work, field)
  if not spent then return nil end
  redis.call('HDEL', work, field)
  if is_paid(spent) then redis.call('HSET', work, 'paid', '1') end
  count_spent(campaign, spent, '-')
  return spent
end

-- A person decides that the generation of a call does not exist. Returns as `give_back`.
local function give_back_decided(campaign, row, effect, token)
  local spent = give_back(campaign, row, effect)
  if spent then redis.call('HSET', campaign .. ':work:' .. row, 'given:' .. effect .. ':' .. token, spent) end
  return spent
end

-- An answer says that such a generation exists. If the same generation is asked for once more, both count. Decisions from before that answer
-- are no longer taken back: the record that they replaced has not counted it.
local function count_late(campaign, row, effect, token)
  local work, field = campaign .. ':work:' .. row, 'given:' .. effect .. ':' .. token
  local spent = redis.call('HGET', work, field)
  if not spent then return end
  redis.call('HDEL', work, field)
  if is_paid(spent) then redis.call('HDEL', work, 'paid') end
  redis.call('HSETNX', work, 'spent:' .. effect, spent)
  redis.call('DEL', campaign .. ':undo:' .. row)
  count_spent(campaign, spent, '')
end
