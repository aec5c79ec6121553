import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verify } from '@node-rs/argon2'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { type AccessMode, PERMISSIONS } from '#lib/contract/answers/access.ts'
import { AppError } from '#lib/contract/faults.ts'
import { type Access, openAccess } from './access.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { isPlainName, parseGroups } from './names.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createFileRecords } from './records.ts'
import { createRegister, type RegisterRecord } from './register.ts'
import { ROLES } from './route-permissions.ts'

const PASSWORD = 'green stapler under water'
const HOME = { from: '198.51.100.7', agent: 'Firefox' }
const IDLE = 1000
const ABSOLUTE = 5000
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

let dir: string
let clock: { now: number }
const opened: Access[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bellwether-access-'))
  clock = { now: 1_800_000_000 }
})

afterEach(async () => {
  for (const access of opened.splice(0)) await access.close()
  rmSync(dir, { recursive: true, force: true })
})

async function open(
  mode: AccessMode = 'password',
  passwords = createPasswords(CHEAP),
): Promise<Access> {
  const access = await openAccess({
    mode,
    passwords,
    dir,
    now: () => clock.now,
    sleep: async () => undefined,
    limits: { idle: IDLE, absolute: ABSOLUTE },
    isOperator: (name, groups) => name === 'root' || groups.includes('operators'),
    onProblem: (error) => {
      throw error
    },
  })
  opened.push(access)
  return access
}

async function openWithAda(passwords?: Passwords): Promise<Access> {
  const access = await open('password', passwords)
  await access.accounts.add('ada', 'reader', PASSWORD)
  await access.refresh()
  return access
}

async function signIn(access: Access, name = 'ada', password = PASSWORD): Promise<string> {
  const outcome = await access.signIn({ name, password, ...HOME })
  if (!outcome.ok) throw new Error(`${name} was not let in: ${outcome.why}`)
  return outcome.secret
}

describe('a password', () => {
  it('lets in by any way of writing the name, and nobody else by any other password', async () => {
    const access = await openWithAda()
    const secret = await signIn(access, '  ADA ')
    expect(access.identify({ session: secret })).toMatchObject({
      name: 'ada',
      permissions: ROLES.reader,
      via: { kind: 'session' },
    })
    for (const password of ['', PASSWORD.toUpperCase(), `${PASSWORD} `, 'placeholder password']) {
      expect(await access.signIn({ name: 'ada', password, ...HOME })).toMatchObject({ ok: false })
    }
  })

  it('is kept as Argon2id alone, and no file holds a secret that opens anything', async () => {
    const access = await openWithAda(createPasswords())
    const secret = await signIn(access)
    const token = await access.tokens.create({ name: 'ada', label: 'a', scopes: ['read'], days: 1 })
    expect(readFileSync(join(dir, 'accounts.json'), 'utf8')).toContain('$argon2id$v=19$m=65536')
    await access.close()
    for (const name of readdirSync(dir)) {
      const text = readFileSync(join(dir, name), 'utf8')
      for (const one of [PASSWORD, secret, token]) expect(text).not.toContain(one)
    }
  })

  it('that is too short, a pattern, common, or holds the name is not taken', async () => {
    const access = await open()
    const wrong = [
      ...['elevenchars', 'aaaaaaaaaaaaaaaa', 'password1234', '123456789012', 'my-ada-is-the-best'],
    ]
    for (const password of wrong) {
      await expect(access.accounts.add('ada', 'reader', password)).rejects.toThrow('The password')
    }
    expect(await access.accounts.list()).toEqual([])
  })

  it('takes as much work for a name that there is not', async () => {
    const costs: string[] = []
    const passwords = createPasswords(CHEAP, async (kept, password) => {
      costs.push(kept.split('$').slice(0, 4).join('$'))
      return await verify(kept, password)
    })
    const access = await openWithAda(passwords)
    for (const name of ['ada', 'nobody']) {
      await access.signIn({ name, password: 'some wrong password', ...HOME })
    }
    expect(costs).toEqual(Array(2).fill('$argon2id$v=19$m=8,t=1,p=1'))
  })
})

