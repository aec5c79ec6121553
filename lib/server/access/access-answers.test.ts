import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Access, openAccess } from '#lib/access/access.ts'
import { ROLES } from '#lib/access/route-permissions.ts'
import { type Caller, signedOutCaller } from '#lib/contract/caller.ts'
import { toLocalAddress } from '../gate/request-policy.ts'
import { createAccessAnswers } from './access-answers.ts'
import type { AccessOperationId } from './mount-access.ts'

const PASSWORD = 'green stapler under water'
let dir: string
let access: Access

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bellwether-answers-'))
  access = await openAccess({
    mode: 'password',
    dir,
    now: () => 1_800_000_000,
    sleep: async () => undefined,
    limits: { idle: 1000, absolute: 5000 },
    isOperator: () => false,
    onProblem: () => undefined,
  })
  await access.accounts.add('ada', 'operator', PASSWORD)
  await access.accounts.add('bob', 'reader', PASSWORD)
  await access.refresh()
})

afterAll(async () => {
  await access.close()
  rmSync(dir, { recursive: true, force: true })
})

async function begin(name: string): Promise<string> {
  const account = (await access.accounts.list()).find((one) => one.name === name)
  if (!account) throw new Error(`there is no ${name}`)
  return await access.begin(account, { from: '', agent: '' })
}

const contextOf = (caller: Caller | null) => ({
  caller: caller ?? signedOutCaller,
  client: '127.0.0.1',
  isHttps: false,
})

const secrets = new Map<string, string>()

async function callerOf(name: string, kind: 'session' | 'token'): Promise<Caller> {
  const permissions = name === 'ada' ? ROLES.operator : ROLES.reader
  if (kind === 'token') return { name, permissions, via: { kind, id: 'x' } }
  const known = access.identify({ session: secrets.get(name) })
  if (known) return known
  const secret = await begin(name)
  secrets.set(name, secret)
  return access.identify({ session: secret }) ?? signedOutCaller
}

type TestRequest = { method?: string; body?: unknown; kind?: 'session' | 'token'; site?: string }

async function ask(
  who: string,
  name: AccessOperationId,
  parts: Record<string, string>,
  { method = 'POST', body, kind = 'session', site = 'same-origin' }: TestRequest = {},
) {
  const headers = {
    'content-type': 'application/json',
    'sec-fetch-site': site,
  }
  const request = new Request('http://here/', { method, headers, body: JSON.stringify(body ?? {}) })
  const context = contextOf(await callerOf(who, kind))
  return await createAccessAnswers(() => access).answer(name, { request, parts, context })
}

describe('where one wanted to go', () => {
  it('is an address of ours, whatever somebody wrote there', () => {
    const hostile = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.stringMatching(/^[/\\]{1,3}[a-z.%\\/@:]{0,20}$/),
    )
    fc.assert(
      fc.property(hostile, (text) => {
        const address = toLocalAddress(text)
        expect(address).toMatch(/^\/(?![/\\])/)
        expect(new URL(address, 'http://here').host).toBe('here')
        expect(address).not.toMatch(/[\r\n]/)
      }),
    )
    expect(toLocalAddress('/symbols/AAPL?bucket=week')).toBe('/symbols/AAPL?bucket=week')
    for (const back of ['/api/access/sign-out', '/sign-in?next=/', null]) {
      expect(toLocalAddress(back)).toBe('/')
    }
  })
})

