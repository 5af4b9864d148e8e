-- Included. Rule (sheet version): a campaign's sheet is identified by its store and the id of its latest change (`sheet`), both random:
-- campaign ids and the count of changes (`sheet_version`) begin anew when Redis has lost data.
local function sheet_version(campaign)
  local facts = redis.call('HMGET', campaign, 'store', 'sheet', 'sheet_version')
  return (facts[1] or '') .. ' ' .. (facts[2] or '') .. ' ' .. (facts[3] or '0')
end

local function change_sheet(campaign, change)
  redis.call('HINCRBY', campaign, 'sheet_version', 1)
  redis.call('HSET', campaign, 'sheet', change)
  return sheet_version(campaign)
end

-- ARGV from `at` to the end: creator as written, JSON of its account, ... In parts, because a command takes so many arguments at most.
local function set_creators(campaign, at)
  for first = at, #ARGV, 200 do
    redis.call('HSET', campaign .. ':creators', unpack(ARGV, first, math.min(first + 199, #ARGV)))
  end
end

-- Whether the sheet that the caller has read (its store and the id of its latest change; '' for any) is not that of the campaign.
local function is_outdated(campaign, seen)
  if seen == '' then return false end
  local facts = redis.call('HMGET', campaign, 'store', 'sheet')
  return (facts[1] or '') .. ' ' .. (facts[2] or '') ~= seen
end

-- Whether the caller has worked for an earlier campaign with the same id.
local function is_another(campaign, seen)
  return seen ~= '' and redis.call('HGET', campaign, 'store') ~= string.match(seen, '^%S*')
end
