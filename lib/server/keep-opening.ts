import 'server-only'

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
  /** Ends the attempts. */
  giveUp(): void
}

/**
 * Opens, and where that fails goes on trying: a disk that was full is emptied, a process that held the folder ends,
 * and nobody should have to start this one again for it.
 */
export function keepOpening<T>(open: () => Promise<T>, deps: KeepOpeningDeps): Opening<T> {
  let latest = open()
  let isOver = false
  let told: string | null = null

  const tell = (error: unknown) => {
    const text = error instanceof Error ? `${error} ${error.cause}` : String(error)
    if (text !== told) deps.onProblem(error)
    told = text
  }
  const isDone = async (attempt: Promise<T>): Promise<boolean> => {
    try {
      await attempt
      latest = attempt
      return true
    } catch (error) {
      latest = attempt
      tell(error)
      return isOver
    }
  }
  const goOn = async () => {
    let attempt = latest
    while (!(await isDone(attempt))) {
      await deps.rest()
      if (isOver) return
      attempt = open()
    }
  }
  goOn().catch(() => {
    isOver = true
  })
  return {
    current: () => latest,
    giveUp() {
      isOver = true
    },
  }
}
