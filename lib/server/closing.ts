import 'server-only'

type Closable = { close(): Promise<void> }

/** Things opened one after the other, to be closed in the opposite order. */
export type Closing = {
  add<T extends Closable>(part: T): T
  /** Closes once, however often it is called, and each part though another fails. Throws the first failure. */
  close(): Promise<void>
}

export function createClosing(): Closing {
  const parts: Closable[] = []
  let closed: Promise<void> | null = null

  const closeAll = async () => {
    const failures: unknown[] = []
    for (const part of parts.toReversed()) {
      await part.close().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }
  return {
    add(part) {
      parts.push(part)
      return part
    },
    close() {
      closed ??= closeAll()
      return closed
    },
  }
}
