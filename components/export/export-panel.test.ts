import { expect, it } from 'vitest'
import { COLUMN_IDS } from '#components/ratings/table/columns.ts'
import { toShownFields } from './export-panel.tsx'

it('what is shown is exported in its order, codes with the labels that are read', () => {
  expect(toShownFields(['prediction', 'rating', 'id'])).toEqual([
    'prediction',
    'rating',
    'rating_label',
    'id',
  ])
  expect(toShownFields(['created_at', 'no such column'])).toEqual(['created_at', 'created_at_date'])
})

it('every column of the table is a field that can be exported', () => {
  for (const id of COLUMN_IDS) expect(toShownFields([id])[0]).toBe(id)
})
