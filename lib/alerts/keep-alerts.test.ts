import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { openAlerts } from '#testing/alerts/open-alerts.ts'
import { openReceiver, type Receiver, SECRET } from '#testing/alerts/open-receiver.ts'
import { makeRating, START } from '#testing/archive/arbitrary.ts'
import type { Deliverer } from './deliver.ts'

const HOUR = 3600
const DAY = 86_400
const PATIENCE = { timeout: 60_000 }

let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())

async function open(options: Parameters<typeof openAlerts>[0] = {}) {
  await receiver.become('well')
  await receiver.forget()
  const house = await openAlerts(options)
  onTestFinished(house.close)
  const target = { url: receiver.url, secret: SECRET }
  let rules = 0
  const follow = async (rule: object) => {
    rules += 1
    const named = { name: `Rule ${rules}`, webhook: 'hook', ...rule }
    await house.alerts().add({ rule: named, ...(rules === 1 && { target }) })
  }
  const bodies = async () => (await receiver.read()).got.map(({ body }) => body)
  const texts = async () => (await bodies()).map(({ text }) => text)
  return { ...house, follow, bodies, texts, target }
}

const posted = (id: number, at: number, given: object = {}) =>
  makeRating({ id, user_id: id, created_at: at, ...given })

afterEach(() => expect.hasAssertions())

describe('new ratings', () => {
  test('of a query are told once, signed, in words and for programs; nothing of the past is', async () => {
    const { commit, clock, follow, pass, bodies, restart } = await open()
    await commit([posted(1, START - 10), posted(2, START - 5)])
    await follow({ kind: 'ratings', query: '?symbol=AAPL&rating=5' })
    await pass(60)
    expect(await bodies()).toEqual([])
    await commit([posted(3, clock.now, { rating: 5 }), posted(4, clock.now, { rating: 2 })])
    await pass(5)
    expect(await bodies()).toMatchObject([
      {
        type: 'alert.ratings',
        timestamp: '2024-01-01T00:01:05Z',
        data: {
          rule: 'Rule 1',
          total: 1,
          query: '?symbol=AAPL&rating=5',
          ratings: [{ id: 3, symbol: 'AAPL', rating: 5, prediction: '10.00' }],
          url: 'https://ratings.example/ratings/3',
        },
        text: 'Rule 1: a new rating\n• AAPL: Rating 5, +10.00% (user 3, 2024-01-01 00:01 UTC)\nhttps://ratings.example/ratings/3',
      },
    ])
    expect((await receiver.read()).got.every(({ isSigned }) => isSigned)).toBe(true)
    await restart()
    await pass(60)
    expect(await bodies()).toHaveLength(1)
  })

  test('that come late, with a lower number, are told; those that come again changed are not', async () => {
    const { commit, clock, follow, pass, bodies } = await open()
    await commit([posted(1, START - 10)])
    await follow({ kind: 'ratings', query: '' })
    await pass(60)
    await commit([posted(2, clock.now), posted(5, clock.now)])
    await pass(5)
    await commit([posted(4, clock.now - 30), posted(5, clock.now - 5, { tally_agree: 9 })])
    await pass(5)
    const ids = (await bodies()).map(({ data }) =>
      (data.ratings as { id: number }[]).map(({ id }) => id),
    )
    expect(ids).toEqual([[5, 2], [4]])
  })

  test('that were posted before the rule began are not told, however late they come', async () => {
    const { commit, clock, follow, pass, bodies } = await open()
    await commit([posted(9, START - 10)])
    await follow({ kind: 'ratings', query: '' })
    await pass(60)
    await commit([posted(3, START - DAY), posted(10, START - 1), posted(11, clock.now)])
    await pass(5)
    expect((await bodies()).map(({ data }) => data.total)).toEqual([1])
  })

  test('of a symbol that would call everybody, or hides what it says, call nobody', async () => {
    const { commit, clock, follow, pass, bodies } = await open()
    await commit([posted(1, START - 10)])
    await follow({ kind: 'ratings', query: '' })
    await pass(60)
    await commit([posted(2, clock.now, { symbol: '<!channel> @here \u202eX' })])
    await pass(5)
    const [body] = await bodies()
    expect(body?.text).toContain('<\u200b!channel> @\u200bhere \\u202eX')
  })
})

