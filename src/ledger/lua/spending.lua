-- Included after rows.lua. Rule (spending): AI outputs are counted, for their campaign and month, with the journal entry of their call, and
-- given back when that call had no effect. A row that would go beyond a limit waits for a person, whose word (`paid`) counts for it alone.
-- `wish`: outputs, month (2026-11), most of a campaign and of a month ('-': no limit).
local kept_for = 400 * 86400

local function month_key(month) return prefix .. ':outputs:' .. month end

local function may_spend(campaign, row, wish)
  local outputs, month, most, most_of_month = string.match(wish, '^(%d+) (%S+) (%S+) (%S+)$')
  local function fits(spent, limit) return limit == '-' or (tonumber(spent or '') or 0) + tonumber(outputs) <= tonumber(limit) end
  return redis.call('HGET', campaign .. ':work:' .. row, 'paid') == '1'
    or (fits(redis.call('HGET', campaign, 'outputs'), most) and fits(redis.call('GET', month_key(month)), most_of_month))
end

local function count_spent(campaign, outputs, month)
  redis.call('HINCRBY', campaign, 'outputs', outputs)
  redis.call('INCRBY', month_key(month), outputs)
  redis.call('EXPIRE', month_key(month), kept_for)
end

-- Once, if the connection sends the script twice.
local function spend(campaign, row, effect, wish)
  local outputs, month = string.match(wish, '^(%d+) (%S+)')
  local spent = outputs .. ' ' .. month
  if redis.call('HSETNX', campaign .. ':work:' .. row, 'spent:' .. effect, spent) == 1 then count_spent(campaign, outputs, month) end
end

local function give_back(campaign, row, effect)
  local work, field = campaign .. ':work:' .. row, 'spent:' .. effect
  local outputs, month = string.match(redis.call('HGET', work, field) or '', '^(%d+) (%S+)$')
  if outputs and redis.call('HDEL', work, field) == 1 then count_spent(campaign, '-' .. outputs, month) end
end
