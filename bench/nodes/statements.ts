import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Questions } from '../crowd.ts'
import type { Figure } from '../measure.ts'
import type { Setting } from './setting.ts'

const WINDOW_MS = 10_000
const PLAIN = [
  ...['/', '/symbols', '/users', '/downloads', '/status', '/about', '/docs', '/api/status'],
  ...['/api/dumps', '/api/movers', '/api/symbols', '/api/users', '/api/metrics', '/api/health'],
  ...['/api/ratings', '/api/ratings.csv?symbol=AAPL', '/api/quarantine', '/api/editions'],
]
const NOISE = 0.05

/** Subtracts idle statements before and after. */
export async function measureStatements(setting: Setting, asked: Questions): Promise<Figure> {
  const sql = postgres(setting.databaseUrl, { max: 1, connection: { application_name: 'bench' } })
  const write = async (what: 'all' | 'none') => {
    await sql.unsafe(`alter system set log_statement = '${what}'`)
    await sql`select pg_reload_conf()`
    await sleep(500)
  }
  try {
    await write('all')
    const before = await countWhile(setting, () => sleep(WINDOW_MS))
    let views = 0
    const during = await countWhile(setting, async () => {
      views = await viewFor(setting, asked)
    })
    const after = await countWhile(setting, () => sleep(WINDOW_MS))
    await write('none')
    const quiet = (before.count + after.count) / 2
    const perView = (during.count - quiet) / views
    const known = new Set([...before.kinds, ...after.kinds])
    const unknown = [...during.kinds].filter((kind) => !known.has(kind))
    const said = unknown.length === 0 ? 'none of a kind of its own' : `new: ${unknown.join(' / ')}`
    return {
      what: `statements on PostgreSQL for a view, of ${views} pages and answers of ${PLAIN.length} kinds and the mix`,
      got: `${Math.max(0, perView).toFixed(2)}; ${said}`,
      aim: '0',
      met: Math.abs(perView) <= NOISE && unknown.length === 0,
      floor: `${during.count} in ${WINDOW_MS / 1000} s of views, ${quiet.toFixed(0)} in as long without`,
    }
  } finally {
    await sql.end()
  }
}

async function viewFor({ nodes }: Setting, asked: Questions): Promise<number> {
  const end = performance.now() + WINDOW_MS
  let views = 0
  while (performance.now() < end) {
    const node = nodes[views % nodes.length] ?? nodes[0]
    const path = views % 2 === 0 ? asked.any() : (PLAIN[(views >> 1) % PLAIN.length] ?? '/')
    await (await fetch(node.url + path)).arrayBuffer()
    views += 1
  }
  return views
}

const STATEMENT = /^bellwether [^|]*\|LOG: {2}(?:statement|execute [^:]*): (.*)$/gm

async function countWhile({ statementLog }: Setting, work: () => Promise<unknown>) {
  const begun = readFileSync(statementLog, 'utf8').length
  await work()
  // Lets the log collector flush.
  await sleep(300)
  const text = readFileSync(statementLog, 'utf8').slice(begun)
  const found = Array.from(text.matchAll(STATEMENT), ([, statement = '']) => statement.trim())
  return { count: found.length, kinds: new Set(found.map((one) => one.slice(0, 80))) }
}