async function openHeldUp() {
  let goOn = () => {}
  let held: Promise<void> | null = null
  const looked: string[] = []
  const passwords = createPasswords(CHEAP, async (kept, password) => {
    looked.push(password)
    await held
    return await verify(kept, password)
  })
  const access = await openWithAda(passwords)
  return {
    access,
    looked,
    holdUp() {
      looked.splice(0)
      held = new Promise((resolve) => {
        goOn = resolve
      })
    },
    goOn: () => goOn(),
  }
}

describe('a crowd at the door', () => {
  function crowd(access: Access, from: readonly string[]) {
    const counts = { turnedAway: 0 }
    const attempts = from.map(async (address, i) => {
      const asked = { name: `name-${i}`, password: 'some wrong password', from: address, agent: '' }
      return await access.signIn(asked).catch((error: unknown) => {
        counts.turnedAway += 1
        return error
      })
    })
    return { counts, all: Promise.all(attempts) }
  }
  const signInAda = async (access: Access, from: string) =>
    await access.signIn({ name: 'ada', password: PASSWORD, from, agent: '' })

  it('from one network takes no turn from who comes from another one', async () => {
    const { access, looked, holdUp, goOn } = await openHeldUp()
    holdUp()
    const { counts, all } = crowd(
      access,
      Array.from({ length: 41 }, (_, i) => `2001:db8::${i}`),
    )
    await expect.poll(() => counts.turnedAway).toBe(8)
    const right = signInAda(access, HOME.from)
    await expect.poll(() => counts.turnedAway).toBe(9)
    goOn()
    expect(await right).toMatchObject({ ok: true })
    expect(looked.indexOf(PASSWORD)).toBeLessThanOrEqual(2)
    const outcomes = await all
    expect(outcomes.filter((one) => one instanceof AppError && one.fault === 'busy')).toHaveLength(
      9,
    )
    expect(looked).toHaveLength(33)
  })

  it('from everywhere leaves a place to who comes from where the account has signed in lately', async () => {
    const { access, looked, holdUp, goOn } = await openHeldUp()
    await signInAda(access, '2001:db8:1:2::3')
    holdUp()
    const { counts, all } = crowd(
      access,
      Array.from({ length: 40 }, (_, i) => `203.0.113.${i}`),
    )
    await expect.poll(() => counts.turnedAway).toBe(7)
    const right = signInAda(access, '2001:db8:1:2::4')
    const other = access.signIn({ name: 'eve', password: 'x', from: '203.0.114.1', agent: '' })
    await expect(other).rejects.toMatchObject({ fault: 'busy' })
    expect(counts.turnedAway).toBe(7)
    goOn()
    expect(await right).toMatchObject({ ok: true })
    expect(looked.indexOf(PASSWORD)).toBeLessThanOrEqual(2)
    await all
  })
})

describe('guessing', () => {
  const wrong = async (access: Access, name: string, from: string) =>
    await access.signIn({ name, password: 'some wrong password', from, agent: '' })

  it('at one account from one address ends after five, and nobody else waits', async () => {
    const access = await openWithAda()
    for (let i = 0; i < 5; i += 1) await wrong(access, 'ada', '203.0.113.1')
    const asked = { name: 'ada', password: PASSWORD, agent: '' }
    expect(await access.signIn({ ...asked, from: '203.0.113.1' })).toMatchObject({
      ok: false,
      why: 'slow',
      waitSeconds: 900,
    })
    expect(await access.signIn({ ...asked, from: HOME.from })).toMatchObject({ ok: true })
    clock.now += 901
    expect(await access.signIn({ ...asked, from: '203.0.113.1' })).toMatchObject({ ok: true })
  })

  it('elsewhere never keeps out whoever has come from here lately, however many guess', async () => {
    const access = await openWithAda()
    await signIn(access)
    for (let place = 0; place < 12; place += 1) {
      for (let i = 0; i < 5; i += 1) await wrong(access, 'ada', `203.0.113.${place}`)
    }
    const asked = { name: 'ada', password: PASSWORD, agent: '' }
    expect(await access.signIn({ ...asked, from: '198.51.100.99' })).toMatchObject({ why: 'slow' })
    expect(await access.signIn({ ...asked, from: HOME.from })).toMatchObject({ ok: true })
  })

  it('from every address of one IPv6 network is guessing from one', async () => {
    const access = await openWithAda()
    for (let i = 1; i <= 5; i += 1) await wrong(access, 'ada', `2001:db8:0:7::${i}`)
    const asked = { name: 'ada', password: PASSWORD, agent: '' }
    const next = await access.signIn({ ...asked, from: '2001:db8::7:ffff:0:0:1' })
    expect(next).toMatchObject({ why: 'slow' })
    expect(await access.signIn({ ...asked, from: '2001:db8:0:8::1' })).toMatchObject({ ok: true })
  })

  it('many at once are as many guesses', async () => {
    const access = await openWithAda()
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => wrong(access, 'ada', '203.0.113.1')),
    )
    expect(outcomes.filter((one) => !one.ok && one.why === 'wrong')).toHaveLength(5)
  })
})

