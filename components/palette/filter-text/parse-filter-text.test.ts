import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toParams } from '#lib/contract/query-schema.ts'
import {
  EVERY_RATING,
  parseRatingsQuery,
  ratingsQuery,
  toQueryText,
} from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { queries } from '#testing/contract/queries.ts'
import { draws } from '#testing/draws.ts'
import { LONGEST_TEXT, parseFilterText } from './parse-filter-text.ts'
import { toFilterText } from './to-filter-text.ts'

const addressOf = (text: string) => {
  const { query, problems } = parseFilterText(text)
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '))
  return toQueryText(toParams(ratingsQuery, query))
}
const canonical = (address: string) => {
  const parsed = parseRatingsQuery(new URLSearchParams(address))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return toQueryText(toParams(ratingsQuery, parsed.value))
}
const problemsOf = (text: string) =>
  parseFilterText(text).problems.map(({ start, end, message }) => [text.slice(start, end), message])

describe('a filter text says what an address says', () => {
  it.each([
    ['', ''],
    [' \t\u00a0', ''],
    [
      'symbol:AAPL,MSFT rating:4,5 prediction:>10 user:12 -symbol:TSLA from:2024-01-01',
      'symbol=AAPL,MSFT,-TSLA&rating=4,5&prediction_above=10&user=12&from=2024-01-01',
    ],
    ['symbol:aapl symbol:MSFT', 'symbol=AAPL,MSFT'],
    ['symbol:AAPL,-TSLA', 'symbol=AAPL,-TSLA'],
    ['SYMBOL:aapl Rating:5', 'symbol=AAPL&rating=5'],
    ['aapl -tsla "brk b" rating:5', 'symbol=AAPL,"BRK B",-TSLA&rating=5'],
    ['symbol:"A B",-"C,D","-E","say ""hi"""', 'symbol="A B","-E","SAY ""HI""",-"C,D"'],
    ['symbol:NYSE:BRK,A"B', 'symbol=NYSE:BRK,"A""B"'],
    ['rating:hold', 'rating=3'],
    ['rating:"strong buy",Moderate-Sell -action:upgraded', 'rating=5,2&action=-2'],
    ['rating:>=4', 'rating=4,5'],
    ['rating:<hold', 'rating=1,2'],
    ['rating:2..4', 'rating=2,3,4'],
    ['rating:..2', 'rating=1,2'],
    ['rating:≥"moderate buy"', 'rating=4,5'],
    ['rating:-9 rating:"-1"', 'rating="-1",-9'],
    ['prediction:>=10', 'prediction_min=10'],
    ['prediction:5..12.5', 'prediction_min=5&prediction_max=12.5'],
    ['prediction:-5..5', 'prediction_min=-5&prediction_max=5'],
    ['prediction:5..', 'prediction_min=5'],
    ['prediction:<0', 'prediction_below=0'],
    ['prediction:<=-2.50%', 'prediction_max=-2.50'],
    ['prediction:>−3.00%', 'prediction_above=-3.00'],
    ['prediction:>1 prediction:<=2', 'prediction_above=1&prediction_max=2'],
    ['prediction_min:3', 'prediction_min=3'],
    ['prediction:12.5', 'prediction=12.5'],
    ['prediction:+12.50%,−3,-8', 'prediction=%2B12.50,"-3",-8'],
    ['prediction:"-5"', 'prediction="-5"'],
    ['user:#12,40 id:7', 'user=12,40&id=7'],
    ['agree:5 disagree:0 comments:-3', 'agree=5&disagree=0&comments=-3'],
    ['state:active', 'state=active'],
    ['asof:2024-06-30 to:2024-05-01T12:30:00Z', 'asof=2024-06-30&to=2024-05-01T12:30:00Z'],
    ['from:2024 to:2024-05', 'from=2024-01-01&to=2024-05-01'],
    ['from:1704067200', 'from=1704067200'],
    ['asof:2024', 'asof=2024-12-31'],
    ['sort:-created_at', ''],
    ['sort:created', 'sort=created_at'],
    ['sort:-agree per_page:100 page:3', 'sort=-tally_agree&per_page=100&page=3'],
    ['created:2024-05,-2024-05-13', 'created=2024-05,-2024-05-13'],
    ['created:>=2024-05', 'from=2024-05-01'],
    ['created:>2024-05 created:<=2024', 'from=2024-06-01&to=2025-01-01'],
    ['created:2024-01..2024-03', 'from=2024-01-01&to=2024-04-01'],
    ['created:<2024-05-01T12:30:00Z', 'to=2024-05-01T12:30:00Z'],
    ['expires:Never -expires:2026-11', 'expires=never,-2026-11'],
    ['quality:flip_within_day', 'quality=flip_within_day'],
    ['quality:"False upgrade",flip-within-day', 'quality=upgraded_false,flip_within_day'],
    ['-quality:Extreme_Prediction', 'quality=-extreme_prediction'],
  ])('%s', (text, address) => {
    expect(addressOf(text)).toBe(canonical(address))
  })

  it('is read back from the text of every query', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const text = toFilterText(query)
        const read = parseFilterText(text)
        expect(read.problems).toEqual([])
        expect(toParams(ratingsQuery, read.query).toString()).toBe(
          toParams(ratingsQuery, query).toString(),
        )
        expect(toFilterText(read.query)).toBe(text)
      }),
      { numRuns: draws(500) },
    )
  })
})

