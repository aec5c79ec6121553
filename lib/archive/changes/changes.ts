import { type Kysely, sql } from 'kysely'
import { type Changes, REPORT_LINES } from '#lib/contract/answers/changes.ts'
import { MOVES, type MoveKind } from '#lib/contract/moves.ts'
import type { Tables } from '../engine/tables.ts'
import { isActive } from '../query/rating-conditions.ts'
import type { ArchiveReader, SignalOptions } from '../reader.ts'
import { selectMovesOf } from '../symbols/symbol.ts'
import { selectNotable } from './notable.ts'

/** Includes `from`, excludes `to`; seconds since 1970. */
type Period = { from: number; to: number }

export async function selectChanges(
  reader: ArchiveReader,
  period: Period,
  { signal }: SignalOptions,
): Promise<Changes> {
  const { from, to } = period
  // Excludes its start, includes its end.
  const span = { from: from - 1, to: to - 1 }
  const lapsingBy = to + (to - from)
  const read = async () =>
    await reader.read(async (db) => {
      const asked = { at: span.to, since: from, lapsingBy: lapsingBy - 1, lines: REPORT_LINES }
      return {
        posted: await selectPosted(db, period),
        ended: await selectEnds(db, span),
        happened: await selectHappened(db, span),
        notable: await selectNotable(db, asked),
      }
    }, signal)
  const { posted, ended, happened, notable } = await read()
  const symbols = notable.moves.map(({ symbol }) => symbol)
  const moves = await selectMovesOf(reader, { symbols, ...span }, { at: span.to, signal })
  return {
    from,
    to,
    ...posted,
    ...ended,
    ...happened,
    moves,
    lapsing_by: lapsingBy,
    lapsing: notable.lapsing,
    contested: notable.contested,
  }
}

type Counts = Pick<Changes, 'ratings' | 'users' | 'symbols' | 'new_users'>

async function selectPosted(db: Kysely<Tables>, { from, to }: Period): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*) as ratings, count(distinct user_id) as users,
      count(distinct symbol_key) as symbols,
      (select count(*) from (
        select min(created_at) as first_at from rating group by user_id
      ) where first_at >= ${from} and first_at < ${to}) as new_users
    from rating where created_at >= ${from} and created_at < ${to}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('an aggregate gave no row')
  return found
}

type Ends = Pick<Changes, 'active_from' | 'active_to'>

