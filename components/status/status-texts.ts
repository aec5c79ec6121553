import { formatCount, formatCounted } from '#components/format/numbers.ts'
import type { AlarmKind, Discovery, Move, Status, SyncRun } from '#lib/contract/answers/status.ts'
import type { FreshnessTone } from './freshness.tsx'

type SyncState = Status['sync']['state']

export const HEALTH_WORDS: Record<FreshnessTone, string> = {
  good: 'Healthy',
  busy: 'Working',
  waiting: 'Needs attention',
  failed: 'Not healthy',
}

export const SYNC_WORDS: Record<
  SyncState,
  { tone: FreshnessTone; title: string; meaning: string }
> = {
  starting: {
    tone: 'busy',
    title: 'Starting',
    meaning: 'The archive is being opened.',
  },
  bootstrapping: {
    tone: 'busy',
    title: 'Filling the archive',
    meaning:
      'The weekly dump comes first: it holds everything up to last Sunday, 00:00 ET, in one request.',
  },
  following: {
    tone: 'good',
    title: 'Following the service',
    meaning: 'Reads the newest pages until they overlap with the archive.',
  },
  reconciling: {
    tone: 'busy',
    title: 'Comparing with the weekly dump',
    meaning: 'The new edition fills in what the pages missed.',
  },
  idle: {
    tone: 'good',
    title: 'Up to date',
    meaning: 'Everything the service had at the last check is here.',
  },
  waiting: {
    tone: 'waiting',
    title: 'Waiting',
    meaning: 'The sync continues automatically. The archive can be read meanwhile.',
  },
  stopped: {
    tone: 'failed',
    title: 'Stopped',
    meaning: 'The sync needs attention. The archive can still be read.',
  },
}

export const canSyncNow = ({ state, progress }: Status['sync']): boolean =>
  progress === null && (state === 'idle' || state === 'following' || state === 'waiting')

export const MOVE_WORDS: Record<Move, { title: string; meaning: string }> = {
  bootstrap: {
    title: 'First filling',
    meaning: 'Everything the service has, into an empty archive.',
  },
  follow: {
    title: 'New ratings',
    meaning: 'The newest pages, until they overlap with the archive.',
  },
  reconcile: {
    title: 'Posts dump',
    meaning: 'The week’s dump, compared with the archive: edits, votes, early expiries, removals.',
  },
  lookups: { title: 'Lookups dump', meaning: 'Stored for download.' },
  discover: {
    title: 'Service behavior',
    meaning: 'How the service numbers and orders its pages.',
  },
}

export function toTook(seconds: number): string {
  if (seconds < 1) return 'under 1 s'
  const [hours, minutes, rest] = [seconds / 3600, (seconds % 3600) / 60, seconds % 60].map(
    Math.floor,
  )
  if (hours) return minutes ? `${hours} h ${minutes} min` : `${hours} h`
  if (minutes) return rest ? `${minutes} min ${rest} s` : `${minutes} min`
  return `${rest} s`
}

/** `1,204 new, 88 changed, 2 gone` */
export function toRowChanges(rows: SyncRun['rows']): string {
  if (rows === null) return ''
  const parts = [
    [rows.inserted, 'new'],
    [rows.updated, 'changed'],
    [rows.vanished, 'gone'],
    [rows.quarantined, 'set aside'],
  ] as const
  const told = parts.filter(([count]) => count > 0)
  if (told.length === 0) return 'nothing new'
  return told.map(([count, word]) => `${formatCount(count)} ${word}`).join(', ')
}

export const ALARM_WORDS: Record<AlarmKind, { title: string; tone: 'warning' | 'failure' }> = {
  refused: { title: 'The service does not accept the key', tone: 'failure' },
  unreachable: { title: 'The service does not answer', tone: 'failure' },
  stalled: { title: 'The sync has stalled', tone: 'failure' },
  disk: { title: 'The disk is full', tone: 'failure' },
  store: { title: 'The shared database cannot be used', tone: 'failure' },
  backup: { title: 'The last backup failed', tone: 'failure' },
  import_empty: { title: 'A file could not be read', tone: 'failure' },
  budget: { title: 'This month’s requests will run out', tone: 'warning' },
  edition_late: { title: 'The week’s dump is late', tone: 'warning' },
  edition_unchanged: { title: 'The week’s dump brought nothing new', tone: 'warning' },
  edition_aside: { title: 'A dump was set aside', tone: 'warning' },
  silent: { title: 'No new ratings for an unusually long time', tone: 'warning' },
  falling: { title: 'The dumps keep shrinking', tone: 'warning' },
  vanished: { title: 'Ratings are no longer listed', tone: 'warning' },
  clock: { title: 'The clocks disagree', tone: 'warning' },
  archive_rebuilt: { title: 'The archive was damaged and has been filled again', tone: 'warning' },
}

const ORDERS = {
  newest: 'newest first',
  oldest: 'oldest first',
  none: 'in no time order',
} as const

const PAST_END = {
  empty: 'an empty page',
  not_found: '404, not found',
  error: 'an error',
  repeats: 'the last page again',
} as const

const UNKNOWN = 'not known yet'
const SKEW_SECONDS = 5

export function toDiscoveryFacts(found: Discovery): { term: string; detail: string }[] {
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
  if (pages && dumps) return 'for pages and dumps: unchanged content is not sent again'
  if (dumps) return 'for dumps only'
  if (pages) return 'for pages only'
  return 'none: everything is sent each time'
}

function toSkew(seconds: number | null): string {
  if (seconds === null) return UNKNOWN
  if (Math.abs(seconds) <= SKEW_SECONDS) return 'in sync'
  return `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ours`
}
