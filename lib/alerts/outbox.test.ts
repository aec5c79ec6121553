import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  claim,
  GIVEN_UP_MAX,
  isQuiet,
  OUTBOX_MAX,
  post,
  sendAgain,
  settle,
  toPause,
} from './outbox.ts'
import { type AlertState, type Message, NOTHING_JUDGED } from './state.ts'

const at = (text: string) => Date.parse(text) / 1000

const message = (id: string, given: Partial<Message> = {}): Message => ({
  ...{ id, rule: 'A', webhook: 'hook', made_at: 1000, body: '{}', text: id },
  ...{ attempts: 0, retry_at: 1000, reason: null },
  ...given,
})

const withOutbox = (...outbox: Message[]): AlertState => ({ ...NOTHING_JUDGED, outbox })

const away = {
  ...{ delivered: false, reason: 'away', isFinal: false, isAway: true, waitSeconds: 0 },
} as const

describe('quiet hours', () => {
  const night = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' }
  test.each([
    ['2026-11-24T20:59:59Z', false],
    ['2026-11-24T21:00:00Z', true],
    ['2026-11-25T05:59:59Z', true],
    ['2026-11-25T06:00:00Z', false],
    // The same hours in summer are an hour earlier.
    ['2026-07-24T20:00:00Z', true],
    ['2026-07-25T05:00:00Z', false],
  ])('over midnight, by the clock of their zone: %s', (text, expected) => {
    expect(isQuiet(night, at(text))).toBe(expected)
  })

  test('within a day, and none', () => {
    const noon = { from: '12:00', to: '13:30', zone: 'UTC' }
    expect(isQuiet(noon, at('2026-11-24T12:00:00Z'))).toBe(true)
    expect(isQuiet(noon, at('2026-11-24T13:30:00Z'))).toBe(false)
    expect(isQuiet(noon, at('2026-11-24T00:00:00Z'))).toBe(false)
    expect(isQuiet({ ...noon, to: '12:00' }, at('2026-11-24T12:00:00Z'))).toBe(false)
    expect(isQuiet(undefined, 0)).toBe(false)
  })
})

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
    // Only the oldest, until it has come through.
    expect(due(8200)).toEqual(['a', 'c'])
  })

  test('for reasons of its own holds up no other', () => {
    const state = withOutbox(message('a'), message('b'))
    const refused = { ...away, isAway: false }
    const next = settle(state, new Map([['a', refused]]), { at: 1000, random: () => 0.5 })
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
    ...{ name: 'A', definition: 'x', since: 0, told: [], told_at: null, held },
    ...{ symbols: [], alarms: [], gone_at: null },
  }
  const book = {
    ...{ targets: new Map(), problems: [] },
    rules: [{ rule, source: 'form' as const, definition: 'x', query: null }],
  }
  const posting = { at: 2000, makeId: () => 'new', toAddress: () => null }
  const full = Array.from({ length: OUTBOX_MAX }, (_, n) => message(String(n)))
  const state = { ...withOutbox(...full), rules: [kept] }
  expect(post(state, book, posting)).toBe(state)
  const roomy = post({ ...state, outbox: full.slice(1) }, book, posting)
  expect(roomy.outbox.at(-1)).toMatchObject({ id: 'new', rule: 'A' })
  expect(roomy.rules[0]).toMatchObject({ held: null, told: [2000] })
})

test('of what was given up the newest stay', () => {
  const given_up = Array.from({ length: GIVEN_UP_MAX }, (_, n) => message(String(n)))
  const state = { ...withOutbox(message('last')), given_up }
  const gone = { ...away, isFinal: true, isAway: false }
  const next = settle(state, new Map([['last', gone]]), { at: 1000, random: () => 0.5 })
  expect(next.given_up).toHaveLength(GIVEN_UP_MAX)
  expect(next.given_up.at(-1)?.id).toBe('last')
  expect(next.given_up[0]?.id).toBe('1')
})
