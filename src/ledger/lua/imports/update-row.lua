-- Included by the scripts of an import into a campaign, and of an edit of one row.
--- include ../rows.lua
--- include ../sheet.lua
--- include ../lost-rows.lua

-- Nothing of such a row is under way at the service.
local function may_change(state) return state == 'w' or state == 'y' or state == 'f' or state == 'c' end

-- Returns false if the staged chunk has expired.
local function take_chunk(store, chunk, staged)
  if redis.call('PERSIST', staged) == 0 then return false end
  redis.call('RENAME', staged, prefix .. ':rows:' .. store .. ':' .. chunk)
  return true
end

-- Fields of a row's progress, by letter: files, cover, references, generations. `a`: the row may repeat a post, `n`: it no longer may.
local FIELDS = { f = '^file:', c = '^cover$', r = '^ref:', g = '^assets$' }

local function forget_outdated(campaign, row, letters)
  local work = campaign .. ':work:' .. row
  redis.call('HDEL', work, 'unchecked')
  if letters == '' then return end
  if string.find(letters, '[an]') then
    redis.call('SETBIT', campaign .. ':again', row, string.find(letters, 'a') and 1 or 0)
    letters = string.gsub(letters, '[an]', '')
  end
  local latest = 0
  for _, field in ipairs(redis.call('HKEYS', work)) do
    local number = tonumber(string.match(field, '^gen(%d+)$'))
    if number then latest = math.max(latest, number) end
    for letter in string.gmatch(letters, '.') do
      if string.match(field, FIELDS[letter]) then redis.call('HDEL', work, field) end
    end
  end
  if string.find(letters, 'g') then redis.call('HDEL', work, 'paid') end
  -- Generation numbers are not reused, because the service has seen the task ids of the earlier ones.
  if latest > 0 and string.find(letters, 'g') then redis.call('HSET', work, 'gen-ended', latest) end
end
