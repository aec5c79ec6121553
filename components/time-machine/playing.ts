/** By how many days a step of playing goes. */
export type Stride = 1 | 7

/** What plays, null where nothing does, and what was chosen last. There is one for the whole page. */
let current: { stride: Stride | null; last: Stride } = { stride: null, last: 1 }
const listeners = new Set<() => void>()

export const playing = {
  read: (): Stride | null => current.stride,
  last: (): Stride => current.last,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  /** Begins, or goes on in other steps. */
  start: (stride: Stride) => change({ stride, last: stride }),
  stop: () => change({ ...current, stride: null }),
  /** Chooses the steps of what plays, now or later. */
  choose: (last: Stride) => change({ stride: current.stride === null ? null : last, last }),
}

function change(to: typeof current) {
  if (to.stride === current.stride && to.last === current.last) return
  current = to
  for (const listener of listeners) listener()
}