describe('a problem points at its word', () => {
  it.each([
    ['symbl:AAPL rating:5', 'symbl:AAPL', '“symbl:” is not a filter. Did you mean symbol?'],
    ['rating:5  ticker:A ', 'ticker:A', '“ticker:” is not a filter. Did you mean symbol?'],
    ['zzzzzzzz:A', 'zzzzzzzz:A', '“zzzzzzzz:” is not a filter'],
    ['__proto__:1', '__proto__:1', '“__proto__:” is not a filter'],
    ['columns:id', 'columns:id', 'columns is not a filter: it sets how the table is shown'],
    ['symbol: rating:5', 'symbol:', 'symbol needs a value'],
    ['symbol:A,,B', 'symbol:A,,B', 'symbol has a comma with no value beside it'],
    ['symbol:"A B', 'symbol:"A B', '“symbol:"A B” has a quote that does not end'],
    ['symbol:"A"B x', 'symbol:"A"B', '“symbol:"A"B” has text after a closing quote'],
    ['-symbol:-A', '-symbol:-A', 'symbol: one minus is enough to exclude a value'],
    ['symbol:>A', 'symbol:>A', 'symbol “>A”: symbol takes values, no bounds'],
    [
      'rating:buy page:2',
      'rating:buy',
      'rating “buy” is not a label. Did you mean moderate buy or strong buy?',
    ],
    ['rating:>5', 'rating:>5', 'rating “>5” leaves none'],
    ['action:>1', 'action:>1', 'action “>1”: action has no order'],
    ['user:>12', 'user:>12', 'user “>12”: user takes values, no bounds'],
    ['page:zz', 'page:zz', 'page “zz” is not a whole number from 1 to 9999999'],
    ['prediction:ten', 'prediction:ten', 'prediction “ten” is not a decimal number'],
    ['prediction:>', 'prediction:>', 'prediction “>” needs a number'],
    ['prediction:1,>5', 'prediction:1,>5', 'prediction: a bound or a range stands alone'],
    [
      '-prediction:>5',
      '-prediction:>5',
      'prediction: a bound cannot be taken out, only turned round',
    ],
    [
      'prediction:>10 rating:5 prediction:<5',
      'prediction:<5',
      'prediction “<5” leaves nothing between the bounds of the prediction',
    ],
    [
      'created:2024-13',
      'created:2024-13',
      'created “2024-13” is not a day (2024-01-31), a month (2024-01) or a year',
    ],
    [
      'created:>soon',
      'created:>soon',
      'created: “soon” is not a day (2024-01-31), a month (2024-01) or a year',
    ],
    [
      'created:2024..2023',
      'created:2024..2023',
      'created “2024..2023” leaves no time between its ends',
    ],
    ['to:2023 from:2024', 'to:2023', 'to “2023” is not after from'],
    ['from:2023 state:active from:2024', 'from:2024', 'from “2024” is given twice'],
    ['from:20260102', 'from:20260102', 'from “20260102” is 8 digits: a day is written 2024-01-31'],
    ['-state:active', '-state:active', 'state cannot be excluded'],
    ['state:open', 'state:open', 'state “open” is not one of active, expired'],
    ['quality:flip', 'quality:flip', 'quality “flip” is not one of flip_within_day'],
    ['quality:>flip', 'quality:>flip', 'quality “>flip”: quality takes values, no bounds'],
    ['12', '12', '“12” could be a user, a rating or a symbol: name the field'],
    ['>10', '>10', '“>10” has no field. Did you mean the prediction?'],
    [
      'symbol:A\u202e\u0000B',
      'symbol:A\u202e\u0000B',
      'symbol “A\\u202e\\u0000B” contains an unprintable character',
    ],
    ['A\u0000B', 'A\u0000B', 'symbol “A\\u0000B” contains an unprintable character'],
  ])('%s', (text, word, message) => {
    expect(problemsOf(text)).toEqual([[word, message]])
  })

  it('and there is one for each word that is wrong, in their order', () => {
    expect(problemsOf('page:x symbol:AAPL nope:1 rating:y').map(([word]) => word)).toEqual([
      'page:x',
      'nope:1',
      'rating:y',
    ])
  })

  it('and the rest is what the other words say', () => {
    const { query } = parseFilterText('page:x symbol:AAPL nope:1 prediction:>5 prediction:<2')
    expect(toFilterText(query)).toBe('symbol:AAPL prediction:>5')
  })

  it('and what may have been meant is right, put in its place', () => {
    const fixesOf = (text: string) => parseFilterText(text).problems.flatMap(({ fixes }) => fixes)
    expect(fixesOf('-symbl:AAPL,"B C"')).toEqual(['-symbol:AAPL,"B C"'])
    expect(fixesOf('rating:buy')).toEqual(['rating:"moderate buy"', 'rating:"strong buy"'])
    expect(fixesOf('#12')).toEqual(['user:12', 'id:12', 'symbol:12'])
    expect(fixesOf('-sort:created')).toEqual(['sort:-created'])
    expect(fixesOf('from:>2024')).toEqual(['created:>2024'])
    for (const text of [
      'symbl:A',
      'rating:buy',
      '12',
      '-sort:created',
      'from:>2024',
      '>3',
      'x:y',
    ]) {
      for (const fix of fixesOf(text)) expect(problemsOf(fix), fix).toEqual([])
    }
  })

  it('a list that is too long is refused at the word that makes it so', () => {
    const symbols = (from: number) => Array.from({ length: 60 }, (_, i) => `S${from + i}`).join(',')
    const second = `symbol:${symbols(60)}`
    expect(problemsOf(`symbol:${symbols(0)} ${second}`).map(([word]) => word)).toEqual([second])
  })
})

