import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '#testing/draws.ts'
import {
  claim,
  GIVEN_UP_MAX,
  holdsUpOthers,
  OUTBOX_MAX,
  type Outcome,
  post,
  release,
  sendAgain,
  settle,
  toPause,
} from './outbox.ts'
import { type AlertState, type Message, NOTHING_JUDGED } from './state.ts'

const message = (id: string, given: Partial<Message> = {}): Message => ({
  id,
  rule: 'A',
  webhook: 'hook',
  made_at: 1000,
  body: '{}',
  text: id,
  url: null,
  attempts: 0,
  overtaken: null,
  retry_at: 1000,
  reason: null,
  ...given,
})

const withOutbox = (...outbox: Message[]): AlertState => ({ ...NOTHING_JUDGED, outbox })

const away = { delivered: false, reason: 'away', isFinal: false, waitSeconds: 0 } as const
const refused = { delivered: false, reason: 'refused', isFinal: true, waitSeconds: 0 } as const
const came = { delivered: true } as const

describe('a message that does not come through', () => {
  test('is tried again after pauses that grow, each somewhat more or less', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 50].map((failures) => toPause(failures, 0.5))
    expect(pauses).toEqual([10, 30, 120, 600, 1800, 3600, 7200, 14_400, 14_400, 14_400])
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, random) => {
          const middle = toPause(failures, 0.5)
          expect(Math.abs(toPause(failures, random) - middle)).toBeLessThanOrEqual(0.2 * middle + 1)
        },
      ),
    )
  })

  test('waits as long as its receiver asks, and holds up those to the same', () => {
    const state = withOutbox(message('a'), message('b'), message('c', { webhook: 'other' }))
    const busy = { ...away, waitSeconds: 7200 }
    const next = settle(state, new Map([['a', busy]]), { at: 1000, random: () => 0.5 })
    const due = (now: number) =>
      claim(next, { at: now, until: now + 60, most: 8 }).claimed.map(({ id }) => id)
    expect(due(1100)).toEqual(['c'])
    expect(due(8199)).toEqual(['c'])
    expect(due(8200)).toEqual(['a', 'c'])
  })

  test('because its receiver refuses it is given up at once, and holds up no other', () => {
    const state = withOutbox(message('a'), message('b'))
    const next = settle(state, new Map([['a', refused]]), { at: 1000, random: () => 0.5 })
    expect(next.given_up).toMatchObject([{ id: 'a', reason: 'refused', attempts: 1 }])
    expect(claim(next, { at: 1001, until: 1060, most: 8 }).claimed).toMatchObject([{ id: 'b' }])
  })

  test('that was claimed is left alone by everybody else until then', () => {
    const first = claim(withOutbox(message('a'), message('b')), { at: 1000, until: 1060, most: 1 })
    expect(first.claimed).toMatchObject([{ id: 'a' }])
    const second = claim(first.state, { at: 1001, until: 1061, most: 8 })
    expect(second.claimed).toMatchObject([{ id: 'b' }])
    expect(claim(second.state, { at: 1059, until: 1119, most: 8 }).claimed).toEqual([])
    expect(claim(second.state, { at: 1061, until: 1121, most: 8 }).claimed).toHaveLength(2)
  })

  test('waits for no instant that a clock which went wrong has named', () => {
    const state = withOutbox(message('a', { retry_at: 1000 + 400 * 86_400 }))
    expect(claim(state, { at: 1000, until: 1060, most: 8 }).claimed).toHaveLength(1)
  })

  test('is put back as if it were new, and the receiver asked at once', () => {
    const target = { name: 'hook', failures: 9, retry_at: 99_999, failed_at: 1, reason: 'away' }
    const state: AlertState = {
      ...NOTHING_JUDGED,
      given_up: [message('a', { attempts: 12, reason: 'away' }), message('b')],
      targets: [{ ...target, sent_at: null }],
    }
    const next = sendAgain(state, 'a', 5000)
    expect(next.given_up).toMatchObject([{ id: 'b' }])
    expect(next.outbox).toMatchObject([{ id: 'a', attempts: 0, made_at: 5000, reason: null }])
    expect(claim(next, { at: 5000, until: 5060, most: 8 }).claimed).toHaveLength(1)
    expect(sendAgain(state, 'none', 5000)).toBe(state)
    expect(sendAgain(state, null, 5000).outbox).toHaveLength(2)
  })
})

test('an outbox that is full takes no more, and what happens is held until there is room', () => {
  const rule = { name: 'A', webhook: 'hook', kind: 'sync' } as const
  const held = { total: 3, from: 1000, ratings: [], changes: [], alarms: [] }
  const kept = {
    name: 'A',
    definition: 'x',
    since: 0,
    told_at: null,
    held,
    symbols: [],
    alarms: [],
    gone_at: null,
  }
  const book = {
    targets: new Map(),
    problems: [],
    rules: [{ rule, definition: 'x', query: null }],
  }
  const posting = { at: 2000, makeId: () => 'new', toAddress: () => null }
  const full = Array.from({ length: OUTBOX_MAX }, (_, n) => message(String(n)))
  const state = { ...withOutbox(...full), rules: [kept] }
  expect(post(state, book, posting)).toBe(state)
  const roomy = post({ ...state, outbox: full.slice(1) }, book, posting)
  expect(roomy.outbox.at(-1)).toMatchObject({ id: 'new', rule: 'A' })
  expect(roomy.rules[0]).toMatchObject({ held: null, told_at: 2000 })
})