describe('a consensus', () => {
  test('that crosses a value is told each time, with enough active ratings', async () => {
    const { commit, clock, follow, pass, texts } = await open()
    await commit([1, 2].map((id) => posted(id, START - 10, { rating: 3 })))
    await follow({ kind: 'crossing', symbols: ['aapl', 'NONE'], value: '3.5', minimum: 3 })
    await pass(60)
    await commit([posted(3, clock.now, { rating: 3 })])
    await pass(60)
    await commit([posted(4, clock.now, { rating: 4 })])
    await pass(60)
    expect(await texts()).toEqual([])
    await commit([posted(5, clock.now, { rating: 5 })])
    await pass(60)
    expect(await texts()).toEqual([
      'Rule 1: the consensus crossed 3.5\n• AAPL: up to 3.60, of 5 active ratings\nhttps://ratings.example/symbols/AAPL',
    ])
    await commit([posted(6, clock.now, { rating: 1 })])
    await pass(60)
    expect((await texts())[1]).toContain('• AAPL: down to 3.17, of 6 active ratings')
  })

  test('that changes by itself, as ratings expire, is told without a commit', async () => {
    const { commit, follow, pass, texts } = await open()
    const expired_at = START + HOUR
    await commit([
      ...[1, 2, 3].map((id) => posted(id, START - 10, { rating: 2 })),
      ...[4, 5].map((id) => posted(id, START - 10, { rating: 5, expired_at })),
    ])
    await follow({ kind: 'crossing', symbols: ['AAPL'], value: '3' })
    await pass(60)
    await pass(2 * HOUR)
    expect(await texts()).toMatchObject([expect.stringContaining('down to 2.00, of 3 active')])
  })

  test('that moved by so much within days is told once, until it went back by half', async () => {
    const { commit, clock, follow, pass, bodies } = await open()
    await commit([1, 2, 3].map((id) => posted(id, START - 40 * DAY, { rating: 2 })))
    await follow({ kind: 'change', symbols: ['AAPL'], by: '0.5', days: 30 })
    await pass(60)
    await commit([posted(4, clock.now, { rating: 4 }), posted(5, clock.now, { rating: 4 })])
    await pass(60)
    expect((await bodies()).map(({ data }) => data.changes)).toEqual([
      [
        {
          symbol: 'AAPL',
          at: clock.now,
          direction: 'up',
          consensus: '2.8000',
          active: 5,
          consensus_before: '2.0000',
          change: '0.8000',
        },
      ],
    ])
    await commit([posted(6, clock.now, { rating: 1 })])
    await pass(60)
    await commit([posted(7, clock.now, { rating: 5 })])
    await pass(60)
    expect(await bodies()).toHaveLength(1)
    await pass(31 * DAY)
    await commit([8, 9, 10].map((id) => posted(id, clock.now, { rating: 5 })))
    await pass(60)
    expect(await bodies()).toHaveLength(2)
  })
})

describe('the sync', () => {
  test('is told of when it is ill and when it is well, over a restart and a flicker once', async () => {
    const { state, follow, pass, texts, restart } = await open()
    await follow({ kind: 'sync' })
    const alarm = { kind: 'unreachable', since: START, message: 'The service is away.' } as const
    state.alarms = [alarm]
    await pass(5)
    state.alarms = []
    await restart()
    await pass(60)
    state.alarms = [alarm]
    await pass(60)
    expect(await texts()).toEqual([
      'Rule 1: the sync has a problem\n• unreachable: The service is away. (since 2024-01-01 00:00 UTC)\nhttps://ratings.example/status',
    ])
    state.alarms = []
    await pass(60)
    await pass(301)
    expect((await texts())[1]).toContain('unreachable: over; it had lasted since')
  })
})

