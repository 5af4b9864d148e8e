-- Rule (lost journal): if the last entry that a process has seen is missing, the journal has lost entries.
-- ARGV, reply: see `compare_journal`.
--- include ../journal.lua
return compare_journal(1)
