import type { Formats } from '#components/format/formats.ts'
import type { Discovery } from '#lib/contract/answers/status.ts'

const ORDERS = {
  newest: 'newest first',
  oldest: 'oldest first',
  none: 'in no order of time',
} as const

const PAST_END = {
  empty: 'an empty page',
  not_found: '404, not found',
  error: 'an error',
  repeats: 'the last page again',
} as const

const UNKNOWN = 'not known yet'
/** Clocks that differ by less agree. */
const SKEW_SECONDS = 5

/** What was found out about a service, in words, with what is not known yet said so. */
export function toDiscoveryFacts(
  found: Discovery,
  { formatCounted }: Formats,
): { term: string; detail: string }[] {
  const { page_size, first_page, past_end } = found
  return [
    {
      term: 'Page',
      detail: page_size === null ? UNKNOWN : `${formatCounted(page_size, 'rating')} each`,
    },
    { term: 'First page', detail: first_page === null ? UNKNOWN : `number ${first_page}` },
    { term: 'Order', detail: toOrder(found) },
    { term: 'Past the end', detail: past_end === null ? UNKNOWN : PAST_END[past_end] },
    { term: 'Versions', detail: toValidators(found) },
    { term: 'Clock', detail: toSkew(found.clock_skew_seconds) },
  ]
}

function toOrder({ order, order_key, order_key_moves }: Discovery): string {
  if (order === null) return UNKNOWN
  const by = order_key === null ? '' : `, by ${order_key}`
  return `${ORDERS[order]}${by}${order_key_moves ? ', which changes: ratings move between pages' : ''}`
}

function toValidators({ page_validators: pages, dump_validators: dumps }: Discovery): string {
  if (pages === null && dumps === null) return UNKNOWN
  if (pages && dumps) return 'named for pages and dumps: what is unchanged is not sent again'
  if (dumps) return 'named for dumps only'
  if (pages) return 'named for pages only'
  return 'not named: everything is sent each time'
}

function toSkew(seconds: number | null): string {
  if (seconds === null) return UNKNOWN
  if (Math.abs(seconds) <= SKEW_SECONDS) return 'agrees with ours'
  return `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ours`
}
