import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Access, openAccess } from '#lib/access/access.ts'
import { ROLES } from '#lib/access/permissions.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createAccessAnswers } from './access-answers.ts'
import type { AccessAnswerName } from './mount-access.ts'
import { toLocalAddress } from './request-policy.ts'

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

const callerOf = (name: string, kind: 'session' | 'token') =>
  encodeURIComponent(
    JSON.stringify({
      name,
      permissions: name === 'ada' ? ROLES.operator : ROLES.reader,
      via: { kind, id: 'x' },
    }),
  )

type Sent = { method?: string; body?: unknown; kind?: 'session' | 'token'; site?: string }

/** Asks as a page of ours does, for somebody who was let in. */
function ask(
  who: string,
  name: AccessAnswerName,
  parts: Record<string, string>,
  { method = 'POST', body, kind = 'session', site = 'same-origin' }: Sent = {},
) {
  const headers = {
    'x-caller': callerOf(who, kind),
    'content-type': 'application/json',
    'sec-fetch-site': site,
  }
  const request = new Request('http://here/', { method, headers, body: JSON.stringify(body ?? {}) })
  return createAccessAnswers(() => access).answer(name, { request, parts })
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

describe('a form that cannot be answered', () => {
  const form = (signIn: Access['signIn']) => {
    const request = new Request('http://here/', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ name: 'ada', password: PASSWORD }),
    })
    return createAccessAnswers(() => ({ ...access, signIn })).answer('signIn', {
      request,
      parts: {},
    })
  }

  it('says so on the page of the form: a full disk, a shared database that is away, and a crowd at the door', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const full = await form(() => Promise.reject(new Error('ENOSPC: no space left')))
    expect([full.status, full.headers.get('location')]).toEqual([303, '/sign-in?why=broken'])
    const crowd = await form(() => Promise.reject(new AppError('busy', 'Too many.')))
    expect(crowd.headers.get('location')).toBe('/sign-in?why=crowd')
    const away = await form(() => Promise.reject(new AppError('not_ready', 'It is away.')))
    expect(away.headers.get('location')).toBe('/sign-in?why=later')
    vi.restoreAllMocks()
  })
})

describe('what changes something', () => {
  const CHANGES: [AccessAnswerName, Record<string, string>][] = [
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
    const secret = await access.sessions.begin({ name: 'ada', role: null, from: '', agent: '' })
    const id = access.sessions.list()[0]?.id ?? ''
    await expect(ask('bob', 'endSessions', { id })).rejects.toMatchObject({ status: 404 })
    expect(access.identify({ session: secret })).not.toBeNull()
    expect((await ask('ada', 'endSessions', { id })).status).toBe(200)
    expect(access.identify({ session: secret })).toBeNull()
  })

  it('a password that is not taken leaves everything as it was, sessions among it', async () => {
    await access.sessions.begin({ name: 'bob', role: null, from: '', agent: '' })
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
    const secret = await access.sessions.begin({ name: 'bob', role: null, from: '', agent: '' })
    const caller = access.identify({ session: secret })
    const request = new Request('http://here/', {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-caller': encodeURIComponent(JSON.stringify(caller)),
      },
      body: new URLSearchParams({ name: 'bob', password: PASSWORD }),
    })
    const answered = await createAccessAnswers(() => access).answer('signIn', {
      request,
      parts: {},
    })
    expect(answered.headers.get('set-cookie')).toContain('bellwether-session=')
    expect(access.identify({ session: secret })).toBeNull()
  })

  it('nobody makes himself an operator, or locks himself out', async () => {
    for (const body of [{ role: 'reader' }, { is_locked: true }]) {
      await expect(ask('ada', 'changeAccount', { name: 'ADA' }, { body })).rejects.toMatchObject({
        status: 400,
      })
    }
  })

  it('a body of another kind is refused with what is wrong of it', async () => {
    await expect(
      ask('ada', 'makeToken', {}, { body: { label: 1, scopes: 'read' } }),
    ).rejects.toMatchObject({
      status: 400,
      issues: expect.arrayContaining([expect.objectContaining({ parameter: 'label' })]),
    })
  })
})
