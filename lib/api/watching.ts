import { selectWatching } from '#lib/archive/overview/watching.ts'
import type { WatchingAnswer } from '#lib/contract/answers/watching.ts'
import { watchingQuery } from '#lib/contract/watching-query.ts'
import { kept } from './endpoint.ts'
import { readParameters, toMeta } from './respond.ts'

/** What many symbols, users and views hold, so that a browser can tell what of it its reader has not seen. */
export const answerWatching = kept(
  'watching',
  async (deps, { params, signal }): Promise<WatchingAnswer> => {
    const query = readParameters(watchingQuery, params)
    const at = deps.now()
    const { symbols, ...held } = await selectWatching(deps.archive.reader, query, { at, signal })
    const named = symbols.map(({ symbol, ...row }) => ({
      ...{ symbol, name: deps.names.of(symbol), ...row },
    }))
    const data = { symbols: named, ...held }
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)
