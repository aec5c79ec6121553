import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { measureAlerts } from './alerts.ts'
import { measureAssistants } from './assistants.ts'
import { measureBootstrap, measureDumpImport } from './bootstrap.ts'
import { measureChanges } from './changes.ts'
import { measureCrowd } from './crowd.ts'
import { type Figure, toMarkdown } from './measure.ts'
import { measureNodes } from './nodes.ts'
import { measureOpinion } from './opinion.ts'
import { measureQueries } from './queries.ts'
import { measureRecords } from './records.ts'
import { measureScreen } from './screen.ts'
import { measureTenMillion } from './ten-million.ts'
import { measureDownload, measureExports, measureLive } from './transfers.ts'

const RESULTS = new URL('./results/', import.meta.url)

const PARTS = [
  'bootstrap',
  'queries',
  'opinion',
  'changes',
  'assistants',
  'screen',
  'exports',
  'live',
  'crowd',
  'records',
  'alerts',
  'download',
  'nodes',
  'ten-million',
] as const
type Part = (typeof PARTS)[number]

const APART = new Set<Part>([
  ...(['records', 'alerts', 'download', 'nodes', 'ten-million'] as const),
])

const UNUSUAL = new Set<Part>(['nodes', 'ten-million'])

type NodesAsked = { ratings: number; seconds: number }

async function main(parts: readonly Part[], nodes: NodesAsked): Promise<void> {
  const figures: Figure[] = []
  const note = (more: Figure[]) => {
    figures.push(...more)
    for (const { what, got } of more) process.stdout.write(`${what}: ${got}\n`)
  }
  if (parts.includes('bootstrap')) {
    const small = await measureBootstrap(100_000, { aimSeconds: 5 })
    note(small.figures)
    await small.app.stop()
  }
  if (parts.some((part) => !APART.has(part))) {
    const large = await measureBootstrap(1_000_000, { aimSeconds: 30 })
    note(large.figures)
    try {
      if (parts.includes('bootstrap')) note(await measureDumpImport(large.dump))
      if (parts.includes('queries')) note(await measureQueries(large.app.url))
      if (parts.includes('opinion')) note(await measureOpinion(large.app.url))
      if (parts.includes('changes')) note(await measureChanges(large.app.url))
      if (parts.includes('assistants')) note(await measureAssistants(large.app.url))
      if (parts.includes('exports')) note(await measureExports(large.app))
      if (parts.includes('live')) note(await measureLive(large.app))
      if (parts.includes('crowd')) note(await measureCrowd(large.app))
      if (parts.includes('screen')) note(await measureScreen(large.app.url))
    } finally {
      await large.app.stop()
    }
  }
  if (parts.includes('records')) note(await measureRecords())
  if (parts.includes('alerts')) note(await measureAlerts())
  if (parts.includes('download')) note(await measureDownload())
  if (parts.includes('nodes')) await measureNodes({ ...nodes, note })
  if (parts.includes('ten-million')) note(await measureTenMillion())
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

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: {
    ratings: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '300' },
  },
})
const unknown = asked.filter((name) => !PARTS.some((part) => part === name))
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(', ')}: ${PARTS.join(', ')}`)
const [ratings, seconds] = [Number(values.ratings), Number(values.seconds)]
if (!(ratings >= 1000 && seconds >= 1))
  throw new Error('--ratings is a number from 1000 on, --seconds one from 1 on')
const usual = PARTS.filter((part) => !UNUSUAL.has(part))
const parts = asked.length === 0 ? usual : PARTS.filter((part) => asked.includes(part))
await main(parts, { ratings, seconds })
