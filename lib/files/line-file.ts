import { appendFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod/mini'

/** Lines on disk, the oldest given up: never more than two files of so many bytes. */
export type LineFile = {
  /** Returns at once and never throws; what cannot be written is told of and lost. */
  append(line: string): void
  /** Waits for what is on its way to the disk. */
  settle(): Promise<void>
}

export type LineFileOptions = {
  file: string
  maximumBytes: number
  /** Told once, until a line was written again. */
  onProblem: (error: unknown) => void
  /** What a new file begins with, so that it is not lost with the old one. */
  carry?: () => readonly string[]
}

/**
 * Opens `file` and the one before it, `file.1`, and gives the lines of both, oldest first. What cannot be read is left
 * out: a history is worth having in part.
 */
export async function openLineFile(
  options: LineFileOptions,
): Promise<{ lines: string[]; file: LineFile }> {
  const { file } = options
  await mkdir(dirname(file), { recursive: true }).catch(options.onProblem)
  const now = await loadText(file)
  const lines = await readLines(file)
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  return { lines, file: createLineFile(options, { size, isTorn: !/(^|\n)$/.test(now) }) }
}

/** The lines of a file and of the one before it, oldest first. */
export async function readLines(file: string): Promise<string[]> {
  const [before, now] = await Promise.all([loadText(`${file}.1`), loadText(file)])
  return `${before}\n${now}`.split('\n').filter((line) => line !== '')
}

/** A line of JSON by its schema; null where it is none, such as one that was cut short. */
export function parseLine<S extends z.ZodMiniType>(schema: S, line: string): z.output<S> | null {
  try {
    const parsed = schema.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

const loadText = (path: string) => readFile(path, 'utf8').catch(() => '')

/** `isTorn`: the last line was cut short by the end of a process. */
function createLineFile(options: LineFileOptions, opened: { size: number; isTorn: boolean }) {
  const { file, maximumBytes, onProblem, carry = () => [] } = options
  let { size, isTorn } = opened
  let isTold = false
  let queue: Promise<void> = Promise.resolve()

  const turnOver = async () => {
    const head = carry()
      .map((line) => `${line}\n`)
      .join('')
    await rename(file, `${file}.1`)
    await writeFile(file, head)
    size = Buffer.byteLength(head)
    isTorn = false
  }
  const write = async (line: string) => {
    try {
      const text = `${isTorn ? '\n' : ''}${line}\n`
      if (size > 0 && size + Buffer.byteLength(text) > maximumBytes) await turnOver()
      isTorn = true
      await appendFile(file, text)
      isTorn = false
      size += Buffer.byteLength(text)
      isTold = false
    } catch (error) {
      if (!isTold) onProblem(error)
      isTold = true
    }
  }
  return {
    append(line: string) {
      queue = queue.then(() => write(line)).catch(() => undefined)
    },
    settle: () => queue,
  }
}
