import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toFilterPhrase } from '#components/format/filter-words.ts'
import { selectRatingFilters } from '#components/ratings/filters/filter-summary.ts'
import type { DocsEntry } from '#lib/contract/answers/described.ts'
import { toRatingsHref } from '#lib/contract/page-addresses.ts'
import { EVERY_VIEW, readRatingsView } from '#lib/contract/ratings-view.ts'
import { draws } from '#testing/draws.ts'
import { parseFilterText } from './filter-text.ts'
import {
  findSearch,
  type Lookups,
  type SearchState,
  selectSections,
  toShownText,
} from './sections.ts'
import { writingAt } from './tokenizer.ts'

const nothing: Lookups = {
  symbols: { field: 'symbol', rows: [] },
  users: { field: 'user', rows: [] },
  rating: null,
}
const apple: Lookups = {
  ...nothing,
  symbols: { field: 'symbol', rows: [{ value: 'AAPL', detail: '4,118 ratings' }] },
}
const twelve: Lookups = {
  ...nothing,
  users: {
    field: 'user',
    rows: [
      { value: '120', detail: '9 ratings' },
      { value: '12', detail: '30 ratings' },
    ],
  },
  rating: 12,
}

/** `|`: the caret. Default: at the end. */
function stateOf(marked: string, more: Partial<SearchState> = {}): SearchState {
  const text = marked.replace('|', '')
  const read = parseFilterText(text)
  const caret = marked.includes('|') ? marked.indexOf('|') : text.length
  return {
    text,
    read,
    writing: writingAt(read.words, caret),
    search: findSearch(text, read.words, caret),
    lookups: nothing,
    actions: [],
    shownText: '',
    views: [],
    docs: [],
    matches: undefined,
    asof: null,
    reader: { signsIn: false, mayManage: true },
    toHref: (query) => toRatingsHref({ ...EVERY_VIEW, ...query }),
    toPhrase: (query) => toFilterPhrase(selectRatingFilters(query)),
    ...more,
  }
}
const namesOf = (state: SearchState) => selectSections(state).map(({ name }) => name)
const rowsOf = (state: SearchState, name: string) =>
  selectSections(state).find((section) => section.name === name)?.items ?? []
const labelsOf = (state: SearchState, name: string) => rowsOf(state, name).map(({ label }) => label)
const firstOf = (state: SearchState) => selectSections(state)[0]?.items[0]

