import { describe, expect, it } from 'vitest'
import type { Lease } from '#lib/store/lease.ts'
import { createTerms } from './terms.ts'

function setUp() {
  const held = { epoch: 0, untilMs: 0, isAway: false, nowMs: 0 }
  const told: string[] = []
  let look = () => {}
  const answer = <T>(value: T): Promise<T> =>
    held.isAway ? Promise.reject(new Error('away')) : Promise.resolve(value)
  const terms = createTerms({
    async take() {
      if (held.untilMs > held.nowMs) return await answer(null)
      held.epoch += 1
      held.untilMs = held.nowMs + 15_000
      return await answer({ epoch: held.epoch, holder: 'a' })
    },
    async renew({ epoch }: Lease) {
      if (!held.isAway && epoch === held.epoch) held.untilMs = held.nowMs + 15_000
      return await answer(epoch === held.epoch)
    },
    async release() {
      told.push('released')
      held.untilMs = 0
    },
    mayLead: () => true,
    onBegin: async ({ epoch }) => {
      told.push(`begins ${epoch}`)
    },
    onEnd: async (why) => {
      told.push(`ends: ${why}`)
    },
    nowMs: () => held.nowMs,
    every: (_seconds, run) => {
      look = run
      return () => {}
    },
  })
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      held.nowMs += 1000
      look()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { terms, held, told, pass, look: () => look() }
}

describe('a term', () => {
  it('lasts as long as it is renewed', async () => {
    const { terms, told, pass } = setUp()
    await pass(120)
    expect(terms.lease()).toMatchObject({ epoch: 1 })
    expect(told).toEqual(['begins 1'])
  })

  it('ends before the database lets another begin, when it cannot be renewed', async () => {
    const { terms, held, told, pass } = setUp()
    await pass(2)
    held.isAway = true
    const seen: boolean[] = []
    for (let second = 0; second < 20; second += 1) {
      await pass(1)
      seen.push(terms.lease() !== null && held.untilMs <= held.nowMs)
    }
    expect(seen).not.toContain(true)
    expect(terms.lease()).toBeNull()
    expect(told).toEqual(['begins 1', 'ends: lost'])
  })

  it('is over at once for a process that slept past its lease, before it looks', async () => {
    const { terms, held, pass } = setUp()
    await pass(2)
    held.nowMs += 60_000
    expect(terms.lease()).toBeNull()
  })

  it('ends when another has taken the lease', async () => {
    const { terms, held, told, pass } = setUp()
    await pass(2)
    held.epoch += 1
    held.untilMs = held.nowMs + 60_000
    await pass(6)
    expect(terms.lease()).toBeNull()
    expect(told).toEqual(['begins 1', 'ends: lost'])
  })

  it('that ended is followed by another when the lease is free again', async () => {
    const { terms, held, told, pass } = setUp()
    await pass(2)
    held.isAway = true
    await pass(20)
    held.isAway = false
    await pass(20)
    expect(terms.lease()).toMatchObject({ epoch: held.epoch })
    expect(told.at(-1)).toBe(`begins ${held.epoch}`)
  })

  it('is given back when the node stops, and none begins after that', async () => {
    const { terms, told, pass } = setUp()
    await pass(2)
    await terms.stop()
    await pass(30)
    expect(told).toEqual(['begins 1', 'ends: stopped', 'released'])
  })
})
