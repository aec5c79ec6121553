import { expect, it } from 'vitest'
import { createClosing } from './closing.ts'

it('what was opened last is closed first, once, and each though another fails', async () => {
  const closed: string[] = []
  const failure = new Error('stuck')
  const closing = createClosing()
  closing.add({ close: async () => void closed.push('archive') })
  closing.add({
    close: async () => {
      closed.push('service')
      throw failure
    },
  })
  closing.add({ close: async () => void closed.push('sync') })
  await expect(closing.close()).rejects.toBe(failure)
  await expect(closing.close()).rejects.toBe(failure)
  expect(closed).toEqual(['sync', 'service', 'archive'])
})