describe('a receiver', () => {
  test('that fails for an hour gets everything afterwards, once and in order', async () => {
    const { commit, clock, follow, pass, bodies, restart } = await open()
    await commit([posted(1, START - 10)])
    await follow({ kind: 'ratings', query: '' })
    await pass(60)
    await receiver.become('failing')
    for (let id = 2; id < 14; id += 1) {
      await commit([posted(id, clock.now)])
      await pass(300)
      if (id === 7) await restart()
    }
    expect((await receiver.read()).requests).toBeLessThan(12)
    await receiver.become('well')
    await pass(HOUR)
    await pass(60)
    const ids = (await bodies()).flatMap(({ data }) =>
      (data.ratings as { id: number }[]).map(({ id }) => id),
    )
    expect(ids).toEqual(Array.from({ length: 12 }, (_, index) => index + 2))
    const { got } = await receiver.read()
    expect(new Set(got.map(({ id }) => id)).size).toBe(12)
    expect(got.every(({ isSigned }) => isSigned)).toBe(true)
  })

  test('that is down for two days loses queued messages, until an operator sends them again', async () => {
    const { commit, clock, follow, pass, bodies, alerts } = await open()
    await commit([posted(1, START - 10)])
    await follow({ kind: 'ratings', query: '' })
    await pass(60)
    await receiver.become('failing')
    await commit([posted(2, clock.now)])
    for (let hours = 0; hours < 48; hours += 1) await pass(HOUR)
    const report = await alerts().report()
    expect(report).toMatchObject({
      outbox_total: 0,
      given_up_total: 1,
      given_up: [{ reason: 'It answered with 500.', webhook: 'hook' }],
      webhooks: [{ failure: { reason: 'It answered with 500.' } }],
    })
    await receiver.become('well')
    await alerts().sendAgain(report.given_up[0]?.id ?? '')
    await pass(5)
    expect(await bodies()).toHaveLength(1)
    expect(await alerts().report()).toMatchObject({ given_up_total: 0, sent: 1 })
  })

  test('that is gone for good is not asked again', async () => {
    const { commit, clock, follow, pass, alerts } = await open()
    await commit([posted(1, START - 10)])
    await follow({ kind: 'ratings', query: '' })
    await pass(60)
    await receiver.become('gone')
    await commit([posted(2, clock.now)])
    await pass(5)
    await pass(DAY)
    expect((await receiver.read()).requests).toBe(1)
    expect(await alerts().report()).toMatchObject({ given_up_total: 1, outbox_total: 0 })
  })

  test('inside the network is sent nothing unless the operator says so', async () => {
    const { commit, clock, follow, pass, alerts, target } = await open({
      allowsPrivate: false,
    })
    await expect(follow({ kind: 'ratings', query: '' })).rejects.toThrow(/plain http/)
    const https = { ...target, url: target.url.replace('http:', 'https:') }
    const rule = { name: 'A', webhook: 'hook', kind: 'ratings', query: '' }
    await alerts().add({ rule, target: https })
    expect(await alerts().tryOut('hook')).toMatchObject({
      delivered: false,
      status: null,
      reason: expect.stringContaining('The address is private'),
    })
    await commit([posted(1, START - 10)])
    await pass(60)
    await commit([posted(2, clock.now)])
    await pass(60)
    expect((await receiver.read()).requests).toBe(0)
    expect(await alerts().report()).toMatchObject({ given_up_total: 1 })
  })

  test.each([
    ['refuses', 'strict', 'It refused the message (422).'],
    ['fails for', 'picky', 'It answered with 500. Later messages were delivered.'],
  ] as const)(
    'that %s one message gets the later ones in order, over a restart',
    async (_, mode, why) => {
      const { commit, clock, follow, pass, bodies, alerts, restart } = await open()
      await commit([posted(1, START - 10)])
      await follow({ kind: 'ratings', query: '' })
      await pass(60)
      await receiver.become(mode)
      await commit([posted(2, clock.now, { symbol: 'POISON' })])
      await pass(5)
      for (let id = 3; id < 7; id += 1) {
        await commit([posted(id, clock.now)])
        await pass(15)
      }
      await restart()
      const ids = async () =>
        (await bodies()).flatMap(({ data }) =>
          (data.ratings as { id: number }[]).map(({ id }) => id),
        )
      expect(await ids()).toEqual([3, 4, 5, 6])
      for (let minutes = 0; minutes < 60; minutes += 1) await pass(60)
      expect(await ids()).toEqual([3, 4, 5, 6])
      expect(await alerts().report()).toMatchObject({
        outbox_total: 0,
        given_up: [{ reason: why, text: expect.stringContaining('POISON') }],
        sent: 4,
      })
    },
  )

  test('that is Mattermost behind a path of its own gets what it understands', async () => {
    const { commit, clock, pass, bodies, alerts } = await open()
    await receiver.become('mattermost')
    const url = receiver.url.replace('/hook', '/chat/hooks/abcdefghijklmnopqrstuvwxyz')
    const rule = { name: 'All', webhook: 'hook', kind: 'ratings', query: '' }
    await alerts().add({ rule, target: { url, secret: SECRET } })
    await commit([posted(1, START - 10)])
    await pass(60)
    await commit([posted(2, clock.now)])
    await pass(5)
    const tried = await alerts().tryOut('hook')
    expect(tried).toMatchObject({ delivered: true, status: 200, format: 'mattermost' })
    expect(await bodies()).toEqual([
      { text: expect.stringMatching(/^All: a new rating\n• AAPL: /) },
      JSON.parse(tried.body),
    ])
    expect(await alerts().report()).toMatchObject({ webhooks: [{ format: 'mattermost' }] })
  })

  test.each([0, 8])(
    'that takes %i seconds a message gets one after the other, in order',
    async (seconds) => {
      const running = { now: 0, most: 0 }
      const arrived: number[] = []
      let wait = () => {}
      const deliver: Deliverer['deliver'] = async (_, { id }) => {
        running.now += 1
        running.most = Math.max(running.most, running.now)
        wait()
        for (let turns = 20 - arrived.length; turns > 0; turns -= 1) await Promise.resolve()
        arrived.push(Number(id.split('_')[1]))
        running.now -= 1
        return { delivered: true, status: 200 }
      }
      const { commit, clock, alerts, pass } = await open({
        deliverer: { deliver, close: async () => {} },
      })
      wait = () => {
        clock.ms += seconds * 1000
      }
      const target = { url: 'https://chat.example/', secret: SECRET }
      for (let rules = 0; rules < 12; rules += 1) {
        const rule = { name: `Rule ${rules}`, webhook: 'hook', kind: 'ratings', query: '' }
        await alerts().add({ rule, ...(rules === 0 && { target }) })
      }
      await commit([posted(1, START - 10)])
      await pass(60)
      await commit([posted(2, clock.now)])
      await pass(5)
      expect(running.most).toBe(1)
      expect(arrived).toHaveLength(12)
      expect(arrived).toEqual(arrived.toSorted((a, b) => a - b))
    },
  )

  test('gets one test at a time, and no more than four are sent at once', async () => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const deliver = vi.fn<Deliverer['deliver']>(async () => {
      await answered
      return { delivered: true, status: 200 }
    })
    const { alerts } = await open({ deliverer: { deliver, close: async () => {} } })
    for (let hook = 0; hook < 5; hook += 1) {
      const rule = { name: `Rule ${hook}`, webhook: `hook ${hook}`, kind: 'sync' }
      await alerts().add({ rule, target: { url: 'https://chat.example/', secret: SECRET } })
    }
    const first = alerts().tryOut('hook 0')
    await vi.waitFor(() => expect(deliver).toHaveBeenCalledTimes(1), PATIENCE)
    const busy = {
      fault: 'rate_limited',
      message: expect.stringContaining('is already being tested'),
    }
    await expect(alerts().tryOut('hook 0')).rejects.toMatchObject(busy)
    const others = [1, 2, 3].map((hook) => alerts().tryOut(`hook ${hook}`))
    await vi.waitFor(() => expect(deliver).toHaveBeenCalledTimes(4), PATIENCE)
    await expect(alerts().tryOut('hook 4')).rejects.toMatchObject({
      fault: 'rate_limited',
      retryAfterSeconds: 5,
    })
    answer()
    expect(await Promise.all([first, ...others])).toHaveLength(4)
    expect(await alerts().tryOut('hook 0')).toMatchObject({ delivered: true })
  })
})

