import { toQueryText } from '#lib/contract/ratings-query.ts'
import type { AttentionOverviewAnswer } from './attention.ts'
import type { ChangesAnswer } from './changes.ts'
import type { DifferenceFacetsAnswer, DifferencesPage } from './edition-differences.ts'
import type { AttentionAnswer, LookupFacetsAnswer, LookupsPage } from './lookups.ts'
import type { MovesAnswer } from './moves.ts'
import type { CompareAnswer, OpinionAnswer, SeriesAnswer } from './opinion.ts'
import type { FollowedAnswer, PricesAnswer } from './prices.ts'
import type { FacetsAnswer, RatingAnswer, RatingsPage } from './ratings.ts'
import type { DumpsAnswer, EditionsAnswer, QuarantinePage, StatusAnswer } from './status.ts'
import type { AggregateAnswer, OverviewAnswer, SymbolsPage } from './symbols.ts'
import type { CallsPage, CommunityRecordAnswer, TrackAnswer } from './track.ts'
import type { RecordAnswer, UserAnswer, UserRatingsAnswer, UsersPage } from './users.ts'
import type { WatchingAnswer } from './watching.ts'

/** What a screen can ask, by kind, and what it is answered. */
export type Answers = {
  ratings: RatingsPage
  rating: RatingAnswer
  facets: FacetsAnswer
  symbols: SymbolsPage
  symbol: AggregateAnswer
  opinion: OpinionAnswer
  series: SeriesAnswer
  moves: MovesAnswer
  changes: ChangesAnswer
  prices: PricesAnswer
  followed: FollowedAnswer
  comparison: CompareAnswer
  overview: OverviewAnswer
  users: UsersPage
  user: UserAnswer
  calls: UserRatingsAnswer
  record: RecordAnswer
  track: TrackAnswer
  community: CommunityRecordAnswer
  scoredCalls: CallsPage
  lookups: LookupsPage
  lookupFacets: LookupFacetsAnswer
  attention: AttentionAnswer
  attentionOverview: AttentionOverviewAnswer
  status: StatusAnswer
  dumps: DumpsAnswer
  editions: EditionsAnswer
  differences: DifferencesPage
  differenceFacets: DifferenceFacetsAnswer
  quarantine: QuarantinePage
  watching: WatchingAnswer
}
export type Kind = keyof Answers

/** Where each kind is asked for in the API. */
export const ADDRESSES: Readonly<Record<Kind, string>> = {
  ratings: '/api/ratings',
  rating: '/api/ratings/{id}',
  facets: '/api/facets',
  symbols: '/api/symbols',
  symbol: '/api/symbols/{symbol}',
  opinion: '/api/symbols/{symbol}/opinion',
  series: '/api/symbols/{symbol}/series',
  moves: '/api/symbols/{symbol}/moves',
  changes: '/api/changes',
  prices: '/api/symbols/{symbol}/prices',
  followed: '/api/symbols/{symbol}/followed',
  comparison: '/api/compare',
  overview: '/api/overview',
  users: '/api/users',
  user: '/api/users/{id}',
  calls: '/api/users/{id}/calls',
  record: '/api/users/{id}/record',
  track: '/api/users/{id}/track',
  community: '/api/record',
  scoredCalls: '/api/calls',
  lookups: '/api/lookups',
  lookupFacets: '/api/lookups/facets',
  attention: '/api/symbols/{symbol}/attention',
  attentionOverview: '/api/attention',
  status: '/api/status',
  dumps: '/api/dumps',
  editions: '/api/editions',
  differences: '/api/editions/differences',
  differenceFacets: '/api/editions/differences/facets',
  quarantine: '/api/quarantine',
  watching: '/api/watching',
}

/** What is asked of a kind: the `{name}` parts of its address, decoded, and its search parameters; nothing parsed yet. */
export type Asked = {
  readonly parts: Readonly<Record<string, string>>
  readonly params: URLSearchParams
}

export type Question<K extends Kind = Kind> = Asked & { readonly kind: K }

/** A question as the address that a browser asks it at. */
export const toAddress = ({ kind, parts, params }: Question): string =>
  toPath(ADDRESSES[kind], parts) + toQueryText(params)

const toPath = (address: string, parts: Asked['parts']) =>
  address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''))

/** The parts of a path that was asked at the address of a kind. */
export function readParts(kind: Kind, pathname: string): Asked['parts'] {
  const asked = pathname.split('/')
  const named = ADDRESSES[kind].split('/').flatMap((segment, index): [string, string][] => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    return name === undefined ? [] : [[name, decodeURIComponent(asked[index] ?? '')]]
  })
  return Object.fromEntries(named)
}
