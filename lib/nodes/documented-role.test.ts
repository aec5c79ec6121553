import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { expect, it, onTestFinished } from 'vitest'
import { parseDatabaseUrl } from '#lib/store/address.ts'
import { connect } from '#lib/store/connection.ts'
import { createDocuments } from '#lib/store/documents.ts'
import { publishEditions } from '#lib/store/edition-files.ts'
import { createSharedEventLog } from '#lib/store/events.ts'
import { takeLease } from '#lib/store/lease.ts'
import { claimService, listNodes, readPulse, reportNode, wishForSync } from '#lib/store/pulse.ts'
import { createSharedLedger } from '#lib/store/request-ledger.ts'
import { migrateStore } from '#lib/store/schema.ts'
import { makeRating } from '#testing/make-ratings.ts'
import { openNode } from '#testing/nodes/shared-archives.ts'
import { type PostgresServer, startPostgres } from '#testing/store/postgres.ts'

function readStatements(): { first: string[]; later: string[] } {
  const page = readFileSync('docs/nodes.md', 'utf8')
  const block = /```sql\n( +create role[\s\S]*?)```/.exec(page)?.[1] ?? ''
  const [first = '', later = ''] = block.split('-- After the first start, if you like:')
  const toList = (text: string) => text.split(';').flatMap((one) => one.trim() || [])
  return { first: toList(first), later: toList(later) }
}

async function typeIn(server: PostgresServer, statements: readonly string[]): Promise<void> {
  const root = postgres(`postgres://postgres@127.0.0.1:${server.port}/postgres`, { max: 1 })
  for (const statement of statements) await root.unsafe(statement)
  await root.end()
}

async function openAsDocumented(server: PostgresServer) {
  const url = `postgres://bellwether:a-long-one@127.0.0.1:${server.port}/bellwether`
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new Error(parsed.problem)
  const sql = connect({ address: parsed.address })
  onTestFinished(async () => await sql.end({ timeout: 1 }))
  return sql
}

const now = () => 1_790_000_000

it('the role of the documents may do all that a node does, and still after it may make nothing more', async () => {
  const server = await startPostgres()
  onTestFinished(server.close)
  const { first, later } = readStatements()
  expect([first.length, later.length]).toEqual([4, 1])
  await typeIn(server, first)
  const sql = await openAsDocumented(server)
  await migrateStore(sql)
  await typeIn(server, later)
  await migrateStore(sql)

  const leader = await openNode(sql)
  const follower = await openNode(sql)
  onTestFinished(async () => {
    await leader.remove()
    await follower.remove()
  })
  expect(await claimService(sql, 'https://a.example/')).toBe('https://a.example/')
  const lease = await takeLease(sql, 'leader')
  if (!lease) throw new Error('not taken')
  leader.lease = lease
  for (const id of [1, 2, 1]) {
    const rating = makeRating(id, { tally_agree: 7 * id })
    await leader.archive.import({ kind: 'pages', name: '1' }, async (run) => {
      await run.append([{ rating, extra: null }], [{ reason: 'no rating', raw: `{"id":${id}}` }])
      return { completeTo: now() + id }
    })
  }
  expect(await follower.replica.catchUp()).toBe(true)
  expect(await follower.replica.verify()).toEqual([])

  const nowMs = () => performance.now()
  const ledger = createSharedLedger({ sql, node: 'a', now, nowMs, lease: () => lease })
  await ledger.charge({ perMinute: 60, perMonth: null }, 'follow')
  const documents = createDocuments({ sql })
  await documents.save('discovery', '{}', { lease })
  await documents.update('access.accounts', () => '[]')
  const log = createSharedEventLog({ sql, node: 'a', now, random: Math.random })
  log.append({ level: 'info', kind: 'process', message: 'Started.', fields: {} })
  await log.close()
  await publishEditions(sql, lease, [], { known: { version: 0, mark: 'empty' } })
  await wishForSync(sql)
  const report = {
    name: 'a',
    version: '1',
    startedAt: now(),
    generation: 1,
    revision: 1,
    note: null,
  }
  await reportNode(sql, report)
  expect(await listNodes(sql)).toHaveLength(1)
  expect(await readPulse(sql)).toMatchObject({ holder: 'leader', wishes: 1, events: 1 })
})
