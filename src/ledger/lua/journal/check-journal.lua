-- Rule (lost journal): if the last entry that a process has seen is missing, the journal has lost entries.
-- ARGV, reply: see `look_at_journal`.
--- include ../journal.lua
return look_at_journal(1)
