import { expect, it } from 'vitest'
import { toLeastWidths, toLeaves } from './leaving.ts'

const NAME = { px: 100 }
const FIRST = { leaves: 1, px: 200 } as const
const SECOND = { leaves: 2, px: 80 } as const
const THIRD = { leaves: 3, px: 60 } as const
const LAST = { leaves: 5, px: 90 } as const

const ALL = [NAME, FIRST, SECOND, THIRD, LAST]

it('columns leave as they are described, in any order, until one is hidden', () => {
  expect(toLeaves(ALL, ALL)).toEqual([undefined, 1, 2, 3, 5])
  expect(toLeaves(ALL, ALL.toReversed())).toEqual([5, 3, 2, 1, undefined])
  const twins = [NAME, SECOND, { ...SECOND }]
  expect(toLeaves(twins, twins)).toEqual([undefined, 2, 2])
})

it('a hidden column makes room only for what fits into it', () => {
  expect(toLeaves(ALL, [NAME, FIRST, SECOND, THIRD])).toEqual([undefined, 1, 3, 5])
  expect(toLeaves(ALL, [NAME, FIRST, LAST])).toEqual([undefined, 1, 5])
  expect(toLeaves(ALL, [SECOND, LAST])).toEqual([5, undefined])
})

it('a column that was made wider leaves earlier, and makes others leave earlier', () => {
  const wide = { ...THIRD, px: 150 }
  expect(toLeaves(ALL, [NAME, FIRST, SECOND, wide, LAST])).toEqual([undefined, 1, 1, 1, 5])
})

it('the least width counts the columns that are still there', () => {
  expect(toLeastWidths(ALL)).toEqual({
    '--least-0': '530px',
    '--least-1': '330px',
    '--least-2': '250px',
    '--least-3': '190px',
    '--least-4': '190px',
    '--least-5': '100px',
  })
})
