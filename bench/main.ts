import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { measureBootstrap, measureDumpImport } from './bootstrap.ts'
import { measureCrowd } from './crowd.ts'
import { type Figure, toMarkdown } from './measure.ts'
import { measureOpinion } from './opinion.ts'
import { measureQueries } from './queries.ts'
import { measureScreen } from './screen.ts'
import { measureDownload, measureExports, measureLive } from './transfers.ts'

const RESULTS = new URL('./results/', import.meta.url)

const PARTS = [
  'bootstrap',
  'queries',
  'opinion',
  'screen',
  'exports',
  'live',
  'crowd',
  'download',
] as const
type Part = (typeof PARTS)[number]

/** `npm run bench`: the figures that the project states, in one run on this machine; `-- queries` for one part. */
async function main(parts: readonly Part[]): Promise<void> {
  const figures: Figure[] = []
  const note = (more: Figure[]) => {
    figures.push(...more)
    for (const { what, got } of more) process.stdout.write(`${what}: ${got}\n`)
  }
  if (parts.includes('bootstrap')) {
    const small = await measureBootstrap(100_000, 5)
    note(small.figures)
    await small.app.stop()
  }
  if (parts.some((part) => part !== 'download')) {
    const large = await measureBootstrap(1_000_000, 30)
    note(large.figures)
    try {
      if (parts.includes('bootstrap'))
        note(await measureDumpImport(large.dump.path, large.dump.rows))
      if (parts.includes('queries')) note(await measureQueries(large.app.url))
      if (parts.includes('opinion')) note(await measureOpinion(large.app.url))
      if (parts.includes('exports')) note(await measureExports(large.app))
      if (parts.includes('live')) note(await measureLive(large.app))
      if (parts.includes('crowd')) note(await measureCrowd(large.app))
      if (parts.includes('screen')) note(await measureScreen(large.app.url))
    } finally {
      await large.app.stop()
    }
  }
  if (parts.includes('download')) note(await measureDownload())
  report(figures)
}

function report(figures: readonly Figure[]): void {
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const text = `${processor}, ${memory}, Node ${process.version}\n\n${toMarkdown(figures)}\n`
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(new URL('latest.md', RESULTS), text)
  process.stdout.write(`\n${text}`)
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !PARTS.some((part) => part === name))
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(', ')}: ${PARTS.join(', ')}`)
await main(asked.length === 0 ? PARTS : PARTS.filter((part) => asked.includes(part)))
