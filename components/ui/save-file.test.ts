import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { atMostEvery } from './save-file.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('the first and the last of many calls are seen, and few between', () => {
  let [now, seen] = [0, [] as number[]]
  const throttled = atMostEvery(100, () => seen.push(now))
  for (now = 1; now <= 250; now += 1) {
    throttled.call()
    vi.advanceTimersByTime(1)
  }
  vi.advanceTimersByTime(1000)
  expect(seen).toHaveLength(4)
  expect([seen[0], seen.at(-1)]).toEqual([1, 251])
})

it('nothing is seen after its end', () => {
  let seen = 0
  const throttled = atMostEvery(100, () => {
    seen += 1
  })
  throttled.call()
  throttled.call()
  throttled.stop()
  vi.advanceTimersByTime(1000)
  expect(seen).toBe(1)
})
