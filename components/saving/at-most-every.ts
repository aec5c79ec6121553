/** Acts at once, then again no sooner than `everyMs` after the last time. */
export function atMostEvery(everyMs: number, act: () => void): () => void {
  let lastMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = performance.now()
    if (nowMs - lastMs < everyMs) return
    lastMs = nowMs
    act()
  }
}