describe('a rule', () => {
  test('tells of each round once, and of many ratings the newest', async () => {
    const { commit, clock, follow, pass, bodies } = await open()
    await commit([posted(1, START - 10)])
    await follow({ kind: 'ratings', query: '' })
    await pass(60)
    for (const ids of [[2], Array.from({ length: 28 }, (_, n) => n + 3)]) {
      await commit(ids.map((id) => posted(id, clock.now)))
      await pass(60)
    }
    const told = await bodies()
    expect(told.map(({ data }) => data.total)).toEqual([1, 28])
    expect(told[1]?.text).toMatch(/^Rule 1: 28 new ratings\n(?:• .*\n){10}… and 18 more\.\n/)
    expect(told[1]?.text.length).toBeLessThan(2000)
  })

  test('that was stored with quiet hours and a limit goes on without them', async () => {
    const { alerts, dir, target, commit, clock, pass, bodies, restart } = await open()
    const path = join(dir, 'rules.json')
    const quiet_hours = { from: '00:00', to: '23:59', zone: 'UTC' }
    const rule = { name: 'All', webhook: 'hook', kind: 'ratings', query: '' }
    const rules = [{ ...rule, at_most_an_hour: 1, quiet_hours }]
    writeFileSync(path, JSON.stringify({ webhooks: [{ name: 'hook', ...target }], rules }))
    await restart()
    expect(await alerts().report()).toMatchObject({ problems: [], rules: [{ name: 'All' }] })
    await commit([posted(1, START - 10)])
    await pass(60)
    for (const id of [2, 3]) {
      await commit([posted(id, clock.now)])
      await pass(60)
    }
    expect(await bodies()).toHaveLength(2)
    const refusal = alerts().add({ rule: { ...rule, name: 'B', quiet_hours } })
    await expect(refusal).rejects.toThrow(/quiet_hours is unknown/)
    await alerts().add({ rule: { name: 'Sync', webhook: 'hook', kind: 'sync' } })
    expect(JSON.parse(readFileSync(path, 'utf8')).rules[0]).toEqual(rule)
  })

  test('that was added here is taken away, and its webhook with it', async () => {
    const { follow, alerts, target } = await open()
    await follow({ kind: 'sync' })
    await follow({ kind: 'ratings', query: 'symbol=AAPL' })
    await alerts().remove('Rule 1')
    expect(await alerts().report()).toMatchObject({ rules: [{ name: 'Rule 2' }], webhooks: [{}] })
    await alerts().remove('Rule 2')
    expect(await alerts().report()).toMatchObject({ rules: [], webhooks: [] })
    await expect(alerts().remove('Rule 2')).rejects.toThrow(AppError)
    await alerts().add({ rule: { name: 'A', webhook: 'new', kind: 'sync' }, target })
  })

  test('that is wrong is refused with each thing that is, and nothing is kept of it', async () => {
    const { alerts, target, follow } = await open()
    await follow({ kind: 'sync' })
    const refusal = alerts().add({
      rule: { name: 'B', webhook: 'other', kind: 'ratings', query: 'stars=5' },
      target: { ...target, secret: 'whsec_secretthatisshort' },
    })
    await expect(refusal).rejects.toMatchObject({
      fault: 'bad_request',
      issues: [
        { parameter: 'secret', message: expect.stringContaining('is not a secret') },
        { parameter: 'query', message: 'does not parse: stars is not a parameter here' },
      ],
    })
    await expect(refusal).rejects.not.toThrow(/secretthatisshort/)
    expect((await alerts().report()).rules).toHaveLength(1)
    await expect(follow({ name: 'Rule 1', kind: 'sync' })).rejects.toThrow(/name of another rule/)
  })
})

test('no secret is in a report, in the log, or readable by others on the disk', async () => {
  const { alerts, follow, lines, secrets, pass, commit, clock, dir } = await open()
  await commit([posted(1, START - 10)])
  await follow({ kind: 'ratings', query: '' })
  await receiver.become('failing')
  await pass(60)
  await commit([posted(2, clock.now)])
  await pass(60)
  const shown = JSON.stringify(await alerts().report()) + lines.join('')
  expect(lines.join('')).toContain('could not be delivered')
  expect(shown).not.toContain(SECRET)
  expect(shown).not.toContain('/hook')
  expect(secrets).toContain(SECRET)
  for (const name of ['rules.json', 'state.json']) {
    expect(statSync(join(dir, name)).mode & 0o077).toBe(0)
  }
})

test('of several nodes the one that does not sync judges and sends nothing', async () => {
  const { state, commit, clock, follow, pass, bodies } = await open()
  await commit([posted(1, START - 10)])
  await follow({ kind: 'ratings', query: '' })
  await pass(60)
  state.isJudging = false
  await commit([posted(2, clock.now)])
  await pass(60)
  expect(await bodies()).toEqual([])
  state.isJudging = true
  await pass(60)
  expect(await bodies()).toHaveLength(1)
})
