import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHref } from '#components/address/ratings-address.ts'
import { toFilterPhrase } from '#components/format/filter-words.ts'
import { selectRatingFilters } from '#components/ratings/filters/filter-summary.ts'
import { NO_STARS, withStar } from '#components/watch/stars.ts'
import { watchedSymbol } from '#components/watch/watched.ts'
import type { DocsEntry } from '#lib/contract/answers/docs-index.ts'
import { EVERY_VIEW, readRatingsView } from '#lib/contract/ratings-view.ts'
import { draws } from '#testing/draws.ts'
import type { PageContext } from './actions.ts'
import { parseFilterText } from './filter-text/parse-filter-text.ts'
import { writingAt } from './filter-text/tokenizer.ts'
import {
  isUndecided,
  type PaletteState,
  selectFirst,
  selectSections,
  toShownText,
} from './sections.ts'
import { type Lookups, NOTHING_FOUND } from './suggestions.ts'

const nothing: Lookups = {
  symbols: NOTHING_FOUND,
  near: NOTHING_FOUND,
  users: NOTHING_FOUND,
  ratings: NOTHING_FOUND,
}
const found: Lookups = {
  ratings: { found: [12], isOld: false },
  symbols: { found: [{ symbol: 'AAPL', detail: '4,118 ratings' }], isOld: false },
  near: NOTHING_FOUND,
  users: {
    found: [
      { user: 12, detail: '30 ratings' },
      { user: 120, detail: '9 ratings' },
    ],
    isOld: false,
  },
}
/** 2026-11-20T14:00:00Z */
const now = 1_795_183_200

const here: PageContext = {
  has: () => false,
  exports: null,
  ratingsHref: '/',
  toRewoundHref: null,
  subject: null,
}

type StateChanges = Partial<PaletteState> & { unknown?: string[] }

function stateOf(marked: string, { unknown = [], ...more }: StateChanges = {}): PaletteState {
  const text = marked.replace('|', '')
  const read = parseFilterText(text, { now, unknown: new Set(unknown) })
  const caret = marked.includes('|') ? marked.indexOf('|') : text.length
  return {
    text,
    read,
    now,
    lookups: nothing,
    views: [],
    recent: { searches: [] },
    here,
    compared: null,
    docs: [],
    stars: null,
    writing: writingAt(read.words, caret),
    shownText: '',
    matches: undefined,
    isLooking: false,
    asof: null,
    zone: 'UTC',
    reader: { signsIn: false, mayManage: true },
    theme: 'system',
    toHref: (query) => toHref({ ...EVERY_VIEW, ...query }),
    toPhrase: (query) => toFilterPhrase(selectRatingFilters(query)),
    ...more,
  }
}
const namesOf = (state: PaletteState) => selectSections(state).map(({ name }) => name)
const rowsOf = (state: PaletteState, name: string) =>
  selectSections(state).find((section) => section.name === name)?.rows ?? []
const labelsOf = (state: PaletteState, name: string) =>
  rowsOf(state, name).map(({ label }) => label)
const firstOf = (state: PaletteState) => {
  const sections = selectSections(state)
  return sections.flatMap(({ rows }) => rows)[selectFirst(sections, state)]
}

it('a symbol or a user that is named may be watched, behind its page and its filter', () => {
  const labels = (text: string, more: Partial<PaletteState> = {}) =>
    labelsOf(stateOf(text, { lookups: found, ...more }), 'Watch')
  expect(namesOf(stateOf('aapl', { lookups: found })).slice(0, 3)).toEqual([
    'Symbol',
    'Filter',
    'Watch',
  ])
  expect(labels('aapl')).toEqual(['Watch AAPL'])
  expect(labels('user 12')).toEqual(['Watch user 12'])
  expect(labels('aapl', { stars: withStar(NO_STARS, watchedSymbol('AAPL')) })).toEqual([
    'Stop watching AAPL',
  ])
  expect(labels('aapl rating:5')).toEqual([])
  expect(labels('status')).toEqual([])
})

