import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAccess } from '#lib/access/access.ts'
import { type Caller, signedOutCaller } from '#lib/contract/caller.ts'
import type { OidcSettings } from '#lib/server/environment/access-env.ts'
import { createLog } from '#lib/server/environment/log.ts'
import { CLIENT, type Forging, openForgingProvider } from '#testing/server/forging-provider.ts'
import {
  type RealProviderOptions,
  signInAt,
  startRealProvider,
} from '#testing/server/real-provider.ts'
import { createAccessAnswers } from './access-answers.ts'
import type { AccessOperationId } from './mount-access.ts'
import { createProvider } from './oidc.ts'
import { createProviderAnswers } from './oidc-answers.ts'
import { createProviderFetch } from './oidc-discovery.ts'

const CONTEXT = { caller: signedOutCaller, client: '192.0.2.7', isHttps: false }

const PUBLIC_URL = 'http://dashboard.test:3000'
const CALLBACK = `${PUBLIC_URL}/api/access/oidc/callback`
const SIGNED_OUT = `${PUBLIC_URL}/sign-in?why=out`
const PENDING = 'bellwether-oidc'
const SESSION = 'bellwether-session'

const PATIENT_SECONDS = 60
const HANGING_SECONDS = 0.25

type SettingsChanges = {
  issuer: URL
  publicUrl?: string
  isHanging?: boolean
} & Partial<OidcSettings>

async function openDashboard({
  issuer,
  publicUrl = PUBLIC_URL,
  isHanging = false,
  ...settings
}: SettingsChanges) {
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-oidc-'))
  const clock = { now: Math.floor(Date.now() / 1000) }
  const now = () => clock.now
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line), now: () => new Date(0) })
  const access = await openAccess({
    mode: 'oidc',
    dir,
    now,
    sleep: async () => {},
    limits: { idle: 86_400, absolute: 86_400 },
    isOperator: (_, groups) => groups.includes('ratings-operators'),
    onProblem: (error) => {
      throw error
    },
  })
  onTestFinished(async () => {
    await access.close()
    await rm(dir, { recursive: true, force: true })
  })
  const origin = new URL(publicUrl)
  const provider = createProvider({
    settings: {
      issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scopes: 'openid profile',
      nameClaim: 'preferred_username',
      groupsClaim: 'groups',
      trustsEmail: false,
      ...settings,
    },
    publicUrl: origin,
    now,
    fetch: createProviderFetch(),
    log,
    timeoutSeconds: isHanging ? HANGING_SECONDS : PATIENT_SECONDS,
  })
  const made = createProviderAnswers({ provider, publicUrl: origin, now, log })
  const answers = createAccessAnswers(() => access, made)
  const jar = new Map<string, string>()
  const ask = async (name: AccessOperationId, path: string, caller: Caller | null = null) => {
    const isForm = name === 'signOut'
    const request = new Request(new URL(path, origin), {
      method: isForm ? 'POST' : 'GET',
      headers: {
        'user-agent': 'a browser',
        'sec-fetch-site': isForm ? 'same-origin' : 'cross-site',
        cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; '),
      },
    })
    const context = { ...CONTEXT, caller: caller ?? signedOutCaller }
    const response = await answers.answer(name, { request, parts: {}, context })
    for (const line of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(key)
      else jar.set(key, value)
    }
    return { response, status: response.status, location: response.headers.get('location') ?? '' }
  }
  return {
    access,
    clock,
    jar,
    lines,
    ask,
    start: (next?: string) =>
      ask(
        'oidc',
        `/api/access/oidc${next === undefined ? '' : `?${new URLSearchParams({ next })}`}`,
      ),
    comeBack: (search: string | URLSearchParams) => ask('oidcCallback', `${CALLBACK}?${search}`),
    who: () => access.identify({ session: jar.get(SESSION) }),
    audit: async () => (await access.audit.latest(1))[0],
  }
}

type Dashboard = Awaited<ReturnType<typeof openDashboard>>

