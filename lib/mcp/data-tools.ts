import * as z from 'zod/mini'
import { facets } from '#lib/contract/answers/ratings.ts'
import { dump, edition, status } from '#lib/contract/answers/status.ts'
import { symbolRow } from '#lib/contract/answers/symbols.ts'
import { asofQuery, noQuery } from '#lib/contract/api-queries.ts'
import { symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { dumpOperations, EXPORT_OPERATIONS } from '#lib/contract/operations/files.ts'
import { ratingQuestions } from '#lib/contract/operations/ratings.ts'
import { editionQuestions, stateQuestions } from '#lib/contract/operations/state.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema, toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { defineTool } from './define-tool.ts'
import { toCount, toDay, toFigure, toPercent, toQuoted } from './plain-answer.ts'

const EDITIONS_MAX = 8

const shownDump = z.pick(dump, { state: true, file_name: true, edition: true, next_due_at: true })
const shownEditions = z.array(z.extend(edition, { file_name: z.string() }))

export const listDownloads = defineTool({
  name: 'list_downloads',
  title: 'List downloads',
  description:
    'Files to download: both weekly dumps of the service with age, size, rows and checksum, their editions, and exports of every list. Downloads need the permission "export". Nothing is fetched from the service.',
  parts: {},
  query: noQuery,
  rule: 'n counts the rows of the current posts dump.',
  data: z.object({
    posts: shownDump,
    lookups: shownDump,
    editions: z.object({ posts: shownEditions, lookups: shownEditions }),
    files: z.array(z.object({ summary: z.string(), address: z.string() })),
  }),
  async answer({ ask, toLink }) {
    const asked = { parts: {}, params: new URLSearchParams() }
    const [dumps, editions, state] = await Promise.all([
      ask({ question: editionQuestions.dumps, ...asked }),
      ask({ question: editionQuestions.editions, ...asked }),
      ask({ question: stateQuestions.status, ...asked }),
    ])
    const { posts, lookups } = dumps.data
    return {
      data: {
        posts,
        lookups,
        editions: {
          posts: editions.data.posts.slice(0, EDITIONS_MAX),
          lookups: editions.data.lookups.slice(0, EDITIONS_MAX),
        },
        files: FILES.map(({ summary, address }) => ({ summary, address: toLink(address) })),
      },
      n: posts.edition?.rows ?? 0,
      meta: toMeta(state.data),
      link: '/downloads',
      lines: [
        toDumpLine('Posts dump', posts),
        toDumpLine('Look-ups dump', lookups),
        `${toCount(editions.data.posts.length, 'edition')} of posts and ${editions.data.lookups.length} of look-ups are kept. Files:`,
        `- current dumps: ${toLink('/api/v1/posts/dumps')} and ${toLink('/api/v1/lookups/dumps')}`,
        ...SUBJECTS.map((of) => toExportLine(of, toLink)),
      ],
    }
  },
})

const EXPORTED = EXPORT_OPERATIONS.filter(({ permission }) => permission === 'export')

const SUBJECTS = [...new Set(EXPORTED.map(({ of }) => of))]

function toExportLine(subject: string, toLink: (path: string) => string): string {
  const files = EXPORTED.filter(({ of }) => of === subject)
  const formats = files.map(({ format }) => format).join(', ')
  return `- ${subject}, as ${formats}: ${files.map(({ address }) => toLink(address))[0]}`
}

const FILES = [dumpOperations.getPostsDump, dumpOperations.getLookupsDump, ...EXPORTED]

type Status = z.output<typeof status>

const toMeta = ({ archive, now }: Status) => ({
  as_of: now,
  complete_to: archive.complete_to,
  generation: archive.generation,
})

function toDumpLine(name: string, { state, edition: held }: z.output<typeof shownDump>): string {
  if (held === null) return `${name}: ${state}.`
  return `${name}: ${state}, edition ${held.edition}, ${toCount(held.rows, 'row')}, ${toCount(held.bytes, 'byte')}, fetched on ${toDay(held.fetched_at)}.`
}

const SYMBOLS_MAX = 50

export const describeData = defineTool({
  name: 'describe_data',
  title: 'Describe the data',
  description:
    'What the archive holds: numbers of ratings, users and symbols, the period, codes with their labels, and a ranked page of symbols. Find a symbol by part of its name with `q`; rank with `sort`, for example -consensus, -active or -change_30d. Start here if you do not know the data.',
  parts: {},
  query: querySchema({
    ...symbolsQuery.parameters,
    per_page: parameter.count(SYMBOLS_MAX, 10, 'Symbols per page.', '10'),
  }),
  rule: 'n counts the ratings of the archive, or those posted by `asof`. The consensus is the mean of active ratings, 1 (Strong Sell) to 5 (Strong Buy); rankings are adjusted for few ratings.',
  data: z.object({
    ratings: z.int(),
    distinct: facets.shape.distinct,
    bounds: facets.shape.bounds,
    rating: facets.shape.rating,
    action: facets.shape.action,
    sync: z.pick(status.shape.sync, { state: true, checked_at: true, next_at: true }),
    page: z.int(),
    pages: z.int(),
    symbols_found: z.int(),
    symbols: z.array(
      z.pick(symbolRow, {
        symbol: true,
        name: true,
        ratings: true,
        active: true,
        consensus: true,
        change_30d: true,
        avg_prediction: true,
        dispersion: true,
        last_created_at: true,
        lookups_30d: true,
      }),
    ),
  }),
  async answer({ query, ask }) {
    const params = toParams(symbolsQuery, query)
    const { asof } = query
    const one = toParams(ratingsQuery, { asof, per_page: 1 })
    const [league, counts, found, state] = await Promise.all([
      ask({ question: symbolQuestions.symbols, parts: {}, params }),
      ask({ question: ratingQuestions.facets, parts: {}, params: toParams(asofQuery, { asof }) }),
      ask({ question: ratingQuestions.ratings, parts: {}, params: one }),
      ask({ question: stateQuestions.status, parts: {}, params: new URLSearchParams() }),
    ])
    const { number: page, pages, total: symbolsFound } = league.page
    const { distinct, bounds, rating, action } = counts.data
    const ratings = found.page.total
    const period = bounds.created
    return {
      data: {
        ratings,
        distinct,
        bounds,
        rating,
        action,
        sync: state.data.sync,
        page,
        pages,
        symbols_found: symbolsFound,
        symbols: league.data,
      },
      n: ratings,
      meta: league.meta,
      link: `/symbols${toQueryText(params)}`,
      lines: [
        `${toCount(ratings, 'rating')} by ${toCount(distinct.users, 'user')} on ${toCount(distinct.symbols, 'symbol')}${period === null ? '' : `, posted from ${toDay(period.from)} to ${toDay(period.to)}`}.`,
        `Ratings: ${toCodes(rating)}.`,
        `Actions: ${toCodes(action)}.`,
        `${toCount(symbolsFound, 'symbol')} found, page ${page} of ${pages}:`,
        ...league.data.map(toLeagueLine),
      ],
    }
  },
})

const toCodes = (codes: readonly { value: number; label: string; count: number }[]): string =>
  codes
    .map(
      ({ value, label, count }) =>
        `${value} is ${toQuoted(label)} (${count.toLocaleString('en-US')})`,
    )
    .join(', ')

type League = Pick<
  z.output<typeof symbolRow>,
  'symbol' | 'name' | 'active' | 'consensus' | 'change_30d' | 'avg_prediction'
>

const toLeagueLine = ({ symbol, name, active, consensus, ...row }: League): string =>
  `- ${toQuoted(symbol)}${name === null ? '' : ` ${toQuoted(name)}`}: consensus ${toFigure(consensus)} (${active} active), 30 days ${toFigure(row.change_30d)}, mean prediction ${toPercent(row.avg_prediction)}`
