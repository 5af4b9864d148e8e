-- Included. Rule (sheet version): a campaign's sheet is identified by its store (random, from the import) and by the random id of the
-- latest import into it or edit of it, the field `sheet`. The field `sheet_version` counts its changes. Ids alone tell nothing: campaign ids
-- and counters begin anew when Redis has lost data.

-- The version of a sheet: its store, the id of its latest change, and the number of its changes.
local function sheet_version(campaign)
  local facts = redis.call('HMGET', campaign, 'store', 'sheet', 'sheet_version')
  return (facts[1] or '') .. ' ' .. (facts[2] or '') .. ' ' .. (facts[3] or '0')
end

-- Returns the new version.
local function change_sheet(campaign, change)
  redis.call('HINCRBY', campaign, 'sheet_version', 1)
  redis.call('HSET', campaign, 'sheet', change)
  return sheet_version(campaign)
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