async function expectRefused(dashboard: Dashboard, came: { location: string }, what: string) {
  expect(came.location).toBe('/sign-in?why=refused')
  expect(dashboard.who()).toBe(null)
  expect(await dashboard.audit()).toMatchObject({
    kind: 'sign-in',
    outcome: 'refused',
    from: '192.0.2.7',
  })
  expect((await dashboard.audit())?.what).toContain(what)
}

describe('with a real provider', () => {
  const openReal = async (given: Partial<RealProviderOptions> = {}): Promise<URL> => {
    const { issuer, close } = await startRealProvider({
      callback: CALLBACK,
      signedOut: SIGNED_OUT,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      claims: (login) => ({
        preferred_username: `${login}.lovelace`,
        groups: ['ratings-operators'],
      }),
      isInToken: true,
      ...given,
    })
    onTestFinished(close)
    return issuer
  }

  test.each([
    { where: 'in the token', isInToken: true, secret: CLIENT.secret },
    { where: 'where one asks for it', isInToken: false, secret: CLIENT.secret },
    { where: 'to a client without a secret', isInToken: true, secret: null },
  ])('whoever it vouches for $where is let in by name and groups, and led on', async (given) => {
    const issuer = await openReal({ isInToken: given.isInToken, clientSecret: given.secret })
    const dashboard = await openDashboard({ issuer, clientSecret: given.secret })
    const left = await dashboard.start('/symbols?q=a b')
    expect(left.status).toBe(303)
    expect(dashboard.who()).toBe(null)
    const came = await dashboard.comeBack((await signInAt(left.location, 'ada')).searchParams)
    expect(came).toMatchObject({ status: 303, location: '/symbols?q=a%20b' })
    expect(dashboard.who()).toMatchObject({ name: 'ada.lovelace', via: { kind: 'session' } })
    expect(dashboard.who()?.permissions).toContain('manage')
    expect(await dashboard.audit()).toMatchObject({ who: 'ada.lovelace', outcome: 'done' })
    expect(dashboard.access.sessions.list()[0]).toMatchObject({
      from: '192.0.2.7',
      agent: 'a browser',
    })
    expect([...dashboard.jar.keys()]).toEqual([SESSION])
    expect(dashboard.lines).toEqual([])
  })

  test('whoever gives up there is not let in, and may try again', async () => {
    const dashboard = await openDashboard({ issuer: await openReal() })
    const left = await dashboard.start('/users')
    const came = await dashboard.comeBack((await signInAt(left.location, null)).searchParams)
    expect(came.location).toBe('/sign-in?next=%2Fusers&why=refused')
    expect(dashboard.who()).toBe(null)
    expect((await dashboard.audit())?.what).toBe('was refused by the provider (access_denied)')
    const again = await dashboard.start()
    await dashboard.comeBack((await signInAt(again.location, 'ada')).searchParams)
    expect(dashboard.who()).not.toBe(null)
  })

  test('an address that somebody came back by lets nobody in a second time', async () => {
    const dashboard = await openDashboard({ issuer: await openReal() })
    const left = await dashboard.start()
    const kept = dashboard.jar.get(PENDING) ?? ''
    const { searchParams } = await signInAt(left.location, 'ada')
    await dashboard.comeBack(searchParams)
    dashboard.jar.delete(SESSION)
    await expectRefused(
      dashboard,
      await dashboard.comeBack(searchParams),
      'without a sign-in that began here',
    )
    // The cookie is restored, so only the provider can reject the reused code.
    dashboard.jar.set(PENDING, kept)
    await expectRefused(dashboard, await dashboard.comeBack(searchParams), '(invalid_grant)')
  })

  test('a dashboard with a wrong secret lets nobody in, and the log says why without it', async () => {
    const dashboard = await openDashboard({ issuer: await openReal(), clientSecret: 'quite-wrong' })
    const left = await dashboard.start()
    const { searchParams } = await signInAt(left.location, 'ada')
    await expectRefused(dashboard, await dashboard.comeBack(searchParams), '(invalid_client)')
    expect(dashboard.lines.join('')).toContain('invalid_client')
    for (const secret of [
      'quite-wrong',
      searchParams.get('code') ?? '',
      dashboard.access.secret.toString('base64url'),
    ]) {
      expect(dashboard.lines.join('')).not.toContain(secret)
    }
  })

  test('who signs out is led on to sign out there, and comes back from it', async () => {
    const issuer = await openReal()
    const dashboard = await openDashboard({ issuer })
    const left = await dashboard.start()
    await dashboard.comeBack((await signInAt(left.location, 'ada')).searchParams)
    const { response, status } = await dashboard.ask(
      'signOut',
      '/api/access/sign-out',
      dashboard.who(),
    )
    expect(status).toBe(200)
    const [, address = ''] = /^0; url=(.*)$/.exec(response.headers.get('refresh') ?? '') ?? []
    expect(await response.text()).toContain(`href="${address.replaceAll('&', '&amp;')}"`)
    expect(new URL(address).origin).toBe(issuer.origin)
    expect(new URL(address).searchParams.get('post_logout_redirect_uri')).toBe(SIGNED_OUT)
    expect((await fetch(address)).status).toBe(200)
    expect(dashboard.access.sessions.list()).toEqual([])
    expect(dashboard.jar.size).toBe(0)
  })
})

