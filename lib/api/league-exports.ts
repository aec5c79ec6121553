import type { LeagueExport } from '#lib/archive/archive.ts'
import { symbolsQuery, usersQuery } from '#lib/contract/api-queries.ts'
import {
  type LeagueColumn,
  type LeagueFormat,
  SYMBOL_COLUMNS,
  USER_COLUMNS,
  withoutPage,
} from '#lib/contract/export-choice.ts'
import { toLeagueName } from '#lib/contract/export-name.ts'
import { CSV_NAMES, symbolsCsvQuery, usersCsvQuery } from '#lib/contract/export-query.ts'
import type { ApiDeps, RawEndpoint } from './endpoint.ts'
import { type Exported, sendExport, sendManifest, toTextBody } from './export-answer.ts'
import { readParameters } from './respond.ts'

/** Every symbol of the league's query as a file, and what such a file says of itself. */
export const streamSymbols = (format: LeagueFormat): RawEndpoint => streamLeague('symbols', format)
export const answerSymbolsManifest: RawEndpoint = describeLeague('symbols')

/** The same of users. */
export const streamUsers = (format: LeagueFormat): RawEndpoint => streamLeague('users', format)
export const answerUsersManifest: RawEndpoint = describeLeague('users')

type League = 'symbols' | 'users'

type LeagueExported = Exported<LeagueExport> & {
  columns: readonly LeagueColumn[]
  named: Parameters<typeof toLeagueName>[1]
}

function streamLeague(league: League, format: LeagueFormat): RawEndpoint {
  return {
    method: 'GET',
    respond: async (deps, { request, params }) => {
      const { rest, formulas, bom } = splitCsv(league, format, params)
      const { columns, named, ...exported } = toExported(deps, league, rest)
      return await sendExport(deps, request, {
        ...{ ...exported, columns, format },
        toName: (facts) => toLeagueName(league, named, facts),
        toBody: async (source, manifest) =>
          toTextBody(source, manifest, {
            format,
            columns,
            isExact: formulas === 'exact',
            bom: bom === '1',
          }),
      })
    },
  }
}

function describeLeague(league: League): RawEndpoint {
  return {
    method: 'GET',
    respond: async (deps, { request, params }) =>
      await sendManifest(deps, request, toExported(deps, league, params)),
  }
}

/** What only CSV is asked, and the rest, which is the league's own query. Other formats take none of it. */
function splitCsv(league: League, format: LeagueFormat, params: URLSearchParams) {
  const nothing = { rest: params, formulas: 'safe', bom: '0' } as const
  if (format !== 'csv') return nothing
  // Read as a whole, so that everything that is wrong is named at once.
  const { formulas, bom } =
    league === 'symbols'
      ? readParameters(symbolsCsvQuery, params)
      : readParameters(usersCsvQuery, params)
  const rest = new URLSearchParams(params)
  for (const name of CSV_NAMES) rest.delete(name)
  return { rest, formulas, bom }
}

/** `page` and `per_page` do not count. */
function toExported(
  { archive }: Pick<ApiDeps, 'archive'>,
  league: League,
  params: URLSearchParams,
): LeagueExported {
  const shared = { of: league, query: withoutPage(params) }
  if (league === 'symbols') {
    const asked = readParameters(symbolsQuery, params)
    return {
      ...{ ...shared, asof: asked.asof, named: asked, columns: SYMBOL_COLUMNS },
      open: async (options) =>
        await archive.openSymbolsExport(asked, { ...options, at: asked.asof ?? options.at }),
    }
  }
  const asked = readParameters(usersQuery, params)
  return {
    ...{ ...shared, asof: asked.asof, named: asked, columns: USER_COLUMNS },
    open: async (options) =>
      await archive.openUsersExport(asked, { ...options, at: asked.asof ?? options.at }),
  }
}
