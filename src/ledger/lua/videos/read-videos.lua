-- Reads facts and figures of videos in one command, because a command for each video would take longer than the reading.
-- ARGV: ids
-- Returns for each id: `read_video`.
--- include video.lua
local replies = {}
for at, id in ipairs(ARGV) do replies[at] = read_video(id) end
return replies
