export type KeepOpeningDeps = {
  /** Waits before the next attempt. A rejection ends the attempts. */
  rest: () => Promise<unknown>
  /** Called once per distinct failure in a row. */
  onProblem: (error: unknown) => void
}

/** A resource whose opening is retried until it succeeds. */
export type Opening<T> = {
  /** Settles with the first attempt; after that, with the outcome of the latest. */
  current(): Promise<T>
  /** The open resource; null while it is not open. */
  opened(): T | null
  /**
   * Closes the resource with `close` and opens it again. Until then `current` rejects with `reason`. Does nothing while an
   * attempt is in progress or after `giveUp`.
   */
  reopen(reason: unknown, close: (open: T) => Promise<void>): void
  /** Stops retrying. */
  giveUp(): void
}

/** Opens a resource and retries on failure, so that a full disk or a locked folder needs no restart once it is fixed. */
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
    // A failed close is ignored: if the resource still blocks opening, that attempt fails.
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
