-- Included by rows.lua. Rule (story): the hash `stories` of a campaign tells what happened to a row, one JSON entry a line, the latest
-- fifty. A row that came through at the first try loses its story with its post; any other one keeps it.
-- An entry: t time (ms), s step (absent for what happened outside of a step), o outcome, m message, n how many like it in a row.
-- Outcomes that begin with `o` (ok), `p` (posted) or `t` (throttled) are those of a first try.
local most_entries, most_characters = 50, 240

-- Cuts a text after some characters, and makes one line of it.
local function cut(text)
  text = string.gsub(text, '%c', ' ')
  if #text <= most_characters then return text end
  local characters = 0
  for at in string.gmatch(text, '()[^\128-\191]') do
    characters = characters + 1
    if characters > most_characters then return string.sub(text, 1, at - 1) .. '...' end
  end
  return text
end

local function latest(story)
  local _, breaks = string.gsub(story, '\n', '')
  for _ = most_entries, breaks do story = string.gsub(story, '^[^\n]*\n', '') end
  return story
end

-- Adds an entry. Polls in a row that told nothing become one, and so do attempts that were throttled.
local function tell(campaign, row, now, step, outcome, message)
  local stories = campaign .. ':stories'
  local story = redis.call('HGET', stories, row) or ''
  local entry = { t = tonumber(now), o = outcome }
  if step ~= '' then entry.s = step end
  if message and message ~= '' then entry.m = cut(message) end
  if outcome == 'again' or outcome == 'throttled' then
    local before, last = string.match(story, '^(.-)([^\n]*)$')
    local same = last ~= '' and cjson.decode(last)
    if same and same.s == step and same.o == outcome then
      entry.n = (same.n or 1) + 1
      story = string.gsub(before, '\n$', '')
    end
  end
  redis.call('HSET', stories, row, latest((story == '' and '' or story .. '\n') .. cjson.encode(entry)))
end

-- As `tell`, for the JSON of an error.
local function tell_error(campaign, row, now, outcome, json)
  local error = cjson.decode(json)
  tell(campaign, row, now, error.step or '', outcome, (error.code or '') .. ': ' .. (error.message or ''))
end

-- As `tell`, for what is worth an entry only in a story that has begun.
local function tell_on(campaign, row, now, outcome)
  if redis.call('HEXISTS', campaign .. ':stories', row) == 1 then tell(campaign, row, now, '', outcome) end
end

-- Begins the story of a row that was posted at the first try, of which only the times in its packed result are left.
local function tell_times(campaign, row, packed)
  if redis.call('HEXISTS', campaign .. ':stories', row) == 1 then return end
  local post, seconds, took = string.match(packed, '^([^\t]*)\t[^\t]*\t(%w+)\t[^\t]*\t?(%d*)$')
  if not post then return end
  local at = tonumber(seconds, 36) * 1000
  if took ~= '' then tell(campaign, row, at - took * 1000, '', 'begun') end
  tell(campaign, row, at, 'post', 'posted', post)
end

-- Ends the story of a row that is posted, unless anything went wrong. Returns how many seconds a first try took since its first entry.
local function end_story(campaign, row, now)
  local story = redis.call('HGET', campaign .. ':stories', row)
  if not story or string.find(story, '"o":"[^opt]') then return nil end
  redis.call('HDEL', campaign .. ':stories', row)
  local first = cjson.decode(string.match(story, '^[^\n]*'))
  return math.max(0, math.floor((tonumber(now) - first.t) / 1000))
end