test('of what was given up the newest stay', () => {
  const given_up = Array.from({ length: GIVEN_UP_MAX }, (_, n) => message(String(n)))
  const state = { ...withOutbox(message('last')), given_up }
  const next = settle(state, new Map([['last', refused]]), { at: 1000, random: () => 0.5 })
  expect(next.given_up).toHaveLength(GIVEN_UP_MAX)
  expect(next.given_up.at(-1)?.id).toBe('last')
  expect(next.given_up[0]?.id).toBe('1')
})

function play(
  start: AlertState,
  { fails, seconds }: { fails: (id: string, at: number) => boolean; seconds: number },
) {
  let state = start
  const arrived: string[] = []
  const tried: string[] = []
  for (let at = 1000; at < 1000 + seconds; at += at < 1600 ? 5 : 60) {
    const { claimed, ...found } = claim(state, { at, until: at + 60, most: 8 })
    const outcomes = new Map<string, Outcome>()
    for (const one of claimed) {
      tried.push(one.id)
      const isLost = fails(one.id, at)
      outcomes.set(one.id, isLost ? away : came)
      if (!isLost) arrived.push(one.id)
      else if (holdsUpOthers(one)) break
    }
    const ids = new Set(claimed.map(({ id }) => id).filter((id) => !outcomes.has(id)))
    const released = release(found.state, { ids, until: at + 60, at })
    state = settle(released, outcomes, { at, random: () => 0.5 })
  }
  return { arrived, tried, state }
}

describe('a message that its receiver alone fails for', () => {
  const letters = ['a', 'b', 'c', 'd', 'e', 'f']
  const start = withOutbox(...letters.map((id) => message(id)))

  test('holds up the later ones for its first tries only, and they keep their order', () => {
    const { arrived } = play(start, { fails: (id) => id === 'c', seconds: 60 })
    expect(arrived).toEqual(['a', 'b', 'd', 'e', 'f'])
  })

  test('is given up after its tries, and its receiver is well', () => {
    const { state, tried } = play(start, { fails: (id) => id === 'c', seconds: 7200 })
    expect(state.outbox).toEqual([])
    expect(state.given_up).toMatchObject([
      { id: 'c', attempts: 8, reason: 'away Later messages were delivered.' },
    ])
    expect(tried.filter((id) => id === 'c')).toHaveLength(8)
    expect(state.targets).toMatchObject([{ failures: 0 }])
  })

  test('comes through later if its receiver takes it after all', () => {
    const fails = (id: string, at: number) => id === 'c' && at < 1100
    const { arrived, state } = play(start, { fails, seconds: 3600 })
    expect(arrived).toEqual(['a', 'b', 'd', 'e', 'f', 'c'])
    expect(state.given_up).toEqual([])
  })

  test('holds up none that is posted while it waits for its next try', () => {
    const { state } = play(start, { fails: (id) => id === 'c', seconds: 1800 })
    expect(state.outbox).toMatchObject([{ id: 'c', overtaken: 4 }])
    const next = { ...state, outbox: [...state.outbox, message('new')] }
    expect(claim(next, { at: 2800, until: 2860, most: 8 }).claimed).toMatchObject([{ id: 'new' }])
  })

  test('is not taken for one while its receiver is away: all come through afterwards, in order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 * 3600 }), (seconds) => {
        const fails = (_: string, at: number) => at < 1000 + seconds
        const { arrived, state } = play(start, { fails, seconds: seconds + 6 * 3600 })
        expect(arrived).toEqual(letters)
        expect(state.given_up).toEqual([])
      }),
      { numRuns: draws(20) },
    )
  })

  test('does not double the attempts on a receiver that is away for a day', () => {
    const { tried } = play(start, { fails: () => true, seconds: 86_400 })
    expect(tried.length).toBeLessThan(30)
  })
})

test('a claim that another node has taken over is not released', () => {
  const first = claim(withOutbox(message('a'), message('b')), { at: 1000, until: 1060, most: 8 })
  const second = claim(first.state, { at: 1060, until: 1120, most: 1 })
  const ids = new Set(['a', 'b'])
  const released = release(second.state, { ids, until: 1060, at: 1061 })
  expect(released.outbox).toMatchObject([
    { id: 'a', retry_at: 1120 },
    { id: 'b', retry_at: 1061 },
  ])
})

test('messages of eight webhooks are sent at once, and of each the oldest', () => {
  const hooks = Array.from({ length: 9 }, (_, n) => `hook ${n}`)
  const outbox = hooks.flatMap((webhook) => [
    message(`${webhook} a`, { webhook }),
    message(`${webhook} b`, { webhook }),
  ])
  const { claimed } = claim(withOutbox(...outbox), { at: 1000, until: 1060, most: 1 })
  expect(claimed.map(({ id }) => id)).toEqual(hooks.slice(0, 8).map((webhook) => `${webhook} a`))
})