async function openForged(given: Partial<SettingsChanges> = {}) {
  let nonce = ''
  const provider = await openForgingProvider(() => nonce)
  const dashboard = await openDashboard({ issuer: provider.issuer, ...given })
  const start = async (next?: string) => {
    const left = await dashboard.start(next)
    const asked = URL.canParse(left.location) ? new URL(left.location).searchParams : null
    nonce = asked?.get('nonce') ?? ''
    const returned = new URLSearchParams({ code: 'a-code', state: asked?.get('state') ?? '' })
    return { ...left, asked, returned }
  }
  const signIn = async (says: Forging = {}, next?: string) => {
    provider.says = says
    return await dashboard.comeBack((await start(next)).returned)
  }
  return { ...dashboard, provider, start, signIn }
}

const ADA = { preferred_username: 'ada', groups: [] }

describe('a token', () => {
  const past = Math.floor(Date.now() / 1000) - 3600
  test.each<[string, Forging, string]>([
    ['that has run out', { claims: { ...ADA, exp: past + 60, iat: past } }, 'TIMESTAMP'],
    ['that is not valid yet', { claims: { ...ADA, nbf: past + 7200 } }, 'TIMESTAMP'],
    ['for somebody else’s dashboard', { claims: { ...ADA, aud: 'another' } }, 'CLAIM_COMPARISON'],
    [
      'for several, made out to another',
      { claims: { ...ADA, aud: [CLIENT.id, 'another'], azp: 'another' } },
      'CLAIM_COMPARISON',
    ],
    ['of another sign-in', { claims: { ...ADA, nonce: 'another' } }, 'CLAIM_COMPARISON'],
    ['of no sign-in', { claims: { ...ADA, nonce: undefined } }, 'INVALID_RESPONSE'],
    [
      'of another provider',
      { claims: { ...ADA, iss: 'https://another.example' } },
      'CLAIM_COMPARISON',
    ],
    ['about nobody', { claims: { ...ADA, sub: undefined } }, 'INVALID_RESPONSE'],
    ['that another key has signed', { claims: ADA, by: 'another' }, 'INVALID_RESPONSE'],
    ['that nobody has signed', { claims: ADA, by: 'nothing' }, 'UNSUPPORTED'],
    ['that is signed with the public key', { claims: ADA, by: 'public key' }, 'UNSUPPORTED'],
    ['that is signed with our own secret', { claims: ADA, by: 'client secret' }, 'UNSUPPORTED'],
    ['by a key that there is not', { claims: ADA, header: { kid: 'none' } }, 'KEY_SELECTION'],
  ])('%s lets nobody in', async (_, says, reason) => {
    const dashboard = await openForged()
    await expectRefused(dashboard, await dashboard.signIn(says), reason)
    const told = dashboard.lines.join('')
    expect(told).toContain(reason)
    for (const secret of ['eyJ', 'the-access-token', 'a-code', CLIENT.secret]) {
      expect(told).not.toContain(secret)
    }
  })
})

