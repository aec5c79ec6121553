import { appendFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod/mini'

type LineFile = {
  /** Never throws; failed writes are lost. */
  append(line: string): void
  settle(): Promise<void>
}

type LineFileOptions = {
  file: string
  maximumBytes: number
  onProblem: (error: unknown) => void
  /** First lines of a new file, kept across rotation. */
  carry?: () => readonly string[]
}

/** Also reads `file.1`. Skips what is unreadable. */
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

export async function readLines(file: string): Promise<string[]> {
  const [before, now] = await Promise.all([loadText(`${file}.1`), loadText(file)])
  return `${before}\n${now}`.split('\n').filter((line) => line !== '')
}

/** Null if invalid. */
export function parseLine<S extends z.ZodMiniType>(schema: S, line: string): z.output<S> | null {
  try {
    const parsed = schema.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

const loadText = (path: string) => readFile(path, 'utf8').catch(() => '')

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
