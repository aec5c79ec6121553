import { expect, it } from 'vitest'
import { createSharedRefresh } from './shared-refresh.ts'

function setUp(refresh: () => Promise<void> = async () => undefined) {
  const clock = { ms: 0 }
  const looks: number[] = []
  const lookAnew = createSharedRefresh({
    async refresh() {
      looks.push(clock.ms)
      await refresh()
    },
    nowMs: () => clock.ms,
    async sleep(ms) {
      if (ms === 1000) return await new Promise((resolve) => setTimeout(resolve, 50))
      clock.ms += ms
    },
  })
  return { clock, looks, lookAnew }
}

it('somebody who is not known is looked for at once, and those who come together by one look', async () => {
  const { looks, lookAnew } = setUp()
  await Promise.all([lookAnew(), lookAnew(), lookAnew()])
  expect(looks).toEqual([0])
})

it('who comes later is looked for anew, four times a second at most', async () => {
  const { clock, looks, lookAnew } = setUp()
  for (let n = 0; n < 8; n += 1) await lookAnew()
  expect(looks).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750])
  clock.ms = 5000
  await lookAnew()
  expect(looks.at(-1)).toBe(5000)
})

it('who comes while a look is under way is not told by that one, which began before him', async () => {
  let end = () => {}
  const { looks, lookAnew } = setUp(
    () =>
      new Promise((resolve) => {
        end = resolve
      }),
  )
  const first = lookAnew()
  await expect.poll(() => looks.length).toBe(1)
  const second = lookAnew()
  end()
  await first
  await expect.poll(() => looks.length).toBe(2)
  end()
  await second
})

it('a database that is away, or that does not answer, is not waited for', async () => {
  const away = setUp(async () => {
    throw new Error('away')
  })
  await away.lookAnew()
  const silent = setUp(() => new Promise(() => undefined))
  await silent.lookAnew()
  await silent.lookAnew()
  expect(silent.looks).toHaveLength(1)
})