describe('a session', () => {
  it('ends when it was not used for a while, when it is old, and with its account', async () => {
    const access = await openWithAda()
    const secret = await signIn(access)
    for (let i = 0; i < 5; i += 1) {
      clock.now += IDLE - 1
      expect(access.identify({ session: secret })).not.toBeNull()
    }
    clock.now += 6
    expect(access.identify({ session: secret }), 'old').toBeNull()
    const idle = await signIn(access)
    clock.now += IDLE
    expect(access.identify({ session: idle }), 'not used').toBeNull()
    const locked = await signIn(access)
    await access.accounts.setLocked('ada', true)
    await access.refresh()
    expect(access.identify({ session: locked }), 'locked').toBeNull()
    expect(await access.signIn({ name: 'ada', password: PASSWORD, ...HOME })).toMatchObject({
      ok: false,
      why: 'wrong',
    })
  })

  it('is there after a restart, and with what was used until then', async () => {
    const access = await openWithAda()
    const secret = await signIn(access)
    clock.now += IDLE - 10
    access.identify({ session: secret })
    await access.refresh()
    await access.close()
    clock.now += 100
    const again = await open()
    expect(again.identify({ session: secret })).toMatchObject({ name: 'ada' })
  })

  it('is none where the folder has lost its secret', async () => {
    const access = await openWithAda()
    const secret = await signIn(access)
    await access.close()
    rmSync(join(dir, 'secret.key'))
    const again = await open()
    expect(again.identify({ session: secret })).toBeNull()
    expect(again.identify({ session: await signIn(again) })).toMatchObject({ name: 'ada' })
  })

  it('that another process has ended is ended here', async () => {
    const access = await openWithAda()
    const secret = await signIn(access)
    const caller = access.identify({ session: secret })
    const other = await open()
    expect(await other.sessions.end(({ name }) => name === 'ada')).toBe(1)
    await access.refresh()
    expect(access.identify({ session: secret })).toBeNull()
    expect(caller && access.createRevalidator()(caller)).toBeNull()
  })

  it('whatever text a browser shows instead opens nothing', async () => {
    const access = await openWithAda()
    await signIn(access)
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^(?:bw_)?[A-Za-z0-9_-]{43}$/)),
        (text) => {
          expect(access.identify({ session: text })).toBeNull()
          expect(access.identify({ token: text })).toBeNull()
        },
      ),
    )
  })
})

