import { expect, test } from 'vitest'
import { demoSymbols } from './demo-community.ts'
import { DEMO_NAMES } from './demo-names.ts'

test('every demo symbol has an invented name of three words and a sector; no name repeats', () => {
  const names = demoSymbols.map(({ symbol }) => DEMO_NAMES.get(symbol))
  expect(names.every((name) => /^\w+ \w+ \w+$/.test(name?.name ?? ''))).toBe(true)
  expect(new Set(names.map((name) => name?.name)).size).toBe(demoSymbols.length)
  const sectors = new Set(names.map((name) => name?.sector))
  expect(sectors.size).toBe(8)
})