describe('keys of a provider', () => {
  const jwksRequests = ({ provider: { requests } }: Awaited<ReturnType<typeof openForged>>) =>
    requests.filter((path) => path === '/jwks').length

  test.each([
    ['with a key id', { kid: 'another' }],
    ['without a key id', {}],
  ])('are fetched again when they changed a moment ago, for a token %s', async (_, header) => {
    const dashboard = await openForged()
    await dashboard.signIn({ claims: ADA, header: { kid: 'own' } })
    expect(dashboard.who()?.name).toBe('ada')
    dashboard.provider.publishes = 'another'
    const bob = { preferred_username: 'bob', groups: [] }
    await dashboard.signIn({ claims: bob, header, by: 'another' })
    expect(dashboard.who()?.name).toBe('bob')
  })

  test('sign nobody in when the provider has just withdrawn them', async () => {
    const dashboard = await openForged()
    await dashboard.signIn({ claims: ADA, header: { kid: 'own' } })
    dashboard.jar.delete(SESSION)
    dashboard.provider.publishes = 'another'
    const came = await dashboard.signIn({ claims: ADA, header: { kid: 'own' } })
    await expectRefused(dashboard, came, 'KEY_SELECTION')
  })

  test('are fetched once for each sign-in when a token names an unknown one', async () => {
    const dashboard = await openForged()
    for (const times of [1, 2, 3]) {
      await dashboard.signIn({ claims: ADA, header: { kid: 'none' } })
      expect(jwksRequests(dashboard)).toBe(times)
    }
    expect(dashboard.provider.requests.filter((path) => path.startsWith('/.well'))).toHaveLength(1)
  })
})

describe('who comes back', () => {
  const LEFT_FROM_ELSEWHERE = 'without a sign-in that began here'

  test('without having left from this browser is not let in, and the provider is not asked', async () => {
    const dashboard = await openForged()
    const { returned } = await dashboard.start()
    dashboard.jar.clear()
    await expectRefused(dashboard, await dashboard.comeBack(returned), LEFT_FROM_ELSEWHERE)
    expect(dashboard.provider.requests).not.toContain('/token')
  })

  test('with what was sealed and then changed, at any place, is not let in', async () => {
    const dashboard = await openForged()
    const { returned } = await dashboard.start()
    const sealed = Buffer.from(dashboard.jar.get(PENDING) ?? '', 'base64url')
    for (let at = 0; at < sealed.byteLength; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      dashboard.jar.set(PENDING, changed.toString('base64url'))
      const came = await dashboard.comeBack(returned)
      expect([came.location, dashboard.who()]).toEqual(['/sign-in?why=refused', null])
    }
    for (const text of ['', 'x', sealed.subarray(0, 28).toString('base64url'), '!'.repeat(200)]) {
      dashboard.jar.set(PENDING, text)
      const came = await dashboard.comeBack(returned)
      expect([came.location, dashboard.who()]).toEqual(['/sign-in?why=refused', null])
    }
  })

  test.each([
    ['another', (state: string) => ({ state: `${state.slice(0, -1)}_` })],
    ['no', () => ({ state: '' })],
  ])('with %s state is not let in, and the provider is not asked', async (_, change) => {
    const dashboard = await openForged()
    const { returned } = await dashboard.start()
    const changed = new URLSearchParams({ code: 'a-code', ...change(returned.get('state') ?? '') })
    await expectRefused(dashboard, await dashboard.comeBack(changed), 'different state')
    expect(dashboard.provider.requests).not.toContain('/token')
  })

  test('with two states, two codes or none is not let in', async () => {
    for (const more of ['&state=x', '&code=x', '&iss=https://another.example', '&error=x']) {
      const dashboard = await openForged()
      const { returned } = await dashboard.start()
      expect((await dashboard.comeBack(`${returned}${more}`)).location).toBe('/sign-in?why=refused')
      expect(dashboard.who()).toBe(null)
      expect(dashboard.provider.requests).not.toContain('/token')
    }
    const dashboard = await openForged()
    const { returned } = await dashboard.start()
    const state = returned.get('state') ?? ''
    await expectRefused(dashboard, await dashboard.comeBack(new URLSearchParams({ state })), '')
  })

  test('after ten minutes begins again', async () => {
    const dashboard = await openForged()
    dashboard.provider.says = { claims: ADA }
    const { returned } = await dashboard.start()
    dashboard.clock.now += 600
    await expectRefused(dashboard, await dashboard.comeBack(returned), 'too late')
    const again = await dashboard.start()
    dashboard.clock.now += 599
    await dashboard.comeBack(again.returned)
    expect(dashboard.who()?.name).toBe('ada')
  })

  test('with a reason that the provider made up is told nothing of it, and neither is the audit log', async () => {
    const dashboard = await openForged()
    const { returned } = await dashboard.start()
    returned.delete('code')
    returned.set('error', 'signed in as root')
    returned.set('error_description', '<script>')
    await expectRefused(dashboard, await dashboard.comeBack(returned), 'refused by the provider')
    expect(`${dashboard.lines}${JSON.stringify(await dashboard.audit())}`).not.toMatch(
      /root|script/,
    )
  })
})

