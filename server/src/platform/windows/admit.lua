-- One decision of a rate window. The list holds the admission times in microseconds, newest first. What left the
-- window is popped from its end, once each, so a call costs the same however high the limit is.
-- Redis knows a script by its hash: deploy/redis/start.sh loads this very file.
local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local newest = redis.call('LINDEX', key, 0)
if newest and tonumber(newest) > now then redis.call('DEL', key) end
local oldest = redis.call('LINDEX', key, -1)
while oldest and now - tonumber(oldest) > window do
  redis.call('RPOP', key)
  oldest = redis.call('LINDEX', key, -1)
end
local live = redis.call('LLEN', key)
local admitted = 0
if live < limit then
  admitted = 1
  live = redis.call('LPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, math.ceil(window / 1000) + 1)
end
local reset = tonumber(oldest or now) + window
return {admitted, string.format('%.0f', now), math.max(0, limit - live), string.format('%.0f', reset)}
