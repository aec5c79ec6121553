import { expect, it } from 'vitest'
import { createAnswerCache } from './answer-cache.ts'
import { prepare } from './respond.ts'

function setUp(maxBytes = 1000) {
  const state = { now: 0, generation: 1, made: 0 }
  const cache = createAnswerCache({
    now: () => state.now,
    generation: () => state.generation,
    maxBytes,
    maxAgeSeconds: 60,
  })
  const ask = (address: string, text = address) =>
    cache.answer(address, async () => {
      state.made += 1
      return prepare({ text })
    })
  return { state, cache, ask }
}

it('an answer is made once however many ask at the same time', async () => {
  const { state, ask } = setUp()
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/a')))
  expect(state.made).toBe(1)
  expect(new Set(answers).size).toBe(1)
})

it('an answer is not given after a commit, nor when its age is up', async () => {
  const { state, cache, ask } = setUp()
  await ask('/a')
  state.generation = 2
  expect(cache.peek('/a')).toBeNull()
  await ask('/a')
  state.now = 59
  expect(cache.peek('/a')).not.toBeNull()
  state.now = 60
  expect(cache.peek('/a')).toBeNull()
  expect(state.made).toBe(2)
})

it('a failure is not kept', async () => {
  const { cache, ask } = setUp()
  const fail = cache.answer('/a', async () => {
    throw new Error('no')
  })
  await expect(fail).rejects.toThrow('no')
  await expect(ask('/a')).resolves.toBeDefined()
})

it('what it holds stays within its bytes, the least recently used leaving first', async () => {
  const { cache, ask } = setUp(300)
  const text = 'x'.repeat(80)
  await ask('/a', text)
  await ask('/b', text)
  await ask('/c', text)
  cache.peek('/a')
  await ask('/d', text)
  expect(cache.peek('/a')).not.toBeNull()
  expect(cache.peek('/b')).toBeNull()
})