describe('a search', () => {
  it('leads to a symbol, and to its ratings', () => {
    for (const text of ['aapl', ' AAPL ', '#aapl']) {
      const state = stateOf(text, { lookups: apple })
      expect(firstOf(state)).toMatchObject({ kind: 'Symbol', action: { href: '/symbols/AAPL' } })
      expect(rowsOf(state, 'Filter')).toMatchObject([
        { label: 'Show ratings: AAPL', action: { href: '/?symbol=AAPL' } },
      ])
    }
    expect(labelsOf(stateOf('aap', { lookups: apple }), 'Filter')).toEqual([])
  })

  it('leads from a number to the user and the rating', () => {
    for (const text of ['12', '#12']) {
      const state = stateOf(text, { lookups: twelve })
      expect(rowsOf(state, 'Users')).toMatchObject([
        { label: '#12', detail: '30 ratings', action: { href: '/users/12' } },
        { label: '#120' },
      ])
      expect(rowsOf(state, 'Go to')).toMatchObject([{ action: { href: '/ratings/12' } }])
      expect(rowsOf(state, 'Filter')).toMatchObject([{ action: { href: '/?user=12' } }])
    }
  })

  it.each([
    ['status', '/status'],
    ['look-ups', '/lookups'],
    ['lookups', '/lookups'],
    ['dumps', '/downloads'],
    ['docs', '/docs'],
  ])('leads from “%s” to its page', (text, href) => {
    expect(firstOf(stateOf(text))).toMatchObject({ kind: 'Page', action: { href } })
  })

  it('begins with what is called exactly so', () => {
    const rows = [{ value: 'STT', detail: 'Status Street' }]
    const state = stateOf('status', {
      lookups: { ...nothing, symbols: { field: 'symbol', rows } },
    })
    expect(namesOf(state)).toEqual(['Go to', 'Symbols'])
  })

  it('leads to accounts and alerts only for who may see them', () => {
    const pagesFor = (text: string, signsIn: boolean, mayManage: boolean) =>
      labelsOf(stateOf(text, { reader: { signsIn, mayManage } }), 'Go to')
    expect(pagesFor('acc', true, true)).toEqual(['Your account', 'Access', 'Audit log'])
    expect(pagesFor('acc', true, false)).toEqual(['Your account'])
    expect(pagesFor('alerts', false, false)).toEqual([])
    expect(pagesFor('alerts', false, true)).toEqual(['Alerts'])
  })

  it('finds saved views and actions of the page by the beginnings of their words', () => {
    const views = [{ id: 'a', name: 'My bulls', address: 'rating=5' }]
    expect(rowsOf(stateOf('bul', { views, asof: 86_399 }), 'Go to')).toMatchObject([
      { kind: 'View', label: 'My bulls', action: { href: '/?rating=5&asof=1970-01-01' } },
    ])
    const actions = [{ name: 'Export these rows', detail: 'CSV, JSON', run: () => undefined }]
    expect(labelsOf(stateOf('csv', { actions }), 'Actions')).toEqual(['Export these rows'])
    expect(labelsOf(stateOf('csv'), 'Actions')).toEqual([])
  })

  it('finds words of the glossary and headings of the docs, exact ones first', () => {
    const docs: DocsEntry[] = ['Backups of consensus', 'Consensus'].map((label, at) => ({
      kind: at === 0 ? 'docs' : 'word',
      label,
      detail: 'Operations',
      also: '',
      href: `/docs/${at}`,
    }))
    expect(rowsOf(stateOf('consensus', { docs }), 'Docs')).toMatchObject([
      { kind: 'Word', label: 'Consensus', action: { href: '/docs/1' } },
      { kind: 'Docs', label: 'Backups of consensus' },
    ])
    expect(labelsOf(stateOf('operations back', { docs }), 'Docs')).toEqual(['Backups of consensus'])
    expect(namesOf(stateOf('co', { docs }))).not.toContain('Docs')
  })

  it('keeps the instant of the page', () => {
    expect(firstOf(stateOf('12', { lookups: twelve, asof: 86_399 }))).toMatchObject({
      action: { href: '/users/12?asof=1970-01-01' },
    })
  })

  it('finds nothing for words that nothing is called', () => {
    for (const text of ['hello', 'symbl:AAPL', 'a year ago', 'not user 64', '"aapl"']) {
      expect(selectSections(stateOf(text)), text).toEqual([])
    }
  })

  it('says which look-up failed, and keeps the rest', () => {
    const note = 'Symbols could not be looked up.'
    const state = stateOf('stat', {
      lookups: { ...nothing, symbols: { field: 'symbol', rows: [], note } },
    })
    expect(selectSections(state).slice(0, 2)).toMatchObject([
      { note },
      { items: [{ label: 'Status' }] },
    ])
  })
})

