export function createTimers() {
  const waiting = new Set<{ run: () => void; delayMs: number }>()
  return {
    setTimer: (run: () => void, delayMs: number) => {
      const timer = { run, delayMs }
      waiting.add(timer)
      return () => void waiting.delete(timer)
    },
    pass: (ms: number) => {
      for (const timer of [...waiting].filter(({ delayMs }) => delayMs <= ms)) {
        waiting.delete(timer)
        timer.run()
      }
    },
    count: () => waiting.size,
  }
}
