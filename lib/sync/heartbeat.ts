import { SLICE_SECONDS } from './rest.ts'
import type { Heartbeat } from './sync.ts'

/** While all is well the loop turns, rests a slice, or a step gets on: so many slices without any say that it stands. */
const MISSED = 3
/** A look that comes this late says that the machine slept or its clock was set, not that the loop stands. */
const LOOK_SECONDS = 300

/** Whether the loop still turns, by its signs of life. */
export type Pulse = {
  beat(): void
  restarted(): void
  /** Looks, as it should every minute: true where the loop has stood still for too long. */
  look(): boolean
  read(): Heartbeat
}

/** `now` in seconds since 1970. `step`: what the step that runs says of itself; where that changes it gets on. */
export function createPulse({ now, step }: { now: () => number; step: () => unknown }): Pulse {
  let at = now()
  let lookedAt = now()
  let restarts = 0
  let seen = ''

  const isStalled = () => Math.abs(now() - at) > MISSED * SLICE_SECONDS
  const beat = () => {
    at = now()
  }
  return {
    beat,
    restarted() {
      restarts += 1
    },
    look() {
      const before = seen
      seen = JSON.stringify(step())
      if (Math.abs(now() - lookedAt) > LOOK_SECONDS || seen !== before) beat()
      lookedAt = now()
      return isStalled()
    },
    read: () => ({ at, stalled: isStalled(), restarts }),
  }
}
