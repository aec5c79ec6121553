import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Access, openAccess } from '#lib/access/access.ts'
import { toAppError } from '#lib/contract/faults.ts'
import { openSmallDisk } from '#testing/small-disk.ts'
import { createAccessAnswers } from './access-answers.ts'
import type { AccessOperationId } from './mount-access.ts'

const PASSWORD = 'green stapler under water'
const disk = openSmallDisk()
let access: Access

beforeAll(async () => {
  if (!disk.isMounted) return
  access = await openAccess({
    mode: 'password',
    dir: join(disk.dir, 'access'),
    now: () => 1_800_000_000,
    sleep: async () => undefined,
    limits: { idle: 1000, absolute: 5000 },
    isOperator: () => false,
    onProblem: () => undefined,
  })
  for (const name of ['ada', 'bob']) await access.accounts.add(name, 'operator', PASSWORD)
  await access.refresh()
})
afterAll(async () => {
  await access?.close()
  disk.close()
})

async function begin(): Promise<string> {
  const account = (await access.accounts.list()).find(({ name }) => name === 'ada')
  if (!account) throw new Error('there is no ada')
  return await access.begin(account, { from: '', agent: '' })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'content-type': 'application/json' }
const SIGN_IN = new URLSearchParams({ name: 'ada', password: PASSWORD })

const send = async (secret: string | null, id: AccessOperationId, body: object, parts = {}) => {
  const isForm = body instanceof URLSearchParams
  const request = new Request('http://here/', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', ...(isForm ? FORM : JSON_BODY) },
    body: isForm ? body : JSON.stringify(body),
  })
  const caller = access.identify({ session: secret ?? undefined })
  if (!caller) throw new Error('the session has ended')
  const context = { caller, client: '192.0.2.1', isHttps: false }
  return await createAccessAnswers(() => access).answer(id, { request, parts, context })
}

const CHANGES: readonly (readonly [AccessOperationId, object, object])[] = [
  ['makeToken', { label: 'nightly', scopes: ['read'], days: 1 }, {}],
  ['changePassword', { current: PASSWORD, next: 'blue lantern over hills' }, {}],
  ['changeAccount', { is_locked: true }, { name: 'bob' }],
  ['endSessions', {}, {}],
  ['signOut', {}, {}],
]

describe.each([
  ['a full disk', 'full', 'The disk of the data folder is full.'],
  ['a read-only disk', 'read-only', 'The data folder is not writable.'],
])('%s', (_, why, reason) => {
  it('is the reason of each change that fails, and changes nothing', async ({ skip }) => {
    skip(!disk.isMounted, 'only root may mount a disk')
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const secret = await begin()
    if (why === 'full') disk.fill()
    else disk.allowWrites(false)
    try {
      for (const [id, body, parts] of CHANGES) {
        const failure = await send(secret, id, body, parts).catch(toAppError)
        expect(failure, id).toMatchObject({ fault: 'not_ready', status: 503, message: reason })
      }
      const form = await send(secret, 'signIn', SIGN_IN)
      expect(form.headers.get('location')).toBe(`/sign-in?why=${why}`)
      expect(access.identify({ session: secret })?.name).toBe('ada')
    } finally {
      disk.allowWrites(true)
      disk.free()
      vi.restoreAllMocks()
    }
    expect((await send(secret, 'signIn', SIGN_IN)).headers.get('location')).toBe('/')
    expect(access.tokens.list()).toEqual([])
  })
})
