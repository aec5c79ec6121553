import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { TestStore } from '#testing/store/open-store.ts'
import { type PostgresServer, SERVER_USER, startPostgres } from '#testing/store/postgres.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import { makeCertificate } from '#testing/upstream/certificates.ts'
import { parseDatabaseUrl, toPlainAddress } from './address.ts'
import { connect, inTime, toStoreError } from './connection.ts'
import { transact } from './transaction.ts'

const parse = (url: string) => parseDatabaseUrl(url, () => 'PEM')

describe('the address of the shared database', () => {
  it('names several hosts, each with its port', () => {
    const parsed = parse('postgres://us%40er:p%3Aw:x@a,b:6000,[::1]:7000/rat%20ings')
    if (!parsed.ok) throw new Error(parsed.problem)
    expect(parsed.address).toMatchObject({
      hosts: [
        { host: 'a', port: 5432 },
        { host: 'b', port: 6000 },
        { host: '::1', port: 7000 },
      ],
      user: 'us@er',
      password: 'p:w:x',
      name: 'rat ings',
    })
    expect(toPlainAddress(parsed.address)).toBe('a:5432, b:6000, ::1:7000, database rat ings')
  })

  it.each([
    ['postgres://u@db.example.com/x', 'verify-full'],
    ['postgres://u@127.0.0.1/x', 'disable'],
    ['postgres://u@127.0.0.1,db.example.com/x', 'verify-full'],
    ['postgres://u@db.example.com/x?sslmode=disable', 'disable'],
    ['postgres://u@db.example.com/x?sslmode=require', 'require'],
  ])('%s is asked with sslmode %s', (url, tls) => {
    expect(parse(url)).toMatchObject({ ok: true, address: { tls } })
  })

  it.each([
    'mysql://u:secret@h/x',
    'postgres://:secret@h/x',
    'postgres://u:secret@h',
    'postgres://u:secret@h:99999/x',
    'postgres://u:secret%@h/x',
    'postgres://u:secret@h/x?sslmode=prefer',
    'postgres://u:secret@h/x?secret=1',
    'u:secret@h/x',
    '',
  ])('is refused without being repeated: %s', (url) => {
    const parsed = parse(url)
    expect(parsed.ok).toBe(false)
    expect(JSON.stringify(parsed)).not.toContain('secret')
  })

  it('is refused where the authority cannot be read', () => {
    const parsed = parseDatabaseUrl('postgres://u@h/x?sslrootcert=/nowhere/ca.pem')
    expect(parsed).toMatchObject({ ok: false, problem: 'names an sslrootcert that cannot be read' })
  })
})

describe('what the driver throws', () => {
  it('is told in a sentence that holds nothing of it', () => {
    const cause = Object.assign(new Error('password authentication failed for "hunter2"'), {
      code: '28P01',
    })
    expect(toStoreError(cause).message).toBe('The shared database does not accept the password.')
    expect(toStoreError(new Error('hunter2')).message).toBe(
      'The shared database cannot be reached.',
    )
  })
})

const authority = makeCertificate({ name: 'an authority', isAuthority: true })
const another = makeCertificate({ name: 'another authority', isAuthority: true })
const CANARY = 'canary-4f1d'

let dir: string
let server: PostgresServer

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bellwether-tls-'))
  chmodSync(dir, 0o755)
  const own = makeCertificate({ name: 'localhost', issuer: authority })
  const [certificate, key] = [join(dir, 'server.crt'), join(dir, 'server.key')]
  writeFileSync(certificate, own.cert)
  writeFileSync(key, own.key, { mode: 0o600 })
  if (SERVER_USER !== null) chownSync(key, SERVER_USER, SERVER_USER)
  writeFileSync(join(dir, 'authority.pem'), authority.cert)
  writeFileSync(join(dir, 'another.pem'), another.cert)
  server = await startPostgres({
    settings: ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`],
  })
  await server.database('tls')
})
afterAll(async () => {
  await server?.close()
  rmSync(dir, { recursive: true, force: true })
})

async function ask(host: string, query: string, password = ''): Promise<boolean> {
  const parsed = parseDatabaseUrl(
    `postgres://postgres:${password}@${host}:${server.port}/tls?${query}`,
  )
  if (!parsed.ok) throw new Error(parsed.problem)
  const sql = connect({ address: parsed.address, connections: 1 })
  onTestFinished(async () => await sql.end({ timeout: 0 }))
  const [row] = await sql<{ ssl: boolean }[]>`
    select ssl from pg_stat_ssl where pid = pg_backend_pid()`
  return row?.ssl ?? false
}

const refusal = async (asked: Promise<unknown>) =>
  await asked.then(
    () => 'answered',
    (error: unknown) => toStoreError(error).message,
  )

describe('the connection to a shared database', () => {
  it('is believed when an authority that was named signed for its host', async () => {
    const named = `sslmode=verify-full&sslrootcert=${dir}/authority.pem`
    expect(await ask('localhost', named)).toBe(true)
  })

  it('rejects a certificate of an unknown or different authority, or for a different host', async () => {
    const untrusted = expect.stringContaining('certificate of the shared database is not trusted')
    expect(await refusal(ask('localhost', 'sslmode=verify-full'))).toEqual(untrusted)
    const other = `sslmode=verify-full&sslrootcert=${dir}/another.pem`
    expect(await refusal(ask('localhost', other))).toEqual(untrusted)
    const named = `sslmode=verify-full&sslrootcert=${dir}/authority.pem`
    expect(await refusal(ask('127.0.0.1', named))).toEqual(untrusted)
  })

  it('goes over TLS unseen by others where no certificate is asked for, and in the open only when told', async () => {
    expect(await ask('localhost', 'sslmode=require')).toBe(true)
    expect(await ask('localhost', 'sslmode=disable')).toBe(false)
  })

  it('whose password is refused does not repeat it, in whatever is thrown', async () => {
    writeFileSync(join(server.dir, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
    await server.reload()
    const thrown = await ask('127.0.0.1', 'sslmode=disable', CANARY).catch(
      (error: unknown) => error,
    )
    const told = toStoreError(thrown)
    expect(told.message).toBe('The shared database does not accept the password.')
    expect(inspect(told, { depth: 9, showHidden: true })).not.toContain(CANARY)
  })
})

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
})
afterAll(async () => await store?.close())

it('a server that falls silent is waited for so long and no longer, and is asked again when it speaks', async () => {
  const sql = store.connect(1)
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  if (!row) throw new Error('no session')
  process.kill(row.pid, 'SIGSTOP')
  const silent = transact(sql, async (transaction) => await transaction`select 1`)
  silent.catch(() => undefined)
  await expect(inTime(sql, silent, 100)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  process.kill(row.pid, 'SIGCONT')
  expect(await inTime(sql, sql`select 2 as two`)).toHaveLength(1)
  expect(await inTime(sql, Promise.resolve('at once'), 10_000)).toBe('at once')
})
