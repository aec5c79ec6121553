import { expect, test } from 'vitest'
import { runSweep, type Sweep, slicesOf } from './sweep.ts'

function* countTo(length: number): Sweep<number> {
  let count = 0
  for (const [start, stop] of slicesOf(length)) {
    count += stop - start
    yield
  }
  return count
}

test('other work gets its turn between slices', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  expect(await runSweep(countTo(1_000_000))).toBe(1_000_000)
  clearImmediate(timer)
  expect(turns).toBeGreaterThan(5)
})

test('a calculation that nobody waits for any more ends at its next slice', async () => {
  const leaving = new AbortController()
  const running = runSweep(countTo(1_000_000), leaving.signal)
  leaving.abort()
  await expect(running).rejects.toMatchObject({ fault: 'busy' })
})
