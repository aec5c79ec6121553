import Papa from 'papaparse'
import { expect, it } from 'vitest'
import { toCopiedLines } from './copied-lines.ts'

it('writes one line per row when a value has a tab, quote or line break', () => {
  const rows = [
    ['a', '12', ''],
    ['"b', 'say "x"\tand\r\nmore', 'c\u2028d'],
    ['5" pipe', '', '+1.50%'],
  ]
  const text = toCopiedLines(rows)
  expect(text.split('\n')).toHaveLength(rows.length)
  const parsed = Papa.parse<string[]>(text, { delimiter: '\t' })
  expect(parsed.errors).toEqual([])
  expect(parsed.data).toEqual([
    ['a', '12', ''],
    ['"b', 'say "x" and more', 'c d'],
    ['5" pipe', '', '+1.50%'],
  ])
})