describe('who tries a secret after its end', () => {
  const accountsAlone = () =>
    createAccounts({
      records: createFileRecords({ dir, now: () => clock.now, sleep: async () => undefined }),
      now: () => clock.now,
      passwords: createPasswords(CHEAP),
    })
  const NEXT = 'another long enough one'

  it.each([0, 5, -86_400])(
    'finds no session by a password that was changed, by a clock %i seconds on',
    async (seconds) => {
      const access = await openWithAda()
      const secret = await signIn(access)
      clock.now += seconds
      await accountsAlone().setPassword('ada', NEXT)
      await access.refresh()
      expect(access.identify({ session: secret })).toBeNull()
      expect(access.identify({ session: await signIn(access, 'ada', NEXT) })).not.toBeNull()
      expect(access.identify({ session: secret })).toBeNull()
    },
  )

  it('finds nothing by a session or a token of an account that was removed, nor by one of its name', async () => {
    const access = await openWithAda()
    const session = await signIn(access)
    const token = await access.tokens.create({ name: 'ada', label: 'a', scopes: ['read'], days: 9 })
    const caller = access.identify({ token })
    await accountsAlone().remove('ada')
    await access.refresh()
    expect([access.identify({ session }), access.identify({ token })]).toEqual([null, null])
    expect(caller && access.createRevalidator()(caller)).toBeNull()
    await access.accounts.add('ada', 'operator', PASSWORD)
    await access.refresh()
    expect([access.identify({ session }), access.identify({ token })]).toEqual([null, null])
  })

  it.each<[string, (accounts: Accounts) => Promise<void>, (accounts: Accounts) => Promise<void>]>([
    [
      'has another password',
      async (accounts) => void (await accounts.setPassword('ada', NEXT)),
      async () => undefined,
    ],
    [
      'is locked',
      (accounts) => accounts.setLocked('ada', true),
      (accounts) => accounts.setLocked('ada', false),
    ],
    [
      'is removed',
      (accounts) => accounts.remove('ada'),
      (accounts) => accounts.add('ada', 'operator', PASSWORD),
    ],
  ])(
    'gets no session of an account that %s while its password is looked at',
    async (_, shutOut, undo) => {
      let onLooked = async () => {}
      const passwords = createPasswords(CHEAP, async (kept, password) => {
        const isRight = await verify(kept, password)
        await onLooked()
        return isRight
      })
      const access = await openWithAda(passwords)
      const other = await open()
      onLooked = () => shutOut(other.accounts)
      const outcome = await access.signIn({ name: 'ada', password: PASSWORD, ...HOME })
      expect(outcome).toEqual({ ok: false, why: 'wrong' })
      expect((await access.audit.latest(1))[0]).toMatchObject({ who: 'ada', outcome: 'refused' })
      await undo(other.accounts)
      await access.refresh()
      expect(access.sessions.list()).toEqual([])
    },
  )

  it('finds no session that a clock began which was far ahead, and those of a node that is a little ahead', async () => {
    const access = await openWithAda()
    clock.now += ABSOLUTE
    const far = await signIn(access)
    clock.now -= ABSOLUTE
    expect(access.identify({ session: far })).toBeNull()
    expect(access.sessions.list()).toEqual([])
    clock.now += 299
    const little = await signIn(access)
    clock.now -= 299
    expect(access.identify({ session: little })).not.toBeNull()
  })
})

describe('a token', () => {
  it('may do what it was given, and never more than its owner may now', async () => {
    const access = await openWithAda()
    await access.accounts.setRole('ada', 'operator')
    await access.refresh()
    const wanted = { name: 'ada', label: 'nightly', scopes: ['read', 'sync'] as const, days: 7 }
    const token = await access.tokens.create(wanted)
    expect(access.identify({ token })?.permissions).toEqual(['read', 'sync'])
    await access.accounts.setRole('ada', 'reader')
    await access.refresh()
    expect(access.identify({ token })?.permissions).toEqual(['read'])
    await access.accounts.remove('ada')
    await access.refresh()
    expect(access.identify({ token })).toBeNull()
  })

  it('ends when it was said to, and says when it was used last', async () => {
    const access = await openWithAda()
    const token = await access.tokens.create({ name: 'ada', label: 'a', scopes: ['read'], days: 1 })
    expect(access.tokens.list()[0]?.used_at).toBeNull()
    clock.now += 100
    expect(access.identify({ token })).not.toBeNull()
    expect(access.tokens.list()[0]?.used_at).toBe(clock.now)
    clock.now += 86_400
    expect(access.identify({ token })).toBeNull()
    expect(access.tokens.list()).toEqual([])
  })

  it('of nobody, for ever, or to manage others is not made', async () => {
    const access = await openWithAda()
    const good = { name: 'ada', label: 'a', scopes: ['read'] as const, days: 1 }
    for (const wrong of [
      { ...good, label: ' ' },
      { ...good, label: 'a\u202eb' },
      { ...good, scopes: [] },
      { ...good, scopes: ['manage'] as const },
      { ...good, days: 0 },
      { ...good, days: 367 },
      { ...good, days: 1.5 },
    ]) {
      await expect(access.tokens.create(wrong)).rejects.toThrow('token')
    }
  })
})

