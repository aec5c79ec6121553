/** What the browser itself saw: the moments of clicks, shifts of the layout, durations of interactions. */
export type PageClock = {
  /** Milliseconds from the last click or key to the frame in which `text` of the region was painted anew. */
  begin(selector: string): void
  painted(): Promise<number>
  interactions(): number[]
  shifts(): { value: number; unexpected: number }
}

/**
 * Runs in the page before anything else. An answer counts as painted in the first frame after the one in which the
 * region's text had changed and nothing in it was busy.
 */
export function installPageClock(): void {
  let began = 0
  let before = ''
  let region = ''
  const longest = new Map<number, number>()
  const shifts = { value: 0, unexpected: 0 }
  for (const type of ['pointerdown', 'click', 'keydown', 'input']) {
    const note = (event: Event) => {
      began = event.timeStamp
    }
    window.addEventListener(type, note, { capture: true })
  }
  type Timing = PerformanceEntry & { interactionId?: number }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Timing[]) {
      const id = entry.interactionId ?? 0
      if (id > 0) longest.set(id, Math.max(longest.get(id) ?? 0, entry.duration))
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      shifts.value += entry.value
      if (!entry.hadRecentInput) shifts.unexpected += entry.value
    }
  }).observe({ type: 'layout-shift', buffered: true })

  const read = () => document.querySelector(region)?.textContent ?? ''
  const isBusy = () => document.querySelector(region)?.closest('[aria-busy="true"]') !== null
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const clock: PageClock = {
    begin(selector) {
      region = selector
      before = read()
      began = 0
    },
    async painted() {
      const limit = performance.now() + 10_000
      while (began === 0 || read() === before || isBusy()) {
        if (performance.now() > limit) throw new Error(`nothing changed in ${region}`)
        await frame()
      }
      await frame()
      return performance.now() - began
    },
    interactions: () => [...longest.values()],
    shifts: () => shifts,
  }
  Object.assign(window, { pageClock: clock })
}
