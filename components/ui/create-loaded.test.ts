import { expect, test } from 'vitest'
import { createLoaded } from './create-loaded.ts'

test('a part is loaded once, however often it is begun', () => {
  let loads = 0
  const { begin } = createLoaded(() => {
    loads += 1
    return Promise.resolve('part')
  })
  begin()
  begin()
  expect(loads).toBe(1)
})

test('a part that cannot be loaded breaks nothing by itself', async () => {
  const { begin } = createLoaded(() => Promise.reject(new Error('gone')))
  expect(begin).not.toThrow()
  await Promise.resolve()
})