describe('whatever stands in a text', () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      'symbol:',
      'rating:',
      '-',
      '"',
      ',',
      ' ',
      ':',
      '>',
      '>=',
      '..',
      '#12',
      '5',
      'from:',
    ),
    fc.constantFrom(
      'created:',
      'sort:',
      'prediction:',
      '\u0000',
      '\u202e',
      '😀',
      '\ud800',
      '−',
      '__proto__:',
    ),
    fc.string({ unit: 'binary' }),
  )

  it('nothing is thrown, problems lie within the text, and the rest is a valid query', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        const { query, problems, words } = parseFilterText(text)
        expect(parseRatingsQuery(toParams(ratingsQuery, query)).ok).toBe(true)
        for (const { start, end } of problems) {
          expect(words.some((word) => word.start === start && word.end === end)).toBe(true)
        }
      }),
      { numRuns: draws(1000) },
    )
  })

  it('a text of a hundred thousand characters is refused, and so are words without end', () => {
    for (const text of ['a'.repeat(100_000), '"'.repeat(LONGEST_TEXT), 'a '.repeat(20_000)]) {
      const { problems, query } = parseFilterText(text)
      expect(problems).toHaveLength(1)
      expect(query).toEqual(EVERY_RATING)
    }
  })
})

it('every example of the documentation is right', () => {
  const examples = readFileSync('docs/table.md', 'utf8')
    .split('\n')
    .flatMap((line) => [
      ...(/^\| (`.*?) \|/.exec(line)?.[1] ?? '').matchAll(/`(-?[a-z_]+:[^`]+)`/g),
    ])
    .map(([, text = '']) => text)
  expect(examples.length).toBeGreaterThan(20)
  const watched = { symbols: ['AAPL'], users: [12] }
  for (const text of examples) {
    expect(parseFilterText(text, { watched }).problems, text).toEqual([])
  }
})

describe('what is watched', () => {
  const watched = { symbols: ['AAPL', 'BRK B', 'A,B'], users: [12, -3] }
  const read = (text: string, given = watched) => parseFilterText(text, { watched: given })

  it('stands for the symbols or the users that have a star, which is what the address says', () => {
    expect(read('watched:symbols').query.symbol.only).toEqual(watched.symbols)
    expect(read('watched:users').query.user.only).toEqual(watched.users)
    expect(read('Watched:Symbol').query.symbol.only).toEqual(watched.symbols)
    expect(toFilterText(read('watched:users rating:5').query)).toBe('user:"-3",12 rating:5')
  })

  it('applies with all other words, both kinds together too, and a minus takes it out', () => {
    const { query, problems } = read('watched:symbols,users rating:5')
    expect(problems).toEqual([])
    expect(query).toMatchObject({ symbol: only(...watched.symbols), user: only(12, -3) })
    for (const text of ['-watched:users', 'watched:-users', 'not watched:users']) {
      expect(read(text).query.user, text).toEqual({ only: [], not: [12, -3] })
    }
  })

  it('says what it takes where it names neither, and what to do where nothing is watched', () => {
    const fixes = ['watched:symbols', 'watched:users']
    for (const text of ['watched:', 'watched:AAPL', 'watched:>symbols']) {
      expect(read(text).problems, text).toMatchObject([
        { message: 'watched takes symbols or users', fixes },
      ])
    }
    expect(read('watched:views').problems).toMatchObject([{ fixes }])
    expect(read('watched:symbols', { symbols: [], users: [] }).problems).toMatchObject([
      { message: expect.stringContaining('you watch no symbol yet') },
    ])
    expect(read('starred:symbols').problems).toMatchObject([{ fixes: ['watched:symbols'] }])
  })

  it('with more symbols than a list holds it is refused with the number', () => {
    const symbols = Array.from({ length: 100 }, (_, index) => `S${index}`)
    const given = { symbols, users: [] }
    expect(read('watched:symbols', given).problems).toEqual([])
    expect(read('watched:symbols AAPL', given).problems).toMatchObject([
      { message: expect.stringContaining('takes at most 100 values') },
    ])
  })
})