async function selectEnds(db: Kysely<Tables>, { from, to }: Period): Promise<Ends> {
  const { rows } = await sql<Ends>`
    select count(*) filter (where ${isActive(from)}) as active_from,
      count(*) filter (where ${isActive(to)}) as active_to
    from rating where created_at <= ${to}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('an aggregate gave no row')
  return found
}

type ChangeEvents = Pick<Changes, 'events' | 'minds' | 'lapsed'>

type Line = {
  list: 'kinds' | 'ended' | 'turned'
  place: number
  events: number | null
  symbols: number | null
  active: number | null
  id: number | null
  user_id: number | null
  symbol: string | null
  before: number | null
  rating: number | null
  created_at: number | null
}

const kindOf = (kind: MoveKind) => sql.lit(MOVES.indexOf(kind))

const ENDED = sql`(${kindOf('lapsed')}, ${kindOf('vanished')})`
const TURNED = sql`(${kindOf('upgraded')}, ${kindOf('downgraded')})`

async function selectHappened(db: Kysely<Tables>, span: Period): Promise<ChangeEvents> {
  const { rows } = await sql<Line>`
    with happened as materialized (${moveEvents({ ...span, keys: null })}),
    kinds as (
      select kind, count(*) as events, count(distinct symbol_key) as symbols
      from happened group by kind
    ),
    ended as (
      select row_number() over (order by count(*) desc, symbol_key) as place,
        symbol_key, count(*) as events
      from happened where kind in ${ENDED} group by symbol_key
      order by place limit ${REPORT_LINES}
    ),
    turned as (
      select row_number() over (order by abs(rating) desc, t desc, id desc) as place,
        id, rating as step
      from happened where kind in ${TURNED}
      order by place limit ${REPORT_LINES}
    )
    select 'kinds' as list, kind as place, events, symbols, null as active, null as id, null as user_id,
      null as symbol, null as before, null as rating, null as created_at from kinds
    union all
    select 'ended', ended.place, ended.events, null,
      (select count(*) from rating where symbol_key = ended.symbol_key and ${isActive(span.to)}),
      null, null, symbol.symbol, null, null, null
    from ended join symbol on symbol.symbol_key = ended.symbol_key
    union all
    select 'turned', turned.place, null, null, null, rating.id, rating.user_id, rating.symbol,
      rating.rating - turned.step, rating.rating, rating.created_at
    from turned join rating on rating.id = turned.id`.execute(db)
  const of = (list: Line['list']) =>
    rows.filter((row) => row.list === list).sort((a, b) => a.place - b.place)
  return {
    events: of('kinds').flatMap(({ place, events, symbols }) => {
      const kind = MOVES[place]
      return kind ? [{ kind, events: events ?? 0, symbols: symbols ?? 0 }] : []
    }),
    lapsed: of('ended').map(({ symbol, events, active }) => ({
      symbol: symbol ?? '',
      events: events ?? 0,
      active: active ?? 0,
    })),
    minds: of('turned').map((row) => ({
      id: row.id ?? 0,
      user_id: row.user_id ?? 0,
      symbol: row.symbol ?? '',
      before: row.before ?? 0,
      rating: row.rating ?? 0,
      created_at: row.created_at ?? 0,
    })),
  }
}

/** Excludes `from`, includes `to`; seconds since 1970. */
export type Span = { from: number; to: number }

type Of = Span & { keys: readonly string[] | null }

const LIVED = ({ keys, from, to }: Of) => sql`
  select id, user_id, symbol_key, created_at, effective_until,
    cast(rating as integer) as rating, cast(prediction_value as decimal(38, 6)) as prediction_value,
    previous_created_at is null as is_first,
    coalesce(effective_until = vanished_at, false)
      and coalesce(effective_until <> nullif(expired_at, 0), true) as has_vanished,
    lead(created_at) over own as next_at,
    lag(effective_until) over own as before_until,
    lag(rating) over own as before_rating,
    lag(cast(prediction_value as decimal(38, 6))) over own as before_prediction
  from rating
  where effective_until > created_at and effective_until > ${from} and created_at <= ${to}
    ${keys === null ? sql`` : sql`and symbol_key in (${sql.join(keys)})`}
  window own as (
    partition by ${keys?.length === 1 ? sql`user_id` : sql`symbol_key, user_id`}
    order by created_at, id
  )`

/** `phase` 0 (ends) precedes beginnings of the same second. */
const moveEvents = (of: Of) => sql`
  with lived as materialized (${LIVED(of)})
  select symbol_key, created_at as t, 1 as phase, id,
    case
      when took_place and rating > before_rating then ${kindOf('upgraded')}
      when took_place and rating < before_rating then ${kindOf('downgraded')}
      when took_place then ${kindOf('reiterated')}
      when is_first then ${kindOf('initiated')}
      else ${kindOf('returned')} end as kind,
    case when took_place then 0 else 1 end as more,
    rating - case when took_place then before_rating else 0 end as rating,
    prediction_value - case when took_place then before_prediction else 0 end as prediction
  from (
    select *, coalesce(before_until = created_at, false) as took_place
    from lived
    where created_at > ${of.from}
  ) as begun
  union all
  select symbol_key, effective_until, 0, id,
    case when has_vanished then ${kindOf('vanished')} else ${kindOf('lapsed')} end,
    -1, -rating, -prediction_value
  from lived
  where effective_until <= ${of.to} and coalesce(next_at <> effective_until, true)`
