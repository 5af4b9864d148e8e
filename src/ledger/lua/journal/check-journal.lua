-- Rule (lost journal): if the last entry that a process has seen is missing, the journal has lost entries.
-- KEYS[1]: prefix of all keys.
-- ARGV: position that was seen (0 for none), token of the entry there
-- Returns { position, time of its last entry (ms), whether that entry is missing ('0'|'1') }.
--- include ../journal.lua
local last = redis.call('HMGET', journal, 'position', 'at')
local lost = has_lost(tonumber(last[1] or '0'), tonumber(ARGV[1]), ARGV[2])
return { last[1] or '0', last[2] or '0', lost and '1' or '0' }
