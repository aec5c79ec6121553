import { expect, it } from 'vitest'
import { databaseQuestions } from './files.ts'
import { inspectionQuestions } from './inspection.ts'
import { readParts, toAddress } from './operation.ts'
import { ALL_OPERATIONS, OPERATIONS, QUESTIONS, selectAddress } from './operations.ts'
import { changeQuestions, lookupQuestions, ratingQuestions } from './ratings.ts'
import { editionQuestions, stateQuestions } from './state.ts'
import { symbolQuestions } from './symbols.ts'
import { callQuestions, userQuestions } from './users.ts'

it('every operation has an id and an address of its own, and states the parts of the address', () => {
  const named = ALL_OPERATIONS.map(({ id }) => id)
  expect(new Set(named).size).toBe(named.length)
  const places = ALL_OPERATIONS.map(({ method, address }) => `${method} ${address}`)
  expect(new Set(places).size).toBe(places.length)
  for (const { address, parts } of ALL_OPERATIONS) {
    const written = Array.from(address.matchAll(/\{(\w+)\}/g), ([, name]) => name)
    expect(Object.keys(parts), address).toEqual(written)
  }
})

it('no question has the name of another', () => {
  const groups = [
    ratingQuestions,
    changeQuestions,
    databaseQuestions,
    symbolQuestions,
    userQuestions,
    callQuestions,
    lookupQuestions,
    editionQuestions,
    stateQuestions,
    inspectionQuestions,
  ]
  const count = groups.reduce((sum, group) => sum + Object.keys(group).length, 0)
  expect(Object.keys(QUESTIONS)).toHaveLength(count)
})

it('the methods of an address need the same permission', () => {
  for (const { address, permission } of ALL_OPERATIONS) {
    const sample = address.replace(/\{\w+\}/g, 'x')
    for (const other of selectAddress(sample)?.operations ?? []) {
      expect(other.permission, address).toBe(permission)
    }
  }
})

it('every operation that changes something or exports has an entry in the audit log, and no other', () => {
  for (const { id, method, answer, audit } of ALL_OPERATIONS) {
    const isLogged = method !== 'GET' || answer.how === 'file' || id === 'oidcCallback'
    expect(audit !== null, id).toBe(isLogged)
  }
})

it('finds the operation of an address with parts', () => {
  expect(selectAddress('/api/editions/posts-2026-11-15.csv')?.address).toBe('/api/editions/{file}')
  expect(selectAddress('/api/symbols/AAPL/series')?.operations[0]?.id).toBe('getSeries')
  expect(selectAddress('/api/symbols/A/B')).toBeNull()
})

it('sections are in the order of the description', () => {
  expect([...new Set(OPERATIONS.map(({ tag }) => tag))]).toEqual([
    'Ratings',
    'Symbols',
    'Users',
    'Dumps',
    'State',
    'Service',
  ])
})

it.each(['AAPL', 'BRK/B', '100%', 'a b', '[symbol]', '.rsc', 'é', '?x=1#y', '.', '..', '~.'])(
  'a part of an address is read back as it was written: %s',
  (symbol) => {
    const params = new URLSearchParams({ bucket: 'week', from: '2024-01-01' })
    const question = symbolQuestions.series
    const address = toAddress({ question, parts: { symbol }, params })
    const { pathname, search } = new URL(address, 'http://x')
    expect(pathname + search).toBe(address)
    expect(readParts(question.address, pathname)).toEqual({ symbol })
    expect(String(new URL(address, 'http://x').searchParams)).toBe(String(params))
  },
)

it('a part that cannot be decoded is no part', () => {
  expect(() => readParts(symbolQuestions.symbol.address, '/api/symbols/%ff')).toThrow(URIError)
})
