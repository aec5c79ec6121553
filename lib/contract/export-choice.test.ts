import { expect, it } from 'vitest'
import { toFormulaSafe } from './export-choice.ts'

it('no spreadsheet takes a text for a formula', () => {
  for (const start of ['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
    expect(toFormulaSafe(`${start}1+1`)).toBe(`'${start}1+1`)
    expect(toFormulaSafe(`a;${start}1`)).toBe(`a;'${start}1`)
    expect(toFormulaSafe(`\t${start}1`)).toBe(`\t'${start}1`)
  }
})

it('any other text stays as it is', () => {
  for (const text of ['', 'AAPL', 'BRK-B', 'a=b', '2024-05-13 14:32:05']) {
    expect(toFormulaSafe(text)).toBe(text)
  }
})
