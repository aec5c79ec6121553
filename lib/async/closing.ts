type Closable = { close(): Promise<void> }

export type Closing = {
  add<T extends Closable>(part: T): T
  /** Closes every part once, in reverse order, even after failures. Throws the first failure. */
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
