import { shiftClock } from './clock.mjs'

// Preloaded with `node --import`.
shiftClock(Number(process.env.CLOCK_AHEAD_SECONDS ?? 0) * 1000)
