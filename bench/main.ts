import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { measureBootstrap } from './bootstrap.ts'
import { measureDownload } from './download.ts'
import { measureQueries } from './queries.ts'
import { type Figure, toMarkdown } from './table.ts'

const RESULTS = new URL('./results/', import.meta.url)

/** `npm run bench`: every figure that the project states, measured in one run on this machine. */
async function main(): Promise<void> {
  const figures: Figure[] = []
  const note = (more: Figure[]) => {
    figures.push(...more)
    for (const { what, got } of more) process.stdout.write(`${what}: ${got}\n`)
  }
  const small = await measureBootstrap(100_000, 5)
  note(small.figures)
  await small.app.stop()
  const large = await measureBootstrap(1_000_000, 30)
  note(large.figures)
  try {
    note(await measureQueries(large.app.url))
  } finally {
    await large.app.stop()
  }
  note(await measureDownload())
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const text = `${machine}\n\n${toMarkdown(figures)}\n`
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(new URL('latest.md', RESULTS), text)
  process.stdout.write(`\n${text}`)
}

await main()