describe('the rows of the palette', () => {
  it('begin with what Enter does: the filter, where the whole text is right', () => {
    expect(firstOf(stateOf('symbol:AAPL rating:5'))).toMatchObject({
      label: 'Show ratings: AAPL, Strong Buy',
      action: { href: '/?symbol=AAPL&rating=5', remember: 'symbol:AAPL rating:5' },
    })
  })

  it('apply nothing by themselves where a word is wrong, and offer what may be meant and the rest', () => {
    const state = stateOf('rating:buy symbol:AAPL ')
    expect(firstOf(state)).toBe(undefined)
    expect(labelsOf(state, 'Did you mean')).toEqual([
      'rating:"moderate buy"',
      'rating:"strong buy"',
    ])
    expect(rowsOf(state, 'Did you mean')[1]?.action).toMatchObject({
      text: 'rating:"strong buy" symbol:AAPL ',
    })
    expect(rowsOf(state, 'Filter')).toMatchObject([
      { label: 'Apply the rest: AAPL', action: { href: '/?symbol=AAPL', remember: 'symbol:AAPL' } },
    ])
  })

  it('begin with the page of the symbol whose start was typed', () => {
    const lookups = {
      ...nothing,
      symbols: { found: [{ symbol: 'TSLA', detail: '4,118 ratings' }], isOld: false },
    }
    const state = stateOf('tsl', { lookups, unknown: ['TSL'] })
    expect(firstOf(state)).toMatchObject({ label: 'TSLA', action: { href: '/symbols/TSLA' } })
  })

  it('never read a word as a symbol that is none, unless it is written so', () => {
    const unknown = ['HELLO', 'WORLD']
    for (const text of ['hello', 'hello ', 'hello world', '"hello"', 'not hello']) {
      expect(selectSections(stateOf(text, { unknown })), text).toEqual([])
    }
    const mixed = stateOf('hello strong buy', { unknown })
    expect(mixed.read.problems).toMatchObject([
      { start: 0, end: 5, message: 'No symbol is called “hello”' },
    ])
    expect(labelsOf(mixed, 'Filter')).toEqual(['Apply the rest: Strong Buy'])
    expect(firstOf(mixed)).toBe(undefined)
    expect(firstOf(stateOf('symbol:HELLO', { unknown }))).toMatchObject({
      label: 'Show ratings: HELLO',
    })
    expect(namesOf(stateOf('export hello', { unknown: [...unknown, 'EXPORT'] }))).not.toContain(
      'Do',
    )
    expect(firstOf(stateOf('csv', { unknown: ['CSV'] }))).toMatchObject({ label: 'Export ratings' })
    expect(firstOf(stateOf('status', { unknown: ['STATUS'] }))).toMatchObject({ label: 'Status' })
  })

  it('offer no filter that matches nothing, and no user or rating that does not exist', () => {
    const matches = { total: 0, text: '0 ratings' }
    const state = stateOf('symbol:HELLO rating:5', { matches })
    expect(selectSections(state)[0]).toMatchObject({
      rows: [],
      note: 'No rating matches: HELLO, Strong Buy',
    })
    expect(firstOf(state)).toBe(undefined)
    expect(rowsOf(stateOf('rating:5 nope:1 ', { matches }), 'Filter')).toEqual([])
    expect(selectSections(stateOf('77', { lookups: nothing }))).toEqual([])
    expect(namesOf(stateOf('user 77', { lookups: nothing }))).not.toContain('User')
  })

  it('rewind the page to an instant that is named alone, where the page has a past', () => {
    const rewinding = { ...here, toRewoundHref: (asof: number) => `/symbols?asof=${asof}` }
    for (const text of ['on 2025-03-01', 'a year ago', 'last friday']) {
      expect(firstOf(stateOf(text, { here: rewinding })), text).toMatchObject({ id: 'rewind' })
    }
    expect(firstOf(stateOf('on 2025-03-01', { here: rewinding }))).toMatchObject({
      label: 'Rewind this page to 2025-03-01',
      action: { href: '/symbols?asof=1740873599' },
    })
    expect(firstOf(stateOf('aapl on 2025-03-01', { here: rewinding }))).toMatchObject({
      action: { href: '/?symbol=AAPL&asof=2025-03-01' },
    })
    expect(firstOf(stateOf('on 2025-03-01'))).toMatchObject({
      action: { href: '/?asof=2025-03-01' },
    })
  })

  it('find words of the glossary, documents and their headings, by the beginnings of their words', () => {
    const docs: DocsEntry[] = [
      {
        kind: 'word',
        label: 'consensus',
        detail: 'the mean',
        also: 'average rating',
        href: '/docs/glossary#consensus',
      },
      { kind: 'docs', label: 'Consensus', detail: 'API', also: '', href: '/docs/api#consensus' },
      {
        kind: 'docs',
        label: 'Backups',
        detail: 'Operations',
        also: '',
        href: '/docs/operations#backups',
      },
    ]
    const unknown = ['CONSENSUS', 'AVERAGE', 'RAT', 'OPERATIONS', 'BACK']
    const state = (text: string) => stateOf(text, { docs, unknown })
    expect(firstOf(state('consensus'))).toMatchObject({ kind: 'Word', detail: 'the mean' })
    expect(labelsOf(state('consensus'), 'Docs')).toEqual(['Consensus'])
    expect(labelsOf(state('average rat'), 'Glossary')).toEqual(['consensus'])
    expect(rowsOf(state('operations back'), 'Docs')).toMatchObject([
      { label: 'Backups', detail: 'Operations', action: { href: '/docs/operations#backups' } },
    ])
    for (const text of ['co', 'rating:5 consensus', 'mean']) {
      expect(namesOf(state(text)), text).not.toContain('Glossary')
    }
    expect(isUndecided(stateOf('consensus', { docs: null, unknown }))).toBe(true)
  })

  it('lead to every page by its name, however it is written', () => {
    const signedIn = { signsIn: true, mayManage: true }
    for (const [text, href] of [
      ['status', '/status'],
      ['downloads', '/downloads'],
      ['look-ups', '/lookups'],
      ['lookups', '/lookups'],
      ['look ups', '/lookups'],
      ['record', '/users/everyone'],
      ['help', '/help'],
      ['docs', '/docs'],
      ['about', '/about'],
      ['account', '/account'],
      ['changes', '/changes'],
      ['watching', '/watching'],
      ['users', '/users'],
      ['symbols', '/symbols'],
      ['api', '/docs/api'],
    ] as const) {
      const unknown = text.toUpperCase().split(' ')
      const state = stateOf(text, { reader: signedIn, unknown })
      expect(firstOf(state), text).toMatchObject({ kind: 'Page', action: { href } })
    }
  })

  it('wait for the answer that says whether a user is there', () => {
    const users = { found: [], isOld: true, note: 'Looking for users…' }
    for (const text of ['12', 'user 12']) {
      const state = stateOf(text, { lookups: { ...nothing, users } })
      expect([firstOf(state), isUndecided(state)], text).toEqual([undefined, true])
    }
  })

  it('begin with the page of the one symbol, user or page that is named, and filter by it second', () => {
    for (const text of ['aapl', 'AAPL', 'Aapl']) {
      const sections = selectSections(stateOf(text, { lookups: found }))
      expect(sections.slice(0, 2).map(({ rows }) => rows[0]?.action)).toMatchObject([
        { do: 'open', href: '/symbols/AAPL' },
        { do: 'open', href: '/?symbol=AAPL' },
      ])
      expect(firstOf(stateOf(text, { lookups: found }))).toMatchObject({ kind: 'Symbol' })
    }
    expect(firstOf(stateOf('user 12', { lookups: found }))).toMatchObject({
      action: { href: '/users/12' },
      detail: '30 ratings',
    })
    expect(firstOf(stateOf('status'))).toMatchObject({ kind: 'Page', label: 'Status' })
  })

  it('begin with the filter where more is said than one name, or it is said in the grammar', () => {
    for (const text of ['symbol:AAPL', 'user:12', 'not user 12', '-aapl', '"aapl"', 'aapl 2025']) {
      expect(firstOf(stateOf(text, { lookups: found })), text).toMatchObject({ id: 'apply' })
    }
  })

  it('wait with what Enter does until it is known whether the one word is a symbol', () => {
    const old: Lookups = { ...found, symbols: { found: [], isOld: true } }
    for (const text of ['aapl', 'aapl 2025']) {
      const state = stateOf(text, { lookups: old, isLooking: true })
      expect([isUndecided(state), namesOf(state).includes('Filter')], text).toEqual([true, false])
      expect(isUndecided(stateOf(text, { lookups: nothing })), text).toBe(false)
    }
    for (const text of ['user 12', 'csv', 'status']) {
      expect(isUndecided(stateOf(text, { lookups: old, isLooking: true })), text).toBe(false)
    }
  })

  it('say “not” before the whole thing that is taken out', () => {
    expect(firstOf(stateOf('not user 64'))).toMatchObject({
      label: 'Show ratings: not user #64',
      action: { href: '/?user=-64' },
    })
  })

  it('offer no rest where every word is wrong', () => {
    expect(namesOf(stateOf('nope:1 rating:x '))).not.toContain('Filter')
  })

  it('lead from a number to the user and the rating, and to filters by it', () => {
    for (const text of ['12', '#12']) {
      const state = stateOf(text, { lookups: found })
      expect(firstOf(state)).toMatchObject({ kind: 'User', action: { href: '/users/12' } })
      expect(rowsOf(state, 'Go to')).toMatchObject([
        { kind: 'User', label: '#12', detail: '30 ratings' },
        { label: 'Show ratings: user #12', action: { href: '/?user=12', remember: 'user:12' } },
        { kind: 'Rating', label: '#12', action: { href: '/ratings/12' } },
        { kind: 'User', label: '#120' },
      ])
      expect(labelsOf(state, 'Filter by')).toEqual(['user:12', 'id:12'])
    }
    const user = Number.MAX_SAFE_INTEGER
    const users = { ...found.users, found: [{ user, detail: '1 rating' }] }
    const lookups = { ...found, users }
    expect(firstOf(stateOf(`${user}`, { lookups }))).toMatchObject({
      action: { href: `/users/${user}` },
    })
    const tooLarge = selectSections(stateOf('9007199254740993', { lookups }))
    expect(JSON.stringify(tooLarge)).not.toContain('9007199254740992')
  })

  it('lead to one’s account where people sign in, and to everybody’s for whoever manages that', () => {
    const pagesFor = (text: string, signsIn: boolean, mayManage: boolean) =>
      selectSections(stateOf(text, { reader: { signsIn, mayManage } }))
        .flatMap(({ rows }) => rows)
        .filter(({ id }) => ['page /account', 'page /access'].includes(id))
        .map(({ label }) => label)
    expect(pagesFor('acc', true, true)).toEqual(['Your account', 'Access'])
    expect(pagesFor('acc', true, false)).toEqual(['Your account'])
    expect(pagesFor('acc', false, true)).toEqual([])
    expect(pagesFor('access', true, true)).toEqual(['Access'])
    expect(pagesFor('access', true, false)).toEqual([])
  })

  it('lead from a word to symbols and pages, and complete it', () => {
    const state = stateOf('rating:5 aa|', { lookups: found })
    expect(rowsOf(state, 'Go to')).toMatchObject([{ action: { href: '/symbols/AAPL' } }])
    expect(rowsOf(state, 'Symbols')).toMatchObject([
      { label: 'symbol:AAPL', action: { text: 'rating:5 symbol:AAPL ', caret: 21 } },
    ])
    expect(labelsOf(stateOf('DOW'), 'Go to')).toEqual(['Downloads'])
    expect(labelsOf(stateOf('pre'), 'Filter by')).toEqual(['prediction:'])
  })

  it.each([
    ['rating:', ['Strong Sell', 'Moderate Sell', 'Hold', 'Moderate Buy', 'Strong Buy']],
    ['rating:4,buy', ['Moderate Buy', 'Strong Buy']],
    ['action:up', ['Upgraded']],
    ['state:', ['active', 'expired']],
    ['sort:pred', ['-prediction', 'prediction']],
    ['sort:-pred', ['-prediction']],
    ['from:tod', ['2026-11-20']],
    ['created:this', ['2026-11', '2026']],
    ['expires:n', ['never', '2026-12', '2027']],
    ['prediction:>', []],
    ['quality:fl', ['flip_within_day']],
    ['-quality:neg', ['strong_buy_negative']],
  ])('complete the value of %s', (text, labels) => {
    expect(
      selectSections(stateOf(text)).find(({ name }) => name.startsWith('Values'))?.rows ?? [],
    ).toMatchObject(labels.map((label) => ({ label })))
  })

  it('that were found for an earlier word can be chosen only where they are still what is typed', () => {
    const lookups = { ...nothing, symbols: { ...found.symbols, isOld: true } }
    expect(rowsOf(stateOf('aap', { lookups }), 'Symbols')[0]?.isOld).toBe(false)
    expect(rowsOf(stateOf('msf', { lookups }), 'Symbols')[0]?.isOld).toBe(true)
  })

  it('say that days are of UTC to a reader of another zone', () => {
    const state = stateOf('from:tod', { zone: 'Europe/Berlin' })
    expect(rowsOf(state, 'Values of from')).toMatchObject([{ detail: 'today, in UTC' }])
  })

  it('keep the instant that the reader stands at, which no text has to name', () => {
    const asof = 86_399
    const views = [{ id: 'v', name: 'Apple', address: 'symbol=AAPL' }]
    const state = stateOf('12', { lookups: found, asof })
    expect(rowsOf(state, 'Go to')[0]).toMatchObject({
      action: { href: '/users/12?asof=1970-01-01' },
    })
    const home = stateOf('', { asof, views })
    expect(rowsOf(home, 'Saved views')).toMatchObject([
      { action: { href: '/?symbol=AAPL&asof=1970-01-01' } },
    ])
    expect(toShownText({ ...EVERY_VIEW, asof: 86_399 })).toBe('')
  })

  it('say which part could not be looked up, and keep the others', () => {
    const note = 'Symbols could not be looked up.'
    const lookups = { ...nothing, symbols: { ...NOTHING_FOUND, note } }
    const sections = selectSections(stateOf('aapl', { lookups }))
    expect(sections.flatMap((section) => section.note ?? [])).toEqual([note])
    expect(firstOf(stateOf('aapl', { lookups }))?.id).toBe('apply')
  })

  it('lead to symbols that are spelled nearly so, where few are spelled so', () => {
    const near = { found: [{ symbol: 'TSLA', detail: '4,118 ratings' }], isOld: false }
    const state = stateOf('tlsa', { lookups: { ...nothing, near }, unknown: ['TLSA'] })
    expect(rowsOf(state, 'Symbols like TLSA')).toMatchObject([
      { kind: 'Symbol', label: 'TSLA', action: { href: '/symbols/TSLA' } },
    ])
    expect(firstOf(state)).toBe(undefined)
    const both = { ...nothing, symbols: near, near }
    expect(namesOf(stateOf('tsl', { lookups: both }))).not.toContain('Symbols like TSL')
  })

  it('lead to views by any part of their names, and to themes by a word of theirs', () => {
    const views = [
      { id: 'a', name: 'My bulls', address: 'rating:5' },
      { id: 'b', name: 'Bears', address: 'rating:1' },
    ]
    expect(labelsOf(stateOf('my bu', { views }), 'Saved views')).toEqual(['My bulls'])
    expect(labelsOf(stateOf('bears', { views }), 'Saved views')).toEqual(['Bears'])
    expect(rowsOf(stateOf('dar'), 'Theme')).toMatchObject([
      { label: 'Dark theme', action: { do: 'theme', theme: 'dark' } },
    ])
    expect(rowsOf(stateOf('theme'), 'Theme')).toMatchObject([
      { label: 'System theme', detail: 'shown now' },
      { label: 'Light theme' },
      { label: 'Dark theme' },
    ])
  })

  it('remember the places that they lead to, whatever they are looked at as of', () => {
    const asof = 86_399
    const [aapl] = rowsOf(stateOf('aapl', { lookups: found, asof }), 'Symbol')
    expect(aapl?.action).toEqual({
      do: 'open',
      href: '/symbols/AAPL?asof=1970-01-01',
      remember: { kind: 'Symbol', label: 'AAPL', path: '/symbols/AAPL' },
    })
    const recent = { searches: [{ kind: 'Symbol', label: 'AAPL', path: '/symbols/AAPL' }] }
    expect(rowsOf(stateOf('', { recent }), 'Recent searches')).toMatchObject([
      { kind: 'Symbol', label: 'AAPL', action: { href: '/symbols/AAPL' } },
      { label: 'Forget recent searches' },
    ])
  })

  it('begin with recent searches, saved views and pages, before anything is typed', () => {
    const state = stateOf('', {
      recent: { searches: ['rating:5', 'nope:1'] },
      views: [{ id: 'a', name: 'Mine', address: 'user=12' }],
    })
    expect(namesOf(state)).toEqual([
      'Recent searches',
      'Saved views',
      'Go to',
      'Theme',
      'Filter by',
    ])
    expect(rowsOf(state, 'Recent searches')).toMatchObject([
      { label: 'rating:5', action: { do: 'open', href: '/?rating=5' } },
      { label: 'nope:1', action: { do: 'write', text: 'nope:1' } },
      { action: { do: 'forget' } },
    ])
    expect(rowsOf(state, 'Saved views')).toMatchObject([{ action: { href: '/?user=12' } }])
    expect(firstOf(state)).toBe(undefined)
  })

  it('offer the filter of the page first, and Enter never removes it', () => {
    const state = stateOf('', { shownText: 'symbol:AAPL ' })
    expect(rowsOf(state, 'This filter')).toMatchObject([
      { label: 'Edit this filter', action: { do: 'write', text: 'symbol:AAPL ', caret: 12 } },
      { label: 'Show every rating', action: { href: '/' } },
    ])
    expect(firstOf(state)?.id).toBe('edit')
  })

  it('have ids of their own, whatever is typed and wherever the caret is', () => {
    const pieces = fc.constantFrom(
      '12',
      'aapl',
      'symbol:',
      'rating:',
      ' ',
      ',',
      '-',
      '"',
      'x:y',
      'sym',
      '>5',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), fc.nat({ max: 30 }), (parts, place) => {
        const text = parts.join('')
        const at = Math.min(place, text.length)
        const state = stateOf(`${text.slice(0, at)}|${text.slice(at)}`, { lookups: found })
        const sections = selectSections(state)
        const ids = sections.flatMap(({ rows }) => rows.map(({ id }) => id))
        const names = sections.map(({ name }) => name)
        expect(new Set(ids).size, text).toBe(ids.length)
        expect(new Set(names).size, text).toBe(names.length)
      }),
      { numRuns: draws(500) },
    )
  })
})

it('the filter of the page is offered as text, without its page number', () => {
  const { query } = readRatingsView(new URLSearchParams('symbol=-TSLA&page=4&per_page=100'))
  expect(toShownText(query)).toBe('-symbol:TSLA per_page:100 ')
  expect(toShownText(EVERY_VIEW)).toBe('')
})
