type KeepOpeningDeps = {
  rest: () => Promise<unknown>
  /** Called once per distinct failure in a row. */
  onProblem: (error: unknown) => void
}

export type Opening<T> = {
  /** Settles with the first attempt; later, with the latest. */
  current(): Promise<T>
  opened(): T | null
  /** Why the latest attempt failed. Null once one succeeds. */
  problem(): unknown
  /**
   * Until reopened, `current` rejects with `reason`. No-op during an attempt or after `giveUp`.
   */
  reopen(reason: unknown, close: (open: T) => Promise<void>): void
  giveUp(): void
}

export function keepOpening<T>(open: () => Promise<T>, deps: KeepOpeningDeps): Opening<T> {
  let latest = open()
  let opened: T | null = null
  let isOver = false
  let isBusy = false
  let told: string | null = null
  let problem: unknown = null

  const tell = (error: unknown) => {
    const text = error instanceof Error ? `${error} ${error.cause}` : String(error)
    if (text !== told) deps.onProblem(error)
    told = text
  }
  const isDone = async (attempt: Promise<T>): Promise<boolean> => {
    try {
      opened = await attempt
      latest = attempt
      problem = null
      return true
    } catch (error) {
      latest = attempt
      problem = error
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
    // Ignored: if the resource still blocks opening, that attempt fails.
    await close(await broken).catch(() => {})
    if (!isOver) await goOn(open())
  }
  run(goOn(latest))
  return {
    current: () => latest,
    opened: () => opened,
    problem: () => problem,
    reopen(reason, close) {
      if (isBusy || isOver) return
      const broken = latest
      opened = null
      latest = Promise.reject(reason)
      latest.catch(() => {})
      problem = reason
      tell(reason)
      run(closeAndOpen(broken, close))
    },
    giveUp() {
      isOver = true
    },
  }
}
