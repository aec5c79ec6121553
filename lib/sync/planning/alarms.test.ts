import { describe, expect, test } from 'vitest'
import type { AlarmKind } from '#lib/contract/answers/status.ts'
import { type AlarmFacts, type EditionFacts, selectAlarms } from './alarms.ts'

const NOW = 1_795_003_200
const MINUTE = 60
const HOUR = 3600
const DAY = 24 * HOUR
const WEEK = 7 * DAY

const EDITION: EditionFacts = {
  dueAt: NOW - 3 * DAY,
  isHere: true,
  isUnknown: false,
  isReplaced: false,
  isSpared: false,
  isUnchanged: false,
  lacks: 0,
  heldBack: null,
  rows: [130, 120, 110, 100],
}

const WELL: AlarmFacts = {
  refusedAt: null,
  failing: null,
  checkedAt: NOW - 30,
  followSeconds: 60,
  budget: { limit: 100, left: 40, reserved: 6, runsOutAt: null },
  editions: { posts: EDITION, lookups: EDITION },
  postingRate: { newestCreatedAt: NOW - 5 * MINUTE, ratings: 500, longestGapSeconds: 3 * HOUR },
  expectsNew: true,
  vanished: null,
  clockSkewSeconds: 2,
  rebuiltAt: null,
  backupFailure: null,
  stalledAt: null,
  emptyImports: [],
}

const kindsOf = (facts: AlarmFacts, at = NOW) => selectAlarms(facts, at).map(({ kind }) => kind)
const failing = (seconds: number, change: Partial<NonNullable<AlarmFacts['failing']>> = {}) => ({
  since: NOW - seconds,
  reason: 'The service does not answer.',
  isDisk: false,
  isService: true,
  ...change,
})
const posts = (change: Partial<EditionFacts>): Partial<AlarmFacts> => ({
  editions: { posts: { ...EDITION, ...change }, lookups: EDITION },
})
const lookups = (change: Partial<EditionFacts>): Partial<AlarmFacts> => ({
  editions: { posts: EDITION, lookups: { ...EDITION, ...change } },
})
const silence = (seconds: number, longestGapSeconds: number, ratings = 20) => ({
  postingRate: { newestCreatedAt: NOW - seconds, ratings, longestGapSeconds },
})

test('where all is well nothing is raised', () => {
  expect(selectAlarms(WELL, NOW)).toEqual([])
})

