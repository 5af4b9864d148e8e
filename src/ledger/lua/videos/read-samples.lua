-- Reads the ends of histories in one command.
-- ARGV: time (Unix epoch, seconds), ids
-- Returns for each id: the newest row up to that time, all later ones, and perhaps some earlier ones, separated by commas, oldest first.
--- include video.lua
local from, replies = tonumber(ARGV[1]), {}
for at = 2, #ARGV do
  local history = history_key(ARGV[at])
  -- A month of nights, then ever more.
  local text, last, size = '', -1, 32
  repeat
    local rows = redis.call('LRANGE', history, last - size + 1, last)
    if #rows > 0 then text = table.concat(rows, ',') .. (text == '' and '' or ',' .. text) end
    last = last - #rows
    size = size * 2
  until #rows == 0 or taken_at(rows[1]) <= from
  replies[at - 1] = text
end
return replies
