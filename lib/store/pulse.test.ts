import { expect, test } from 'vitest'
import { connectForTest } from '#testing/store/test-store.ts'
import { claimService, moveService } from './pulse.ts'

const [before, after] = ['http://old.example/', 'https://new.example/']

test('belongs to the new address when the service of the database moved, also when told twice', async () => {
  const sql = await connectForTest()
  await claimService(sql, before)
  await moveService(sql, { before, after })
  await moveService(sql, { before, after })
  expect(await claimService(sql, before)).toBe(after)
  await expect(
    moveService(sql, { before: 'http://third.example/', after: before }),
  ).rejects.toThrow('The shared database does not hold the ratings of http://third.example/.')
  expect(await claimService(sql, before)).toBe(after)
})