describe('a filter', () => {
  it('is applied first, with the number of ratings', () => {
    expect(firstOf(stateOf('symbol:AAPL rating:5', { matches: '3 ratings' }))).toMatchObject({
      label: 'Show ratings: AAPL, Strong Buy',
      detail: '3 ratings',
      action: { href: '/?symbol=AAPL&rating=5' },
    })
  })

  it('is not applied where a word is wrong, which is completed at the caret', () => {
    expect(labelsOf(stateOf('rating:buy'), 'Filter')).toEqual(['Moderate Buy', 'Strong Buy'])
    expect(selectSections(stateOf('rating:buy symbol:AAPL '))).toEqual([])
  })

  it('takes a symbol that is searched beside it as a value', () => {
    const state = stateOf('aap rating:5', { lookups: apple })
    expect(firstOf(state)).toMatchObject({
      label: 'symbol:AAPL',
      action: { do: 'write', text: 'symbol:AAPL rating:5', caret: 11 },
    })
    const both = stateOf('rating:5 12', { lookups: twelve })
    expect(firstOf(both)).toMatchObject({ action: { text: 'rating:5 user:120 ' } })
  })

  it('completes a name of several words as one', () => {
    const state = stateOf('rating:5 amber aco', { lookups: apple })
    expect(firstOf(state)).toMatchObject({ action: { text: 'rating:5 symbol:AAPL ' } })
  })

  it.each([
    ['rating:', ['Strong Sell', 'Moderate Sell', 'Hold', 'Moderate Buy', 'Strong Buy']],
    ['rating:4,buy', ['Moderate Buy', 'Strong Buy']],
    ['rating:>=hol', ['Hold']],
    ['action:up', ['Upgraded']],
    ['sort:-pred', ['prediction']],
    ['-quality:neg', ['Negative Strong Buy']],
    ['posted:2024', []],
  ])('completes the value of %s', (text, labels) => {
    const completions = rowsOf(stateOf(text), 'Filter').filter(({ id }) => id !== 'apply')
    expect(completions.map(({ label }) => label)).toEqual(labels)
  })

  it('completes names of fields, symbols and users', () => {
    expect(rowsOf(stateOf('pre'), 'Filter')).toMatchObject([
      { label: 'prediction:', action: { text: 'prediction:', caret: 11 } },
    ])
    const symbols = rowsOf(stateOf('-symbol:a', { lookups: apple }), 'Symbols')
    expect(symbols).toMatchObject([{ label: 'AAPL', action: { text: '-symbol:AAPL ' } }])
    const users = rowsOf(stateOf('user:12|,3', { lookups: twelve }), 'Users')
    expect(users[1]).toMatchObject({ label: '12', action: { text: 'user:12,3' } })
  })
})

it('begins with the filter of the page, then pages, before anything is typed', () => {
  const state = stateOf('', { shownText: 'symbol:AAPL ' })
  expect(namesOf(state)).toEqual(['Filter', 'Go to'])
  expect(rowsOf(state, 'Filter')).toMatchObject([
    { label: 'Edit this filter', action: { do: 'write', text: 'symbol:AAPL ', caret: 12 } },
    { label: 'Show every rating', action: { href: '/' } },
  ])
  expect(namesOf(stateOf(''))).toEqual(['Go to', 'Filter'])
})

it('shows the filter of the page as text, without its page and its instant', () => {
  const address = 'symbol=-TSLA&page=4&per_page=100&asof=2024-01-01'
  const { query } = readRatingsView(new URLSearchParams(address))
  expect(toShownText(query)).toBe('-symbol:TSLA ')
  expect(toShownText(EVERY_VIEW)).toBe('')
})

it('has ids and names of its own, whatever is typed and wherever the caret is', () => {
  const pieces = ['12', 'aapl', 'sym', 'symbol:', 'rating:', 'x:y', '>5', ' ', ',', '-', '"']
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { maxLength: 8 }),
      fc.nat({ max: 30 }),
      fc.constantFrom(apple, twelve),
      (parts, place, lookups) => {
        const text = parts.join('')
        const at = Math.min(place, text.length)
        const state = stateOf(`${text.slice(0, at)}|${text.slice(at)}`, { lookups })
        const sections = selectSections(state)
        const ids = sections.flatMap(({ items }) => items.map(({ id }) => id))
        const names = sections.map(({ name }) => name)
        expect(new Set(ids).size, text).toBe(ids.length)
        expect(new Set(names).size, text).toBe(names.length)
      },
    ),
    { numRuns: draws(100) },
  )
})
