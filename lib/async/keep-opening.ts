export type KeepOpeningDeps = {
  /** Waits before the next attempt; ends the attempts where it rejects. */
  rest: () => Promise<unknown>
  /** Told of a failure, once while the same one lasts. */
  onProblem: (error: unknown) => void
}

/** Something that may fail to open, and is then tried again until it does. */
export type Opening<T> = {
  /** Settles with the first attempt; later at once, as the last attempt ended. */
  current(): Promise<T>
  /** What is open now; null where nothing is. */
  opened(): T | null
  /**
   * What is open is of no more use: whoever asks is told `reason` from now on, until it is closed by `close` and opened
   * again. Once at a time; nothing where it is not open, or was given up.
   */
  reopen(reason: unknown, close: (open: T) => Promise<void>): void
  /** Ends the attempts. */
  giveUp(): void
}

/**
 * Opens, and where that fails goes on trying: a disk that was full is emptied, a process that held the folder ends,
 * and nobody should have to start this one again for it.
 */
export function keepOpening<T>(open: () => Promise<T>, deps: KeepOpeningDeps): Opening<T> {
  let latest = open()
  let opened: T | null = null
  let isOver = false
  let isBusy = false
  let told: string | null = null

  const tell = (error: unknown) => {
    const text = error instanceof Error ? `${error} ${error.cause}` : String(error)
    if (text !== told) deps.onProblem(error)
    told = text
  }
  const isDone = async (attempt: Promise<T>): Promise<boolean> => {
    try {
      opened = await attempt
      latest = attempt
      return true
    } catch (error) {
      latest = attempt
      tell(error)
      return isOver
    }
  }
  const goOn = async (first: Promise<T>) => {
    let attempt = first
    while (!(await isDone(attempt))) {
      await deps.rest()
      if (isOver) return
      attempt = open()
    }
  }
  const run = (work: Promise<void>) => {
    isBusy = true
    work
      .catch(() => {
        isOver = true
      })
      .finally(() => {
        isBusy = false
      })
  }
  const closeAndOpen = async (broken: Promise<T>, close: (open: T) => Promise<void>) => {
    // What cannot be closed properly is left: opening says whether it is still in the way.
    await close(await broken).catch(() => {})
    if (!isOver) await goOn(open())
  }
  run(goOn(latest))
  return {
    current: () => latest,
    opened: () => opened,
    reopen(reason, close) {
      if (isBusy || isOver) return
      const broken = latest
      opened = null
      latest = Promise.reject(reason)
      latest.catch(() => {})
      tell(reason)
      run(closeAndOpen(broken, close))
    },
    giveUp() {
      isOver = true
    },
  }
}