describe('what changes something', () => {
  const CHANGES: [AccessOperationId, Record<string, string>][] = [
    ['endSessions', {}],
    ['makeToken', {}],
    ['endToken', { id: 'x' }],
    ['changePassword', {}],
    ['changeAccount', { name: 'bob' }],
    ['signOut', {}],
  ]

  it.each(CHANGES)('%s is refused to a page of another site', async (name, parts) => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      await expect(ask('ada', name, parts, { site })).rejects.toMatchObject({ status: 403 })
    }
  })

  it('a token makes and takes back no tokens, ends no sessions, and changes no password and no account', async () => {
    const body = {
      label: 'x',
      scopes: ['read'],
      days: 1,
      role: 'operator',
      current: PASSWORD,
      next: PASSWORD,
    }
    for (const [name, parts] of CHANGES.filter(([one]) => one !== 'signOut')) {
      await expect(ask('ada', name, parts, { body, kind: 'token' })).rejects.toMatchObject({
        status: 403,
      })
    }
  })

  it('nobody gives a token more than he may do himself', async () => {
    const body = { label: 'x', scopes: ['read', 'sync'], days: 1 }
    await expect(ask('bob', 'makeToken', {}, { body })).rejects.toMatchObject({ status: 403 })
    expect(access.tokens.list()).toEqual([])
  })

  it('nobody ends a session or takes back a token of somebody else, but an operator', async () => {
    await access.tokens.create({ name: 'ada', label: 'hers', scopes: ['read'], days: 1 })
    await access.tokens.create({ name: 'bob', label: 'his', scopes: ['read'], days: 1 })
    const idOf = (label: string) =>
      access.tokens.list().find((one) => one.label === label)?.id ?? ''
    const [hers, his] = [idOf('hers'), idOf('his')]
    await expect(ask('bob', 'endToken', { id: hers })).rejects.toMatchObject({ status: 404 })
    expect((await ask('ada', 'endToken', { id: his })).status).toBe(200)
    const secret = await begin('ada')
    const id = access.identify({ session: secret })?.via.id ?? ''
    await expect(ask('bob', 'endSessions', { id })).rejects.toMatchObject({ status: 404 })
    expect(access.identify({ session: secret })).not.toBeNull()
    expect((await ask('ada', 'endSessions', { id })).status).toBe(200)
    expect(access.identify({ session: secret })).toBeNull()
  })

  it('a password that is not taken leaves everything as it was, sessions among it', async () => {
    await callerOf('bob', 'session')
    const before = access.sessions.list().length
    for (const next of ['short', 'bob-bob-bob-bob-bob']) {
      const body = { current: PASSWORD, next }
      await expect(ask('bob', 'changePassword', {}, { method: 'PUT', body })).rejects.toMatchObject(
        {
          status: 400,
        },
      )
    }
    expect(access.sessions.list()).toHaveLength(before)
  })

  it('signing in again ends the session that this browser had', async () => {
    const secret = await begin('bob')
    const caller = access.identify({ session: secret })
    const request = new Request('http://here/', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ name: 'bob', password: PASSWORD }),
    })
    const answered = await createAccessAnswers(() => access).answer('signIn', {
      request,
      parts: {},
      context: contextOf(caller),
    })
    expect(answered.headers.get('set-cookie')).toContain('bellwether-session=')
    expect(access.identify({ session: secret })).toBeNull()
  })

  it('signing in takes no form of another site, and sets a cookie that no sibling host can set', async () => {
    const signIn = async (headers: Record<string, string>, isHttps = false) => {
      const body = new URLSearchParams({ name: 'bob', password: PASSWORD })
      const request = new Request('http://here/', { method: 'POST', headers, body })
      const context = { ...contextOf(null), isHttps, origin: new URL('http://here') }
      const asked = { request, parts: {}, context }
      return await createAccessAnswers(() => access).answer('signIn', asked)
    }
    for (const site of ['cross-site', 'same-site', 'none']) {
      await expect(signIn({ 'sec-fetch-site': site })).rejects.toMatchObject({ status: 403 })
    }
    const plain = await signIn({ 'sec-fetch-site': 'same-origin' })
    const flags = /^bellwether-session=.*; HttpOnly; SameSite=Lax$/
    expect(plain.headers.get('set-cookie')).toMatch(flags)
    const secure = await signIn({ 'sec-fetch-site': 'same-origin' }, true)
    const prefixed = /^__Host-bellwether-session=.*; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/
    expect(secure.headers.get('set-cookie')).toMatch(prefixed)
  })

  it.each<[AccessOperationId, string, Record<string, string>, object]>([
    ['makeToken', 'POST', {}, { label: 'late', scopes: ['read'], days: 366 }],
    ['changePassword', 'PUT', {}, { current: PASSWORD, next: 'another long enough one' }],
    ['changeAccount', 'PATCH', { name: 'bob' }, { role: 'operator' }],
  ])(
    '%s does nothing for a session that ends while its body comes',
    async (name, method, parts, body) => {
      const secret = await begin('ada')
      const caller = access.identify({ session: secret })
      let sendRest = () => {}
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          sendRest = () => {
            controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
            controller.close()
          }
        },
      })
      const headers = {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
      }
      const init: RequestInit & { duplex: 'half' } = {
        method,
        headers,
        body: stream,
        duplex: 'half',
      }
      const request = new Request('http://here/', init)
      const context = contextOf(caller)
      const answered = createAccessAnswers(() => access).answer(name, { request, parts, context })
      const before = [await access.accounts.list(), access.tokens.list()]
      await access.sessions.end(({ id }) => id === caller?.via.id)
      sendRest()
      await expect(answered).rejects.toMatchObject({ status: 401 })
      expect([await access.accounts.list(), access.tokens.list()]).toEqual(before)
    },
  )

  it('an operator who is made a reader while his body comes changes nobody', async () => {
    const caller = await callerOf('bob', 'session')
    const claimed = { ...caller, permissions: ROLES.operator }
    const headers = {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    }
    const body = JSON.stringify({ role: 'reader' })
    const request = new Request('http://here/', { method: 'PATCH', headers, body })
    const answered = createAccessAnswers(() => access).answer('changeAccount', {
      request,
      parts: { name: 'ada' },
      context: contextOf(claimed),
    })
    await expect(answered).rejects.toMatchObject({ status: 401 })
  })

  it('nobody makes himself an operator, or locks himself out', async () => {
    for (const body of [{ role: 'reader' }, { is_locked: true }]) {
      await expect(ask('ada', 'changeAccount', { name: 'ADA' }, { body })).rejects.toMatchObject({
        status: 400,
      })
    }
  })
})
