import { expect, it } from 'vitest'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { toIgnoredText } from './ignored-notice.tsx'

const ignoredOf = (text: string) => {
  const params = new URLSearchParams(text)
  return readRatingsView(params).ignored.map((issue) => toIgnoredText(issue, params))
}

it('a reader is told what was ignored in an address, with what stood there', () => {
  expect(ignoredOf('page=zz')).toEqual(['page “zz” is not a whole number from 1 to 9999999'])
  expect(ignoredOf('colour=red')).toEqual(['colour “red” is not a parameter here'])
})

it('a text of any length that stood there is shortened', () => {
  expect(ignoredOf(`state=${'x'.repeat(500)}`)).toEqual([
    `state “${'x'.repeat(24)}…” is not one of active, expired`,
  ])
})

it('an address that says nothing wrong has nothing ignored', () => {
  expect(ignoredOf('symbol=AAPL&page=2')).toEqual([])
})