const CASES: [AlarmKind, string, Partial<AlarmFacts>, Partial<AlarmFacts>][] = [
  ['refused', 'a key that is not accepted', { refusedAt: NOW }, { refusedAt: null }],
  [
    'unreachable',
    'a service that has failed for more than a quarter of an hour',
    { failing: failing(15 * MINUTE + 1) },
    { failing: failing(15 * MINUTE) },
  ],
  [
    'disk',
    'a full disk',
    { failing: failing(1, { isDisk: true, isService: false }) },
    { failing: failing(1, { isDisk: false, isService: false }) },
  ],
  [
    'budget',
    'a month that is spent but for its dumps',
    { budget: { limit: 100, left: 0, reserved: 6, runsOutAt: NOW } },
    { budget: { limit: 100, left: 1, reserved: 6, runsOutAt: null } },
  ],
  [
    'budget',
    'a month that will not last',
    { budget: { limit: 100, left: 9, reserved: 6, runsOutAt: NOW + DAY } },
    { budget: { limit: null, left: Infinity, reserved: 0, runsOutAt: null } },
  ],
  [
    'edition_late',
    'a dump that is not here six hours after it was due',
    posts({ isHere: false, dueAt: NOW - 6 * HOUR - 1 }),
    posts({ isHere: false, dueAt: NOW - 6 * HOUR }),
  ],
  [
    'edition_late',
    'a dump that never came whole, until the pages have been read to the end',
    posts({ isHere: false }),
    posts({ isHere: false, isReplaced: true }),
  ],
  [
    'edition_late',
    'lookups that were had before and are late',
    lookups({ isHere: false }),
    lookups({ isHere: false, isUnknown: true }),
  ],
  [
    'edition_late',
    'lookups that are late, but not those that the budget spares',
    lookups({ isHere: false, isSpared: false }),
    lookups({ isHere: false, isSpared: true }),
  ],
  [
    'edition_unchanged',
    'a dump whose bytes are those of the one before',
    posts({ isUnchanged: true }),
    posts({ isUnchanged: true, isHere: false, dueAt: NOW - HOUR }),
  ],
  [
    'edition_unchanged',
    'a dump of other bytes that lacks what was posted before it was made',
    posts({ lacks: 1 }),
    posts({ lacks: 0 }),
  ],
  ['edition_aside', 'a dump that is set aside', posts({ heldBack: 'it lost rows.' }), posts({})],
  [
    'silent',
    'a community that is silent for three times its longest silence',
    silence(9 * HOUR + 1, 3 * HOUR),
    silence(9 * HOUR, 3 * HOUR),
  ],
  ['silent', 'but not for less than six hours', silence(6 * HOUR + 1, 60), silence(6 * HOUR, 60)],
  ['silent', 'of which enough is known', silence(DAY, 60, 20), silence(DAY, 60, 19)],
  [
    'silent',
    'only where new ratings are to be expected',
    silence(DAY, 60),
    { ...silence(DAY, 60), expectsNew: false },
  ],
  [
    'silent',
    'only where somebody has listened lately',
    { ...silence(DAY, 60), checkedAt: NOW - HOUR },
    { ...silence(DAY, 60), checkedAt: NOW - HOUR - 1 },
  ],
  [
    'falling',
    'three editions in a row that each hold fewer rows',
    posts({ rows: [97, 98, 99, 100] }),
    posts({ rows: [97, 98, 98, 100] }),
  ],
  [
    'vanished',
    'ratings that the last dump no longer lists, for a week',
    { vanished: { at: NOW - WEEK + 1, ratings: 3 } },
    { vanished: { at: NOW - WEEK, ratings: 3 } },
  ],
  [
    'clock',
    'a clock that is more than five minutes off',
    { clockSkewSeconds: -301 },
    { clockSkewSeconds: 300 },
  ],
  [
    'archive_rebuilt',
    'an archive that was damaged and filled again, for a week',
    { rebuiltAt: NOW - DAY },
    { rebuiltAt: NOW - WEEK },
  ],
  ['stalled', 'a sync without a sign of life', { stalledAt: NOW - HOUR }, { stalledAt: null }],
  [
    'backup',
    'backups that fail, though they are made by themselves',
    { backupFailure: { since: NOW - DAY, reason: 'The disk of the backups is full.' } },
    { backupFailure: null },
  ],
]

describe('an alarm is raised for', () => {
  test.each(CASES)('%s: %s, and no sooner', (kind, _, raised, not) => {
    expect(kindsOf({ ...WELL, ...raised })).toEqual([kind])
    expect(kindsOf({ ...WELL, ...not })).not.toContain(kind)
  })
})

test('a refused key is one alarm, not a service that is down as well', () => {
  const facts = { ...WELL, refusedAt: NOW - DAY, failing: failing(DAY) }
  expect(kindsOf(facts)).toEqual(['refused'])
})

test('where the key has a monthly limit, silence is judged by the last follow that was due', () => {
  const facts = { ...WELL, ...silence(2 * DAY, HOUR), followSeconds: 8 * HOUR }
  expect(kindsOf({ ...facts, checkedAt: NOW - 8 * HOUR })).toEqual(['silent'])
  expect(kindsOf({ ...facts, checkedAt: NOW - 25 * HOUR })).toEqual([])
})

test('both dumps are one alarm, which names them, and says since when', () => {
  const late = { ...EDITION, isHere: false }
  const [alarm, ...rest] = selectAlarms({ ...WELL, editions: { posts: late, lookups: late } }, NOW)
  expect(rest).toEqual([])
  expect(alarm).toMatchObject({ kind: 'edition_late', since: late.dueAt + 6 * HOUR })
  expect(alarm?.message).toMatch(/posts and lookups dumps/)
})

test('an alarm never begins in the future, whatever the clocks say', () => {
  const facts = { ...WELL, refusedAt: NOW + DAY, rebuiltAt: NOW + DAY }
  for (const { since } of selectAlarms(facts, NOW)) expect(since).toBeLessThanOrEqual(NOW)
})

test('files that have rows, none of which could be read, are named in an alarm', () => {
  const emptyImports = ['a.csv', 'b.csv', 'c.csv', 'd.csv']
  expect(selectAlarms({ ...WELL, emptyImports }, NOW)).toMatchObject([
    { kind: 'import_empty', message: expect.stringContaining('a.csv, b.csv, c.csv and 1 more.') },
  ])
})
