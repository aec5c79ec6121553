import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** In MB. Linux only; NaN elsewhere. */
export function residentMb(pid: number): { now: number; peak: number } {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024
    return { now: read('VmRSS'), peak: read('VmHWM') }
  } catch {
    return { now: Number.NaN, peak: Number.NaN }
  }
}

export async function waitFor(done: () => Promise<boolean>, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs
  while (performance.now() < end) {
    if (await done()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`not done within ${limitMs} ms`)
}

/** Throws unless the status is 200. */
export async function get(url: string): Promise<Uint8Array> {
  const response = await fetch(url)
  const body = new Uint8Array(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${response.status} from ${new URL(url).pathname}`)
  return body
}

/** In ms. `toPath` must vary the path to miss the cache. */
export async function sampleMs(
  url: string,
  toPath: (round: number) => string,
  rounds: number,
): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    times.push(await timeMs(() => get(url + toPath(round))))
  }
  return times
}

/** Scripts named in the HTML, gzipped. */
export async function firstLoadKib(base: string, path: string): Promise<number> {
  const html = new TextDecoder().decode(await get(base + path))
  const scripts = [...html.matchAll(/<script[^>]*? src="([^"]+)"([^>]*)/g)]
    .filter(([tag]) => !tag.includes('noModule') && !tag.includes('nomodule'))
    .map(([, source]) => source ?? '')
  const sizes = await Promise.all(
    [...new Set(scripts)].map(async (source) => gzipSync(await get(base + source)).byteLength),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

export type Figure = { what: string; got: string; aim: string; met: boolean | null; floor: string }

export function toMarkdown(figures: readonly Figure[]): string {
  const head = ['Figure', 'Measured', 'Aim', 'Met', 'Floor in the same run']
  const rows = figures.map(({ what, got, aim, met, floor }) => [
    what,
    got,
    aim,
    met === null ? '–' : met ? 'yes' : 'no',
    floor,
  ])
  const widths = head.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return [line(head), rule, ...rows.map(line)].join('\n')
}
