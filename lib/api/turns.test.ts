import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const OPTIONS = { atOnce: 3, expensiveAtOnce: 2, waitingAtMost: 100, waitingAtMostOfOne: 60 }

function start(options = OPTIONS) {
  const turns = createTurns(options)
  const had: string[] = []
  const ends: (() => void)[] = []
  const take = (name: string, isExpensive = false, signal?: AbortSignal) => {
    const client = name.charAt(0)
    const taken = turns.take({ client, isExpensive }, signal).then((end) => {
      had.push(name)
      ends.push(end)
    })
    taken.catch(() => {})
    return taken
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const endOne = async () => {
    ends.shift()?.()
    await settle()
  }
  return { had, take, endOne, settle }
}

describe('turns', () => {
  it('a cheap question does not wait behind expensive ones', async () => {
    const { had, take, settle } = start()
    for (const name of ['a1', 'a2', 'a3', 'a4']) take(name, true)
    take('b1')
    await settle()
    expect(had).toEqual(['a1', 'a2', 'b1'])
  })

  it('expensive questions are worked on however many cheap ones come', async () => {
    const { had, take, endOne } = start()
    for (let n = 0; n < 40; n += 1) take(`a${n}`)
    take('b', true)
    for (let n = 0; n < 4; n += 1) await endOne()
    expect(had).toContain('b')
  })

  it('a client with many requests does not take the turns of others', async () => {
    const { had, take, endOne } = start()
    for (let n = 0; n < 50; n += 1) take(`a${n}`)
    take('b')
    take('c')
    for (let n = 0; n < 4; n += 1) await endOne()
    expect(had).toContain('b')
    expect(had).toContain('c')
  })

  it('beyond what may wait the answer is busy, at once, and says when to come again', async () => {
    const { take, settle } = start({ ...OPTIONS, waitingAtMost: 4, waitingAtMostOfOne: 2 })
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2']) take(name)
    await expect(take('a6')).rejects.toMatchObject({ fault: 'busy', retryAfterSeconds: 2 })
    await settle()
    await expect(take('c1')).rejects.toMatchObject({ fault: 'busy' })
  })

  it('whoever leaves while he waits leaves his place to the next', async () => {
    const { had, take, endOne } = start({ ...OPTIONS, atOnce: 1 })
    const leaving = new AbortController()
    take('a1')
    const left = take('a2', false, leaving.signal)
    take('a3')
    leaving.abort()
    await expect(left).rejects.toMatchObject({ fault: 'busy' })
    await endOne()
    expect(had).toEqual(['a1', 'a3'])
  })

  it('never more are worked on than may be, and everybody who stays has a turn', async () => {
    const asker = fc.record({
      client: fc.constantFrom('a', 'b', 'c'),
      isExpensive: fc.boolean(),
      leaves: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(asker, { maxLength: 40 }), fc.scheduler(), async (askers, s) => {
        const turns = createTurns(OPTIONS)
        const busy = { all: 0, expensive: 0 }
        let served = 0
        let left = 0
        const all = askers.map(async ({ client, isExpensive, leaves }) => {
          const leaving = new AbortController()
          if (leaves) void s.schedule(Promise.resolve()).then(() => leaving.abort())
          try {
            const end = await turns.take({ client, isExpensive }, leaving.signal)
            busy.all += 1
            if (isExpensive) busy.expensive += 1
            expect(busy.all).toBeLessThanOrEqual(OPTIONS.atOnce)
            expect(busy.expensive).toBeLessThanOrEqual(OPTIONS.expensiveAtOnce)
            await s.schedule(Promise.resolve())
            busy.all -= 1
            if (isExpensive) busy.expensive -= 1
            served += 1
            end()
            end()
          } catch (error) {
            if (!leaves) throw error
            left += 1
          }
        })
        await s.waitFor(Promise.all(all))
        expect(served + left).toBe(askers.length)
      }),
    )
  })
})
