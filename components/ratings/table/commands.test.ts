import { expect, it } from 'vitest'
import { aRow } from '#testing/components/rating-row.ts'
import { toCopiedCells, toCopiedCsv, toCopiedJson } from './cell-values.ts'
import { rowsBetween } from './commands.ts'

const rows = [3, 1, 4, 2].map((id) => aRow({ id }))
const ids = (selected: Iterable<{ id: number }>) => [...selected].map(({ id }) => id)

it('a selection reaches from its anchor to the row, in both directions', () => {
  expect(ids(rowsBetween(rows, 1, 2))).toEqual([1, 4, 2])
  expect(ids(rowsBetween(rows, 2, 1))).toEqual([1, 4, 2])
  expect(ids(rowsBetween(rows, 99, 4))).toEqual([4])
  expect(ids(rowsBetween(rows, null, 4))).toEqual([4])
})

it('copied CSV has the columns of the exported file and no formula in it', () => {
  const csv = toCopiedCsv([
    aRow({ symbol: '=1+1', rating_label: 'say "x", y', prediction: '-3.00' }),
  ])
  const [head, line, end] = csv.split('\r\n')
  expect(head).toBe(
    'id,user_id,symbol,rating,rating_label,action,action_label,prediction,tally_agree,tally_disagree,tally_comment,created_at,created_at_date,expired_at,expired_at_date,previous_rating,previous_prediction,state,vanished_at,ended',
  )
  expect(line).toContain('7,12,"\'=1+1",5,"say ""x"", y",2,Upgraded,-3.00,1600,3,0,')
  expect(end).toBe('')
})

it('copied JSON is what the API gives', () => {
  expect(JSON.parse(toCopiedJson(rows))).toEqual(rows)
})

it('copied cells are the columns that are shown, in their order, and cannot leave their cell', () => {
  const row = aRow({ rating_label: 'a\tb\n@c', expired_at: null })
  expect(toCopiedCells([row], ['created_at', 'prediction', 'rating', 'expired_at'], 'UTC')).toBe(
    'Posted (UTC)\tPrediction\tRating\tExpires (UTC)\n2024-05-13 14:32:05\t12.50\ta b @c\t',
  )
  expect(toCopiedCells([aRow({ symbol: '"A' })], ['symbol', 'user_id'], 'UTC')).toBe(
    'Symbol\tUser\n"""A"\t12',
  )
})