it('a session that a provider vouched for counts for no account of that name', async () => {
  const byProvider = await open('oidc')
  const secret = await byProvider.welcome({ name: 'ada', groups: ['operators'], ...HOME })
  await byProvider.close()
  const access = await openWithAda()
  expect(access.identify({ session: secret })).toBeNull()
})

describe('who is named by others', () => {
  it('is an operator by name or group, and a reader otherwise', async () => {
    const access = await open('proxy')
    const identify = (name: string, groups: string[] = []) =>
      access.identify({ named: { name, groups } })?.permissions
    expect(identify('root')).toEqual(PERMISSIONS)
    expect(identify('bob', ['staff', 'operators'])).toEqual(PERMISSIONS)
    expect(identify('bob', ['staff'])).toEqual(ROLES.reader)
    expect(access.identify({})).toBeNull()
  })

  it('has tokens with the role of his groups when he was last seen, on every node and after a restart', async () => {
    const access = await open('proxy')
    const see = (groups: string[], by = access) => by.identify({ named: { name: 'bob', groups } })
    const wanted = { name: 'bob', label: 'nightly', scopes: ['read', 'sync'] as const, days: 7 }
    const mayOf = (by: Access) => by.identify({ token })?.permissions
    see(['operators'])
    const token = await access.tokens.create(wanted)
    expect(mayOf(access)).toEqual(['read', 'sync'])
    await access.refresh()
    const other = await open('proxy')
    expect(mayOf(other)).toEqual(['read', 'sync'])
    clock.now += 10
    see(['staff'], other)
    expect(mayOf(other)).toEqual(['read'])
    await other.refresh()
    await access.refresh()
    expect(mayOf(access)).toEqual(['read'])
    clock.now += 10
    see(['operators'])
    await access.refresh()
    expect(mayOf(await open('proxy'))).toEqual(['read', 'sync'])
  })

  it('has tokens of the least role before he was seen', async () => {
    const access = await open('proxy')
    const wanted = { name: 'bob', label: 'nightly', scopes: ['read', 'sync'] as const, days: 7 }
    const token = await access.tokens.create(wanted)
    expect(access.identify({ token })?.permissions).toEqual(['read'])
  })

  it('has tokens that keep his role after his sessions, until he comes with another one', async () => {
    const access = await open('oidc')
    const wanted = { name: 'bob', label: 'nightly', scopes: ['read', 'sync'] as const, days: 7 }
    await access.welcome({ name: 'bob', groups: ['operators'], ...HOME })
    const token = await access.tokens.create(wanted)
    await access.refresh()
    clock.now += ABSOLUTE
    expect(access.sessions.list()).toEqual([])
    expect((await open('oidc')).identify({ token })?.permissions).toEqual(['read', 'sync'])
    await access.welcome({ name: 'bob', groups: [], ...HOME })
    expect(access.identify({ token })?.permissions).toEqual(['read'])
  })

  it('is not believed where passwords are asked for', async () => {
    const access = await openWithAda()
    expect(access.identify({ named: { name: 'ada', groups: ['operators'] } })).toBeNull()
  })
})

