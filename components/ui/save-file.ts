const KEEP_MS = 60_000

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read the URL only after this function has returned.
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS)
}

type Throttled = { call: () => void; stop: () => void }

/** Calls at once, then at most every `everyMs`, including the last call. */
export function atMostEvery(everyMs: number, act: () => void): Throttled {
  let lastMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = undefined
    lastMs = performance.now()
    act()
  }
  return {
    call() {
      if (timer !== undefined) return
      const leftMs = lastMs + everyMs - performance.now()
      if (leftMs <= 0) run()
      else timer = setTimeout(run, leftMs)
    },
    stop: () => clearTimeout(timer),
  }
}
