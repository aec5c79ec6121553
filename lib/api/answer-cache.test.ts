import { expect, it } from 'vitest'
import type { StatusAnswer } from '#lib/contract/answers/status.ts'
import { CALM_STATUS } from '#testing/contract/status.ts'
import { createAnswerCache } from './answer-cache.ts'

const toStatus = (text: string): StatusAnswer => ({
  success: true,
  code: 200,
  data: {
    ...structuredClone(CALM_STATUS),
    service: { kind: 'remote', address: text, invented: false },
  },
})
const toJson = (text: string) => JSON.stringify(toStatus(text))

function setUp(maxBytes = 100_000) {
  const state = { now: 0, version: '0.1', made: 0 }
  const cache = createAnswerCache<StatusAnswer>({
    now: () => state.now,
    version: () => state.version,
    maxBytes,
    maxAgeSeconds: 60,
  })
  const ask = (address: string, text = address) =>
    cache.answer(address, undefined, async () => {
      state.made += 1
      return toStatus(text)
    })
  const isMade = async (address: string) => {
    const before = state.made
    await ask(address)
    return state.made > before
  }
  return { state, cache, ask, isMade }
}

it('an answer is made once however many ask at the same time', async () => {
  const { state, ask } = setUp()
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/a')))
  expect(state.made).toBe(1)
  expect(new Set(answers).size).toBe(1)
})

it('an answer is not given after a commit, nor when its age is up', async () => {
  const { state, ask, isMade } = setUp()
  await ask('/a')
  state.version = '0.2'
  expect(await isMade('/a')).toBe(true)
  state.now = 59
  expect(await isMade('/a')).toBe(false)
  state.now = 60
  expect(await isMade('/a')).toBe(true)
})

it('an answer that was begun before a commit is not given after it, nor takes the place of a later one', async () => {
  const { state, cache, isMade } = setUp()
  let finish = (_text: string) => {}
  const text = new Promise<string>((resolve) => {
    finish = resolve
  })
  const early = cache.answer('/a', undefined, async () => toStatus(await text))
  state.version = '0.2'
  expect(await isMade('/a')).toBe(true)
  finish('early')
  expect((await early).value.data.service.address).toBe('early')
  expect(await isMade('/a')).toBe(false)
})

it('a failure is not kept', async () => {
  const { cache, ask } = setUp()
  const fail = cache.answer('/a', undefined, async () => {
    throw new Error('no')
  })
  await expect(fail).rejects.toThrow('no')
  await expect(ask('/a')).resolves.toBeDefined()
})

it('the bytes are those of the value, and are made once', async () => {
  const { ask } = setUp()
  const [first, second] = [await ask('/a'), await ask('/a')]
  expect(new TextDecoder().decode(first.toPrepared().body)).toBe(toJson('/a'))
  expect(second.toPrepared()).toBe(first.toPrepared())
})

it('nobody can change what another is given', async () => {
  const { ask } = setUp()
  const { value } = await ask('/a')
  const before = structuredClone(value)
  expect(() => value.data.events.push(...value.data.events)).toThrow(TypeError)
  expect(() => {
    value.data.service.address = 'changed'
  }).toThrow(TypeError)
  expect(Object.isFrozen(value.data.archive.gaps)).toBe(true)
  expect((await ask('/a')).value).toEqual(before)
})

it('what it holds stays within its bytes, the least recently used leaving first', async () => {
  const size = toJson('').length + 2000
  const { ask, isMade } = setUp(Math.floor(size * 3.5))
  const text = 'x'.repeat(2000)
  for (const address of ['/a', '/b', '/c', '/a', '/d']) await ask(address, text)
  expect(await isMade('/a')).toBe(false)
  expect(await isMade('/d')).toBe(false)
  expect(await isMade('/b')).toBe(true)
})

it('the bytes count beside the value, once a response has asked for them', async () => {
  const size = toJson('').length + 2000
  const { ask, isMade } = setUp(Math.floor(size * 3.5))
  const text = 'x'.repeat(2000)
  for (const address of ['/a', '/b']) (await ask(address, text)).toPrepared()
  expect(await isMade('/b')).toBe(false)
  expect(await isMade('/a')).toBe(true)
})

it('an answer that is too large to keep is given all the same', async () => {
  const { ask, isMade } = setUp(100)
  expect((await ask('/a', 'x'.repeat(1000))).value.data.service.address).toHaveLength(1000)
  expect(await isMade('/a')).toBe(true)
})

it('the work of a question ends with the last who waits for it', async () => {
  const { cache } = setUp()
  const signals: AbortSignal[] = []
  const make = (signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<StatusAnswer>(() => {})
  }
  const key = '/a' as const
  const [one, two] = [new AbortController(), new AbortController()]
  const asked = [one, two].map(({ signal }) => cache.answer(key, signal, make))
  one.abort()
  await expect(asked[0]).rejects.toMatchObject({ fault: 'busy' })
  expect(signals[0]?.aborted).toBe(false)
  two.abort()
  await expect(asked[1]).rejects.toMatchObject({ fault: 'busy' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})
