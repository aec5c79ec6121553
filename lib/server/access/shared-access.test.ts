import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Access, openAccess } from '#lib/access/access.ts'
import {
  createDocuments,
  createSharedDocuments,
  type SharedDocuments,
} from '#lib/store/documents.ts'
import { bundleProgram, type Program } from '#testing/bundle-program.ts'
import { openOwnStore, type TestStore } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import { createSharedRecords } from './shared-access.ts'

const PASSWORD = 'green stapler under water'
const HOME = { from: '198.51.100.7', agent: 'Firefox' }

type Node = { access: Access; documents: SharedDocuments; refresh(): Promise<void> }

let store: TestStore
let clock: { now: number }
let program: Program
const folders: string[] = []
const nodes: Node[] = []

const makeFolder = () => {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-shared-access-'))
  folders.push(dir)
  return dir
}

async function openNode(of = store): Promise<Node> {
  const documents = createSharedDocuments(createDocuments({ sql: of.connect() }))
  const access = await openAccess({
    mode: 'password',
    dir: makeFolder(),
    records: createSharedRecords(documents),
    now: () => clock.now,
    sleep: async () => undefined,
    limits: { idle: 1000, absolute: 100_000 },
    isOperator: () => false,
    onProblem: (error) => {
      throw error
    },
  })
  const refresh = async () => {
    await documents.refresh()
    await access.refresh()
  }
  const node = { access, documents, refresh }
  nodes.push(node)
  return node
}

const signIn = async ({ access }: Node) => {
  const outcome = await access.signIn({ name: 'ada', password: PASSWORD, ...HOME })
  if (!outcome.ok) throw new Error(outcome.why)
  return outcome.secret
}

beforeAll(async () => {
  store = await openTestStore()
  program = await bundleProgram('scripts/access.ts')
  clock = { now: Math.floor(Date.now() / 1000) }
})
afterAll(async () => {
  for (const { access } of nodes) await access.close()
  await store?.close()
  await program?.remove()
  for (const dir of folders) rmSync(dir, { recursive: true, force: true })
})

async function runAccess(args: readonly string[], input: string, address = store.url) {
  const child = spawn(process.execPath, ['--conditions=react-server', program.file, ...args], {
    env: { ...process.env, DATA_DIR: makeFolder(), DATABASE_URL: address },
  })
  const said = { out: '', problems: '' }
  child.stdout.on('data', (text) => {
    said.out += text
  })
  child.stderr.on('data', (text) => {
    said.problems += text
  })
  child.stdin.end(input)
  const status = await new Promise((resolve) => child.once('close', resolve))
  return { status, ...said }
}

describe('several nodes', () => {
  it('let in whom the command line let in, and end with it what it ends', async () => {
    const node = await openNode()
    const added = await runAccess(['add', 'ada', '--role', 'operator'], `${PASSWORD}\n`)
    expect(added).toMatchObject({ status: 0, problems: '' })
    await node.refresh()
    const secret = await signIn(node)
    expect(node.access.identify({ session: secret })?.name).toBe('ada')
    const listed = await runAccess(['sessions'], '')
    expect(listed.out).toContain('ada')
    await runAccess(['end', 'ada'], '')
    await node.refresh()
    expect(node.access.identify({ session: secret })).toBeNull()
  })

  it('have one secret, though they open at once, and one sign-in counts on all', async () => {
    const opened = await Promise.all([openNode(), openNode(), openNode()])
    const [first, second] = opened
    if (!first || !second) throw new Error('no nodes')
    expect(new Set(opened.map(({ access }) => access.secret.toString('hex'))).size).toBe(1)
    const secret = await signIn(first)
    await second.refresh()
    const caller = second.access.identify({ session: secret })
    expect(caller?.name).toBe('ada')
    await second.access.sessions.end(({ id }) => id === caller?.via.id)
    expect(second.access.identify({ session: secret })).toBeNull()
    await first.refresh()
    expect(first.access.identify({ session: secret })).toBeNull()
  })

  it('know what was used on any of them: no session ends on one that is used on another', async () => {
    const [first, second] = [await openNode(), await openNode()]
    const secret = await signIn(first)
    await second.refresh()
    for (let n = 0; n < 5; n += 1) {
      clock.now += 300
      expect(first.access.identify({ session: secret })?.name).toBe('ada')
      await first.refresh()
      await second.refresh()
    }
    expect(second.access.identify({ session: secret })?.name).toBe('ada')
  })

  it('keep whom they know while the database is away, and let nobody new in', async () => {
    const own = await openOwnStore()
    onTestFinished(own.close)
    const node = await openNode(own)
    await node.access.accounts.add('ada', 'operator', PASSWORD)
    const secret = await signIn(node)
    await own.server.kill()
    await expect(node.documents.refresh()).rejects.toThrow('The shared database cannot be reached.')
    clock.now += 90
    expect(node.access.identify({ session: secret })?.name).toBe('ada')
    await expect(node.access.refresh()).rejects.toMatchObject({ fault: 'not_ready' })
    expect(node.access.identify({ session: secret })?.name).toBe('ada')
    await expect(signIn(node)).rejects.toMatchObject({ fault: 'not_ready' })
    await expect(node.access.sessions.end(() => true)).rejects.toMatchObject({ fault: 'not_ready' })
    const refused = await runAccess(['list'], '', own.url)
    expect(refused).toMatchObject({
      status: 1,
      problems: 'The shared database cannot be reached.\n',
    })
    await own.server.start()
    await expect.poll(() => signIn(node).catch(() => null)).not.toBeNull()
    expect(node.access.identify({ session: secret })?.name).toBe('ada')
  })
})
