-- Rule (outbox): writes an event about a scrape run.
-- KEYS[1]: prefix of all keys.
-- ARGV: event, key of what happened, run, now (ms; '' for the clock of Redis), JSON of its counts, JSON of its error codes, JSON of the reason ('' for none)
--- include outbox.lua
announce_run(ARGV[1], ARGV[2], ARGV[3], time_of(ARGV[4]), ARGV[5], ARGV[6], ARGV[7])
return 'ok'