describe('who leaves for the provider', () => {
  test('takes along a state, a nonce and a challenge, new ones each time, and nothing that tells the verifier', async () => {
    const dashboard = await openForged()
    const [first, second] = [await dashboard.start(), await dashboard.start()]
    const { asked } = first
    expect(first.location.startsWith(`${dashboard.provider.issuer.origin}/authorize?`)).toBe(true)
    expect(Object.fromEntries(asked ?? [])).toEqual({
      client_id: CLIENT.id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked?.get(name)).not.toBe(second.asked?.get(name))
    }
    await dashboard.comeBack(second.returned)
    const verifier = dashboard.provider.forms[0]?.get('code_verifier') ?? ''
    expect(verifier).toMatch(/^[\w-]{43}$/)
    expect(second.location).not.toContain(verifier)
  })

  test('is remembered by the browser alone, for ten minutes, in what it cannot read', async () => {
    const dashboard = await openForged()
    const { response, asked } = await dashboard.start('/symbols')
    const [cookie = '', ...others] = response.headers.getSetCookie()
    expect(others).toEqual([])
    expect(cookie).toMatch(/^bellwether-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    const opened = Buffer.from(dashboard.jar.get(PENDING) ?? '', 'base64url').toString('latin1')
    for (const text of [asked?.get('state') ?? '', asked?.get('nonce') ?? '', 'symbols']) {
      expect(opened).not.toContain(text)
    }
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('by https is remembered in a cookie that no other host can set', async () => {
    const dashboard = await openForged({ publicUrl: 'https://dashboard.test' })
    const { response, returned } = await dashboard.start()
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-bellwether-oidc=.*; Secure$/)
    dashboard.provider.says = { claims: ADA }
    await dashboard.comeBack(returned)
    expect(dashboard.who()?.name).toBe('ada')
  })

  test.each([
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/sign-in?next=/sign-in', '/'],
    ['/%2f/evil.example', '/%2f/evil.example'],
    ['/users?q=\r\nlocation: x', '/users?q=location:%20x'],
  ])('and wants to go on to %j comes to %s, in one header', async (next, address) => {
    const dashboard = await openForged()
    const { response, location } = await dashboard.signIn({ claims: ADA }, next)
    expect([location, dashboard.who()?.name]).toEqual([address, 'ada'])
    const names = response.headers.getSetCookie().map((line) => line.split('=')[0])
    expect(names).toEqual([SESSION, PENDING])
  })
})

describe('a provider that cannot be asked', () => {
  const DISCOVERY = '/.well-known/openid-configuration'

  test.each<[string, object | string | null | number]>([
    ['hangs', null],
    ['answers with a page', '<html>Welcome</html>'],
    ['is broken', 503],
    ['does not exist', 404],
    ['leads elsewhere', 302],
    ['is another', { issuer: 'https://another.example' }],
    ['says nothing of itself', {}],
  ])('because it %s leads to the way in, and is asked again', async (_, instead) => {
    const dashboard = await openForged({ isHanging: instead === null })
    dashboard.provider.instead[DISCOVERY] = instead
    expect((await dashboard.start('/users')).location).toBe('/sign-in?next=%2Fusers&why=away')
    expect(dashboard.jar.size).toBe(0)
    expect(dashboard.lines).toHaveLength(1)
    expect(dashboard.lines[0]).toContain('cannot be reached')
    delete dashboard.provider.instead[DISCOVERY]
    dashboard.clock.now += 5
    await dashboard.signIn({ claims: ADA })
    expect(dashboard.who()?.name).toBe('ada')
  })

  test('is asked once for all who come, and left alone for a while', async () => {
    const dashboard = await openForged()
    dashboard.provider.instead[DISCOVERY] = 503
    await Promise.all(Array.from({ length: 20 }, () => dashboard.start()))
    await dashboard.start()
    expect(dashboard.provider.requests).toHaveLength(1)
    expect(dashboard.lines).toHaveLength(1)
    delete dashboard.provider.instead[DISCOVERY]
    dashboard.clock.now += 5
    await Promise.all(Array.from({ length: 20 }, () => dashboard.start()))
    expect(dashboard.provider.requests).toHaveLength(2)
    dashboard.clock.now += 3600
    await dashboard.start()
    expect(dashboard.provider.requests).toHaveLength(3)
  })

  test('ends nobody’s session, and holds up nobody who signs out', async () => {
    const dashboard = await openForged()
    await dashboard.signIn({ claims: ADA })
    await dashboard.provider.close()
    dashboard.clock.now += 3600
    expect(dashboard.who()?.name).toBe('ada')
    expect((await dashboard.start()).location).toBe('/sign-in?why=away')
    expect(dashboard.lines.join('')).toContain('ECONNREFUSED')
    const out = await dashboard.ask('signOut', '/api/access/sign-out', dashboard.who())
    expect(out.location).toBe('/sign-in?why=out')
    expect(dashboard.who()).toBe(null)
  })

  test.each<[string, string, null | number]>([
    ['for the token, hanging', '/token', null],
    ['for the token, broken', '/token', 502],
    ['for its keys, hanging', '/jwks', null],
    ['for its keys, broken', '/jwks', 500],
  ])('%s lets nobody in, and accuses nobody', async (_, path, instead) => {
    const dashboard = await openForged({ isHanging: instead === null })
    dashboard.provider.instead[path] = instead
    expect((await dashboard.signIn({ claims: ADA }, '/users')).location).toBe(
      '/sign-in?next=%2Fusers&why=away',
    )
    expect(dashboard.who()).toBe(null)
    expect(await dashboard.audit()).toMatchObject({ who: '', outcome: 'failed' })
    expect(dashboard.lines).toHaveLength(1)
  })

  test('nobody signs in with where none is set up', async () => {
    const answers = createAccessAnswers(() => null)
    const request = new Request(`${PUBLIC_URL}/api/access/oidc`)
    await expect(
      answers.answer('oidc', { request, parts: {}, context: CONTEXT }),
    ).rejects.toMatchObject({
      fault: 'not_ready',
    })
    const { access } = await openForged()
    for (const name of ['oidc', 'oidcCallback'] as const) {
      const without = createAccessAnswers(() => access)
      await expect(
        without.answer(name, { request, parts: {}, context: CONTEXT }),
      ).rejects.toMatchObject({
        fault: 'not_found',
      })
    }
  })
})

describe('a name from outside', () => {
  const nameOf = async (
    claims: Record<string, unknown>,
    settings: Partial<Pick<OidcSettings, 'nameClaim' | 'trustsEmail'>> = {},
  ) => {
    const dashboard = await openForged(settings)
    await dashboard.signIn({ claims: { groups: [], ...claims } })
    return dashboard.who()?.name ?? null
  }

  test.each<[string, Record<string, unknown>, string | null]>([
    ['is the user name', { preferred_username: 'ada', email: 'a@b.example' }, 'ada'],
    [
      'is the address that was verified',
      { email: 'a@b.example', email_verified: true },
      'a@b.example',
    ],
    ['is no address of which nothing is said', { email: 'a@b.example' }, '17'],
    ['is no address that is not', { email: 'a@b.example', email_verified: false }, '17'],
    ['is the subject else', {}, '17'],
    ['has nothing in it that is not seen', { preferred_username: 'ada\u200b' }, null],
    ['is a text', { preferred_username: { name: 'ada' } }, null],
  ])('%s', async (_, claims, name) => {
    expect(await nameOf(claims)).toBe(name)
  })

  test('is the one that was chosen, and no other in its place', async () => {
    const verified = { email: 'a@b.example', email_verified: true, preferred_username: 'x' }
    expect(await nameOf(verified, { nameClaim: 'email' })).toBe('a@b.example')
    // Users can often choose this claim, so it must not identify them.
    const chosen = {
      preferred_username: 'boss@b.example',
      email: 'boss@b.example',
      email_verified: false,
    }
    expect(await nameOf(chosen, { nameClaim: 'email' })).toBe(null)
    expect(await nameOf({ preferred_username: 'x' }, { nameClaim: 'sub' })).toBe('17')
    expect(await nameOf({ preferred_username: 'x' }, { nameClaim: 'constructor' })).toBe(null)
  })

  test.each([
    ['accepts', true],
    ['accepts', 'true'],
    ...[false, 'false', 'FALSE', 'True', 'TRUE', ' true', '', '0', '1', 'yes', 0, 1, null].map(
      (value) => ['refuses', value] as const,
    ),
    ...[[], [true], {}].map((value) => ['refuses', value] as const),
  ] as const)('%s an address when email_verified is %j', async (verdict, email_verified) => {
    const claims = { email: 'a@b.example', email_verified }
    for (const trustsEmail of [false, true]) {
      expect(await nameOf(claims, { nameClaim: 'email', trustsEmail })).toBe(
        verdict === 'accepts' ? 'a@b.example' : null,
      )
    }
  })

  test('is an address without email_verified only when the operator trusts the provider', async () => {
    const claims = { email: 'a@b.example', groups: [] }
    expect(await nameOf(claims, { nameClaim: 'email', trustsEmail: true })).toBe('a@b.example')
    expect(await nameOf(claims, { trustsEmail: true })).toBe('a@b.example')
    const dashboard = await openForged({ nameClaim: 'email' })
    await expectRefused(dashboard, await dashboard.signIn({ claims }), 'email_verified')
    expect(dashboard.lines.join()).toContain('email_verified')
  })
})

test.each<[string, unknown, boolean]>([
  ['a list', ['guests', 'ratings-operators'], true],
  ['a text with bars', 'guests|ratings-operators', true],
  ['no text', [{ name: 'ratings-operators' }, 7, null], false],
  ['a list in a list', [['ratings-operators']], false],
  ['nothing', null, false],
])(
  'groups from outside that are %j make an operator of those alone who are in the group',
  async (_, groups, isOperator) => {
    const dashboard = await openForged()
    await dashboard.signIn({ claims: { ...ADA, groups } })
    expect(dashboard.who()?.permissions.includes('manage')).toBe(isOperator)
  },
)

describe('userinfo', () => {
  const openWithUserinfo = async (userinfo: object | string | null | number) => {
    const dashboard = await openForged({ isHanging: userinfo === null })
    dashboard.provider.instead['/userinfo'] = userinfo
    return dashboard
  }

  test('adds the groups and the name that the token lacks, and replaces none of its claims', async () => {
    const says = { sub: '17', preferred_username: 'eve', groups: ['ratings-operators'] }
    const dashboard = await openWithUserinfo(says)
    await dashboard.signIn({ claims: { preferred_username: 'ada' } })
    expect(dashboard.who()).toMatchObject({ name: 'ada' })
    expect(dashboard.who()?.permissions).toContain('manage')
    expect(dashboard.lines).toEqual([])
  })

  test.each<[string, object | string | null | number, string]>([
    ['refuses', 403, 'OAUTH_RESPONSE_IS_NOT_CONFORM'],
    ['is broken', 503, 'status 503'],
    ['hangs', null, 'TimeoutError'],
    ['is a page', '<html>Welcome</html>', 'OAUTH_RESPONSE_IS_NOT_JSON'],
    ['names nobody', { groups: ['ratings-operators'] }, 'OAUTH_INVALID_RESPONSE'],
    ['is a list', [{ sub: '17', groups: ['ratings-operators'] }], 'OAUTH_INVALID_RESPONSE'],
  ])(
    'that %s leaves the ID token to decide: its owner is a reader, and the log says why',
    async (_, answer, reason) => {
      const dashboard = await openWithUserinfo(answer)
      expect((await dashboard.signIn({ claims: { preferred_username: 'ada' } })).location).toBe('/')
      expect(dashboard.who()).toMatchObject({ name: 'ada' })
      expect(dashboard.who()?.permissions).toEqual(['embed', 'feed', 'read', 'export'])
      expect(dashboard.lines).toHaveLength(1)
      expect(dashboard.lines[0]).toContain('userinfo')
      expect(dashboard.lines[0]).toContain(reason)
      expect(dashboard.lines[0]).not.toContain('the-access-token')
    },
  )

  test('that refuses takes nobody the groups of his ID token', async () => {
    const dashboard = await openWithUserinfo(403)
    await dashboard.signIn({ claims: { groups: ['ratings-operators'] } })
    expect(dashboard.who()).toMatchObject({ name: '17' })
    expect(dashboard.who()?.permissions).toContain('manage')
  })

  test.each([
    ['verifies the address of the token', { email: 'a@b.example' }, 'a@b.example'],
    ['verifies its own address', {}, 'a@b.example'],
    ['does not verify a different address of the token', { email: 'boss@b.example' }, null],
    [
      'does not verify an address that the token calls unverified',
      { email: 'a@b.example', email_verified: false },
      null,
    ],
  ])('that has a verified address %s', async (_, claims, name) => {
    const dashboard = await openForged({ nameClaim: 'email' })
    dashboard.provider.instead['/userinfo'] = {
      sub: '17',
      email: 'a@b.example',
      email_verified: true,
    }
    await dashboard.signIn({ claims })
    expect(dashboard.who()?.name ?? null).toBe(name)
  })

  test('that has an address is not verified by the token when the token has none', async () => {
    const dashboard = await openForged({ nameClaim: 'email' })
    dashboard.provider.instead['/userinfo'] = { sub: '17', email: 'a@b.example' }
    const came = await dashboard.signIn({ claims: { email_verified: true } })
    await expectRefused(dashboard, came, 'email_verified')
  })

  test('that is about somebody else lets nobody in', async () => {
    const dashboard = await openWithUserinfo({ sub: '18', groups: ['ratings-operators'] })
    const came = await dashboard.signIn({ claims: { preferred_username: 'ada' } })
    await expectRefused(dashboard, came, 'different subject')
  })
})

test('what is kept of a sign-in holds neither tokens nor codes nor the secret of the client', async () => {
  const dashboard = await openForged()
  await dashboard.signIn({ claims: ADA })
  await dashboard.signIn({ claims: ADA, by: 'another' })
  const kept = [dashboard.access.sessions.list(), await dashboard.access.audit.latest(9)]
  expect(kept.map((list) => list.length)).toEqual([1, 2])
  expect(JSON.stringify(kept)).not.toMatch(/eyJ|the-access-token|a-code|the-secret/)
})
