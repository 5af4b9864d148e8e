-- Rule (lost journal): if the last entry that a process has seen is missing, the journal has lost entries.
-- KEYS[1]: prefix of all keys.
-- ARGV: what the process has seen: position (0 for nothing), time (ms), witness, rows admitted ('' for unknown),
--   number of the newest campaign; see `look_at_journal`
-- Returns the reply of `look_at_journal`.
--- include ../journal.lua
return look_at_journal(tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]))
