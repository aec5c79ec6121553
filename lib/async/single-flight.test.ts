import { expect, it } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

function createWork() {
  const begun: { end: (text: string) => void; signal: AbortSignal }[] = []
  const work = (signal: AbortSignal) =>
    new Promise<string>((end) => {
      begun.push({ end, signal })
    })
  return { begun, work }
}

it('work is done once for all who ask while it goes on', async () => {
  const singleFlight = createSingleFlight<string>()
  const { begun, work } = createWork()
  const answers = [1, 2, 3].map(() => singleFlight.join('a', undefined, work))
  const other = singleFlight.join('b', undefined, work)
  expect(begun).toHaveLength(2)
  begun[0]?.end('one')
  begun[1]?.end('other')
  expect(await Promise.all(answers)).toEqual(['one', 'one', 'one'])
  expect(await other).toBe('other')
  const next = singleFlight.join('a', undefined, work)
  expect(begun).toHaveLength(3)
  begun[2]?.end('again')
  expect(await next).toBe('again')
})

it('who leaves is told at once; the work ends with the last who waited', async () => {
  const singleFlight = createSingleFlight<string>()
  const { begun, work } = createWork()
  const [first, second] = [new AbortController(), new AbortController()]
  const one = singleFlight.join('a', first.signal, work)
  const two = singleFlight.join('a', second.signal, work)
  first.abort()
  await expect(one).rejects.toMatchObject({ fault: 'busy' })
  expect(begun[0]?.signal.aborted).toBe(false)
  second.abort()
  await expect(two).rejects.toMatchObject({ fault: 'busy' })
  expect(begun[0]?.signal.aborted).toBe(true)
})

it('who comes when the last has left is not given what was interrupted', async () => {
  const singleFlight = createSingleFlight<string>()
  const { begun, work } = createWork()
  const leaving = new AbortController()
  const left = singleFlight.join('a', leaving.signal, work)
  leaving.abort()
  await expect(left).rejects.toThrow()
  const next = singleFlight.join('a', undefined, work)
  expect(begun).toHaveLength(2)
  begun[0]?.end('late')
  begun[1]?.end('own')
  expect(await next).toBe('own')
})

it('who has left before he asked begins nothing', async () => {
  const { begun, work } = createWork()
  const signal = AbortSignal.abort()
  await expect(createSingleFlight<string>().join('a', signal, work)).rejects.toThrow()
  expect(begun).toHaveLength(0)
})

it('a failure is everybody’s, and the next who asks begins anew', async () => {
  const singleFlight = createSingleFlight<string>()
  const fail = () => Promise.reject(new Error('no'))
  const all = [1, 2].map(() => singleFlight.join('a', undefined, fail))
  for (const one of all) await expect(one).rejects.toThrow('no')
  expect(await singleFlight.join('a', undefined, async () => 'yes')).toBe('yes')
})
