-- Included by rows.lua. Rule (story): the hash `stories` of a campaign tells what happened to a row, one JSON entry a line, the latest
-- fifty. A row that came through at the first try loses its story with its post; any other one keeps it.
-- An entry: t time (ms), s step (absent for what happened outside of a step), o outcome, m message, n how many like it in a row.
-- Outcomes that begin with `o` (ok), `p` (posted) or `t` (throttled) are those of a first try.
local most_entries, most_characters = 50, 240
-- No fifty entries are shorter.
local few_bytes = 50 * 20

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
  if #story < few_bytes then return story end
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
    local before, last = string.match(story, '^(.*)\n([^\n]*)$')
    if not before then before, last = '', story end
    -- Quotes within a message are escaped.
    if string.find(last, '"s":"' .. step .. '"', 1, true) and string.find(last, '"o":"' .. outcome .. '"', 1, true) then
      entry.n = (tonumber(string.match(last, '"n":(%d+)')) or 1) + 1
      story = before
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
  local post, seconds, took = string.match(packed, '^([^\t]*)\t[^\t]*\t(%w+)\t[^\t]*\t?(%w*)$')
  if not post then return end
  local at = tonumber(seconds, 36) * 1000
  if took ~= '' then tell(campaign, row, at - tonumber(took, 36) * 1000, '', 'begun') end
  tell(campaign, row, at, 'post', 'posted', post)
end

-- Tells that a row is posted. The story of a first try ends with it: returns how many seconds passed since its first entry, or nil.
local function end_story(campaign, row, now, step, outcome, post)
  local story = redis.call('HGET', campaign .. ':stories', row)
  if outcome ~= 'posted' or (story and string.find(story, '"o":"[^opt]')) then
    tell(campaign, row, now, step, outcome, post)
    return nil
  end
  if not story then return nil end
  redis.call('HDEL', campaign .. ':stories', row)
  local since = tonumber(string.match(story, '"t":(%d+)') or now)
  return math.max(0, math.floor((tonumber(now) - since) / 1000))
end
