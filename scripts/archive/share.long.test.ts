import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openAccess } from '#lib/access/access.ts'
import type { AccessRecords } from '#lib/access/records.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { openLeaderRecords } from '#lib/nodes/leader-records.ts'
import { createReplica } from '#lib/nodes/replica.ts'
import { openSharedAccess } from '#lib/server/access/shared-access.ts'
import { parseDatabaseUrl } from '#lib/store/address.ts'
import { connect, type Database } from '#lib/store/connection.ts'
import { createDocuments } from '#lib/store/documents.ts'
import { takeLease } from '#lib/store/lease.ts'
import { claimService, reportNode } from '#lib/store/pulse.ts'
import { createSharedLedger } from '#lib/store/request-ledger.ts'
import { migrateStore } from '#lib/store/schema.ts'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import { openRunLog } from '#lib/sync/running/run-log.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import { importRows } from '#testing/archive/arbitrary.ts'
import { openTestNode, readFolder } from '#testing/nodes/edition-nodes.ts'
import { readContents } from '#testing/nodes/shared-archives.ts'
import { makeDatabase } from '#testing/store/test-store.ts'
import {
  createScriptedService,
  DAY,
  makeFolder,
  range,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import { runArchive } from '../archive.ts'

const SERVICE = 'https://ratings.example/v1'
const PASSWORD = 'green stapler under water'
const NO_LIMITS = { perMinute: null, perMonth: null }
const REQUESTS = 7
const ROWS = { inserted: 5, updated: 0, vanished: 0, quarantined: 0 }

let url: string
let sql: Database

beforeEach(async () => {
  url = await makeDatabase()
  sql = connect({ address: toAddress(), connections: 2 })
  return async () => await sql.end({ timeout: 1 })
})

function toAddress() {
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.address
}

const openPeople = async (dir: string, records?: AccessRecords) =>
  await openAccess({
    mode: 'password',
    dir,
    now: () => Date.now() / 1000,
    sleep: async () => undefined,
    limits: { idle: 1000, absolute: 100_000 },
    isOperator: () => false,
    onProblem: (error) => {
      throw error
    },
    ...(records && { records }),
  })

async function fillArchive(path: string) {
  const rows = range(1, 102).map((id) => ({ rating: toRating(id), extra: { note: `no. ${id}` } }))
  const archive = await openArchive({ path, now: () => WEDNESDAY })
  await importRows(archive, rows)
  const left = rows.filter(({ rating }) => rating.id !== 30)
  await importRows(archive, left, WEDNESDAY - DAY, { at: WEDNESDAY - DAY })
  await archive.import({ kind: 'pages', name: '1' }, async (run) => {
    await run.append([], [{ reason: 'no id', raw: '{"a":1}' }])
    return { completeTo: WEDNESDAY }
  })
  await archive.close()
}

async function fillFolder(service = SERVICE) {
  const dir = await makeFolder()
  await mkdir(join(dir, 'access'))
  await fillArchive(join(dir, 'archive.duckdb'))
  const upstream = createScriptedService({ ratings: range(1, 100).map((id) => toRating(id)) })
  const editions = await openEditions({
    dir: join(dir, 'editions'),
    upstream,
    now: () => WEDNESDAY,
  })
  const { edition, sha256 } = await editions.ensure('posts')
  await editions.markImported({ edition, sha256, generation: 3 })
  await editions.close()
  const now = () => Math.floor(Date.now() / 1000)
  const ledger = await openLedger({ file: join(dir, 'requests.log'), now })
  for (const n of range(1, REQUESTS)) await ledger.charge(NO_LIMITS, n < 3 ? 'people' : 'follow')
  await ledger.close()
  const runs = await openRunLog({ file: join(dir, 'runs.ndjson'), now: () => WEDNESDAY })
  runs.begin('follow').end({ outcome: 'done', requests: 2, rows: ROWS, reason: null })
  await runs.close()
  writeFileSync(join(dir, 'service.txt'), `${service}\n`)
  const access = await openPeople(join(dir, 'access'))
  await access.accounts.add('ada', 'operator', PASSWORD)
  const token = await access.tokens.create({
    name: 'ada',
    label: 'a script',
    scopes: ['read'],
    days: 9,
  })
  await access.refresh()
  const signedIn = await access.signIn({ name: 'ada', password: PASSWORD, from: '', agent: '' })
  await access.close()
  if (!signedIn.ok) throw new Error(signedIn.why)
  return { dir, token, session: signedIn.secret }
}

const share = async (dataDir: string) => await run(dataDir, 'share')

async function run(dataDir: string, ...args: string[]) {
  const said = { out: '', problems: '' }
  const status = await runArchive(args, {
    dataDir,
    databaseUrl: url,
    backupFolder: join(dataDir, 'backups'),
    print: (line) => {
      said.out += `${line}\n`
    },
    printError: (text) => {
      said.problems += text
    },
  })
  return { status, ...said }
}

async function follow(dir: string) {
  const path = join(dir, 'archive.duckdb')
  const archive = await openArchive({ path, now: () => WEDNESDAY, share: never })
  const replica = createReplica({ sql, archive, folder: join(dir, 'arriving') })
  const isBehind = await replica.catchUp()
  const differences = await replica.verify()
  await archive.close()
  return { isBehind, differences, contents: await readContents(path) }
}

const never = async () => {
  throw new Error('this node does not sync')
}

describe('a folder of one process that is shared', () => {
  it('is what a new node then holds, field by field, with its dumps', async () => {
    const { dir } = await fillFolder()
    const before = await readContents(join(dir, 'archive.duckdb'))
    const shared = await share(dir)
    expect(shared).toMatchObject({ status: 0, problems: '' })
    expect(shared.out).toContain(
      '102 ratings (1 no longer listed), 1 rows in quarantine, generation',
    )
    expect(shared.out).toContain('Dumps: 1')
    const fresh = await follow(await makeFolder())
    expect(fresh).toMatchObject({ isBehind: true, differences: [] })
    expect(fresh.contents).toEqual(before)
    const own = await follow(dir)
    expect(own).toMatchObject({ isBehind: false, differences: [], contents: before })
    expect(await run(dir, 'backup', join(dir, 'kept'))).toMatchObject({ status: 0, problems: '' })
    expect(await run(dir, 'verify', join(dir, 'kept'))).toMatchObject({ status: 0, problems: '' })
    const node = await openTestNode(sql)
    await node.copies.follow(new AbortController().signal)
    const { 'imported.json': _mark, ...files } = await readFolder(join(dir, 'editions'))
    expect(await readFolder(node.dir)).toEqual(files)
  })

  it('takes along what was spent, who may come in, and what the sync has found out', async () => {
    const { dir, token, session } = await fillFolder()
    const shared = await share(dir)
    expect(shared.out).toContain(`${REQUESTS} requests of this month`)
    expect(shared.out).toContain('Accounts: 1, sessions: 1, tokens: 1')
    const now = () => Math.floor(Date.now() / 1000)
    const nowMs = () => performance.now()
    const ledger = createSharedLedger({ sql, node: 'a', now, nowMs })
    await ledger.refresh()
    const limits = { perMinute: REQUESTS, perMonth: 1000 }
    expect(ledger.budget(limits)).toMatchObject({
      month: { used: REQUESTS },
      minute: { used: REQUESTS },
      spent: { people: 2, follow: REQUESTS - 2 },
    })
    await expect(ledger.charge(limits, 'dump')).rejects.toMatchObject({ fault: 'budget_spent' })
    const people = await openSharedAccess(toAddress(), 'a')
    const access = await openPeople(await makeFolder(), people.records)
    expect(access.identify({ session })?.name).toBe('ada')
    expect(access.identify({ token })?.permissions).toEqual(['read'])
    await access.close()
    await people.close()
    const lease = await takeLease(sql, 'a')
    if (!lease) throw new Error('the lease was not given back')
    const records = await openLeaderRecords({ documents: createDocuments({ sql }), lease, now })
    expect(records.imported.imported()).not.toBeNull()
    expect(records.runLog.list()).toMatchObject([{ move: 'follow', rows: ROWS }])
  })

  it('may be shared again where that was broken off before the ratings, and counts nothing twice', async () => {
    const { dir } = await fillFolder()
    await migrateStore(sql)
    await sql.unsafe(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse before insert on bellwether.history execute function refuse()`,
    )
    expect((await share(dir)).status).toBe(1)
    await sql`drop trigger refuse on bellwether.history`
    const again = await share(dir)
    expect(again).toMatchObject({ status: 0, problems: '' })
    expect(again.out).toContain('Accounts: the shared database keeps its own')
    const [spent] = await sql`select sum(requests) as requests from bellwether.request_month`
    expect(Number(spent?.requests)).toBe(REQUESTS)
  })
})

describe('nothing is shared', () => {
  const refused = async (dir: string, why: string) => {
    const { status, problems } = await share(dir)
    expect([status, problems]).toEqual([1, `${why}\n`])
  }

  it('into a database that holds ratings, has asked, has a node at work, or is of another service', async () => {
    const { dir } = await fillFolder()
    await migrateStore(sql)
    const node = {
      name: 'node a',
      version: '1',
      startedAt: 0,
      generation: 0,
      revision: 0,
      note: null,
    }
    await reportNode(sql, node)
    await refused(dir, 'The node node a is using the shared database. Stop all nodes first.')
    await sql`delete from bellwether.node`
    const lease = await takeLease(sql, 'node a')
    expect((await share(dir)).problems).toMatch(/^Somebody works on the shared database/)
    await sql`update bellwether.lease set until = '-infinity'`
    expect(lease).not.toBeNull()
    await sql`insert into bellwether.request (purpose, node) values ('follow', 'node a')`
    await refused(dir, 'Nodes have already used the shared database. Share into an empty one.')
    await sql`delete from bellwether.request`
    expect((await share(dir)).status).toBe(0)
    await refused(dir, 'The shared database already holds ratings. Share into an empty one.')
  })

  it('of another service, of an embedded one, or of nobody', async () => {
    await migrateStore(sql)
    await claimService(sql, 'https://other.example/')
    const { dir } = await fillFolder()
    await refused(
      dir,
      `The shared database holds the ratings of https://other.example/, not of ${SERVICE}.`,
    )
    writeFileSync(join(dir, 'service.txt'), 'the embedded service\n')
    await refused(
      dir,
      'These are the ratings of an embedded service, which belongs to one process.',
    )
    const bare = await makeFolder()
    writeFileSync(join(bare, 'service.txt'), `${SERVICE}\n`)
    await refused(bare, 'There is no archive to share.')
    url = ''
    await refused(dir, 'Say in DATABASE_URL which database is to be shared.')
  })
})
