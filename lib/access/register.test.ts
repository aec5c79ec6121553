import { expect, test } from 'vitest'
import { createRegister, type RegisterRecord } from './register.ts'

const held = (id: string): RegisterRecord => ({
  id,
  hash: `hash of ${id}`,
  name: 'ada',
  created_at: 1,
  used_at: null,
})

test('a look that others overtake brings back nothing that has ended', async () => {
  let kept = { records: [held('a'), held('b')] }
  const late: (() => void)[] = []
  let isSlow = false
  const register = createRegister<RegisterRecord>({
    file: {
      async load() {
        const read = kept
        if (isSlow) await new Promise<void>((resolve) => late.push(resolve))
        return read
      },
      async update(change) {
        kept = change(kept, 0)
      },
    },
    isLive: () => true,
    now: () => 10,
  })
  await register.refresh()
  isSlow = true
  const look = register.refresh()
  isSlow = false
  expect(await register.end(({ id }) => id === 'a')).toBe(1)
  for (const answer of late) answer()
  await look
  expect(register.find('hash of a')).toBeNull()
  expect(register.list()).toMatchObject([{ id: 'b' }])
})