describe('the audit log', () => {
  it('tells who did what from where, after a restart too, and holds nothing that could forge a line', async () => {
    const access = await openWithAda()
    await signIn(access)
    await access.signIn({
      name: 'ada\n{"at":1}\u001b[2J',
      password: 'some wrong password',
      from: '203.0.113.9',
      agent: '',
    })
    await access.close()
    const again = await open()
    expect(await again.audit.latest(2)).toMatchObject([
      { who: 'ada�{"at":1}�[2j', from: '203.0.113.9', outcome: 'refused' },
      { who: 'ada', from: HOME.from, what: 'signed in', outcome: 'done' },
    ])
    const lines = readFileSync(join(dir, 'audit.ndjson'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(2)
  })
})

it('many refusals and failures of one network push nothing of others out of the log', async () => {
  const access = await openWithAda()
  await signIn(access)
  for (let i = 0; i < 5000; i += 1) {
    const outcome = i % 3 === 0 ? 'failed' : 'refused'
    const entry = { kind: 'sign-in', who: `name-${i}`, what: 'tried', outcome } as const
    access.audit.note({ ...entry, from: `2001:db8::${i % 5}` })
  }
  const held = await access.audit.latest(1000)
  expect(held).toHaveLength(102)
  expect(held.at(-1)).toMatchObject({ who: 'ada', what: 'signed in' })
  clock.now += 901
  access.audit.note({
    kind: 'sign-in',
    who: 'x',
    from: '2001:db8::1',
    what: 'tried',
    outcome: 'refused',
  })
  expect(await access.audit.latest(1)).toMatchObject([{ who: 'x' }])
})

describe('a damaged file', () => {
  it('lets nobody in', async () => {
    const access = await openWithAda()
    await access.close()
    writeFileSync(join(dir, 'accounts.json'), '{"accounts": [')
    await expect(open()).rejects.toThrow('damaged')
    expect(existsSync(join(dir, 'accounts.json'))).toBe(true)
  })
})

const held = (id: string): RegisterRecord => ({
  id,
  hash: `hash of ${id}`,
  name: 'ada',
  created_at: 1,
  used_at: null,
})

test('a look that others overtake brings back nothing that has ended', async () => {
  let kept = { records: [held('a'), held('b')] }
  const late: (() => void)[] = []
  let isSlow = false
  const register = createRegister<RegisterRecord>({
    file: {
      async load() {
        const read = kept
        if (isSlow) await new Promise<void>((resolve) => late.push(resolve))
        return read
      },
      async update(change) {
        kept = change(kept, 0)
      },
    },
    isLive: () => true,
    now: () => 10,
  })
  await register.refresh()
  isSlow = true
  const look = register.refresh()
  isSlow = false
  expect(await register.end(({ id }) => id === 'a')).toBe(1)
  for (const answer of late) answer()
  await look
  expect(register.find('hash of a')).toBeNull()
  expect(register.list()).toMatchObject([{ id: 'b' }])
})

const HIDDEN = [
  ...['\u0000', '\t', '\n', '\u001b', '\u007f', '\u0085', '\u00a0', '\u00ad', '\u034f', '\u061c'],
  ...['\u115f', '\u1680', '\u180e', '\u2003', '\u200b', '\u200d', '\u2028', '\u2029', '\u202e'],
  ...['\u205f', '\u2060', '\u2800', '\u3000', '\u3164', '\ud800', '\ufe0f', '\ufeff', '\uffa0'],
  ...['\ufffd', '\u{e0061}'],
]

test.each(HIDDEN)('no name holds %j, at an edge or within', (hidden) => {
  for (const name of [`${hidden}ada`, `ada${hidden}`, `a${hidden}da`, hidden]) {
    expect(isPlainName(name)).toBe(false)
  }
})

test.each(['ada', 'Zoë Kovač', 'a@b.example', '山田 太郎', 'o’neill', '😀'])(
  '%s is a name',
  (name) => {
    expect(isPlainName(name)).toBe(true)
  },
)

test.each([
  ['users|ratings-operators', ['users', 'ratings-operators']],
  ['users,ratings-operators', ['users', 'ratings-operators']],
  [' users ;\tratings-operators;', ['users', 'ratings-operators']],
  ['a,b;c|d', ['a', 'b', 'c', 'd']],
  ['users ratings-operators', ['users ratings-operators', 'users', 'ratings-operators']],
  ['users', ['users']],
  ['Domain Users,Ratings Operators', ['Domain Users', 'Ratings Operators']],
  ['friends of ratings-operators, users', ['friends of ratings-operators', 'users']],
  ['Ratings Operators', ['Ratings Operators', 'Ratings', 'Operators']],
  ['', []],
  [',;| ', []],
  ['users\u00a0ratings-operators', []],
  ['ratings-operators\u3000, users', ['users']],
])('the groups in %j are %j', (text, groups) => {
  expect(parseGroups(text)).toEqual(groups)
})
