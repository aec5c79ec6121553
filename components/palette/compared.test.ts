import { expect, it } from 'vitest'
import { readCompared, selectCompareSection } from './compared.ts'
import { readWords } from './filter-text/tokenizer.ts'

const asof = null
const rowOf = (text: string, unknown: string[] = []) => {
  const keys = readCompared(readWords(text))
  if (keys === null) return null
  const { rows, note } = selectCompareSection({ keys, unknown, asof })
  const [row] = rows
  return { label: row?.label, href: row?.action.do === 'open' ? row.action.href : null, note }
}

it.each([
  ['compare AAPL MSFT', 'AAPL and MSFT', '/symbols/AAPL?vs=MSFT'],
  ['aapl vs msft', 'AAPL and MSFT', '/symbols/AAPL?vs=MSFT'],
  ['AAPL VS. MSFT', 'AAPL and MSFT', '/symbols/AAPL?vs=MSFT'],
  ['AAPL versus MSFT', 'AAPL and MSFT', '/symbols/AAPL?vs=MSFT'],
  ['compare AAPL, MSFT and TSLA', 'AAPL, MSFT and TSLA', '/symbols/AAPL?vs=MSFT,TSLA'],
  ['compare AAPL with MSFT and TSLA', 'AAPL, MSFT and TSLA', '/symbols/AAPL?vs=MSFT,TSLA'],
  ['compare a a b', 'A and B', '/symbols/A?vs=B'],
])('“%s” leads to the page with them side by side', (text, label, href) => {
  expect(rowOf(text)).toEqual({ label, href, note: undefined })
})

it('says which symbols nobody has rated, and compares the others', () => {
  expect(rowOf('compare AAPL TSLX MSFT', ['TSLX'])).toEqual({
    label: 'AAPL and MSFT',
    href: '/symbols/AAPL?vs=MSFT',
    note: 'TSLX has no ratings.',
  })
  expect(rowOf('compare AAPL TSLX MSFX', ['TSLX', 'MSFX'])).toMatchObject({
    note: 'TSLX and MSFX have no ratings. Name two symbols or more: compare AAPL MSFT',
  })
  expect(rowOf('aapl vs tslx', ['TSLX'])).toMatchObject({
    href: '/symbols/AAPL',
    note: 'TSLX has no ratings. Name two symbols or more: compare AAPL MSFT',
  })
})

it('compares no more than a comparison takes, and says which it leaves out', () => {
  expect(rowOf('compare a b c d e f g h')).toMatchObject({
    label: 'A, B, C, D, E and F',
    note: 'At most 6 symbols are compared. Left out: G and H.',
  })
})

it('begins where symbols are ticked, as long as none is named', () => {
  expect(rowOf('compare')).toMatchObject({ href: '/symbols' })
})

it.each(['aapl msft', 'vs', 'compare user 60', 'aapl vs rating:5', 'compare -aapl msft'])(
  '“%s” compares no symbols',
  (text) => {
    expect(rowOf(text)).toBe(null)
  },
)
