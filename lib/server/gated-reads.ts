import 'server-only'
import { close, open, read } from 'node:fs'

/** As `fs.read` is called by a stream. */
type Read = (...args: ReadArguments) => void

/**
 * The file system of `createReadStream`, of which at most so many reads are under way at a time, over all files. Reads
 * take threads of a pool of four, in which the database works too: hundreds of downloads must not keep it waiting.
 */
export function createGatedReads(limit: number, readFile: Read = read) {
  const waiting: (() => void)[] = []
  let active = 0
  const next = () => {
    if (active >= limit) return
    const start = waiting.shift()
    if (!start) return
    active += 1
    start()
  }
  const gated = (...[fd, buffer, offset, length, position, done]: ReadArguments) => {
    waiting.push(() =>
      readFile(fd, buffer, offset, length, position, (...result) => {
        active -= 1
        next()
        done(...result)
      }),
    )
    next()
  }
  return { open, close, read: gated }
}

type ReadArguments = [
  fd: number,
  buffer: Buffer,
  offset: number,
  length: number,
  position: number | null,
  done: (error: NodeJS.ErrnoException | null, bytesRead: number, buffer: Buffer) => void,
]
